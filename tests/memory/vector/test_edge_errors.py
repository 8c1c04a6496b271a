from __future__ import annotations

from pathlib import Path

import pytest

from memory.errors import DataFolderError, InvalidInputError, StorageFullError, StoreError
from memory.vector.edge_errors import translated

FOLDER = Path("data/vectors")


@pytest.mark.parametrize(
    ("doing", "raised", "expected", "words"),
    [
        ("open", Exception("failed to open: Permission denied (os error 13)"), DataFolderError, "write permission"),
        ("open", OSError(30, "Read-only file system"), DataFolderError, "write permission"),
        ("write", Exception("No space left on device (os error 28)"), StorageFullError, "No room"),
        ("create", Exception("failed to set length: File too large (os error 27)"), StorageFullError, "No room"),
        ("create", Exception("path already contains segment data"), DataFolderError, "already"),
        ("open", Exception("Service runtime error: nonsense"), StoreError, "nonsense"),
        ("search", Exception("Not existing vector name error: nope"), StoreError, "could not search"),
        ("write", ValueError("failed to parse x as UUID"), StoreError, "as UUID"),
    ],
)
def test_the_engine_s_words_become_our_errors(doing, raised, expected, words):
    with pytest.raises(expected, match=words) as caught, translated(FOLDER, doing):
        raise raised
    assert str(FOLDER) in caught.value.message
    assert caught.value.hint
    assert caught.value.__cause__ is raised


@pytest.mark.parametrize("raised", [TypeError("ours"), InvalidInputError("ours")])
def test_what_is_no_answer_of_the_engine_goes_on_as_it_is(raised):
    with pytest.raises(type(raised), match="ours"), translated(FOLDER, "open"):
        raise raised
