from __future__ import annotations

import pytest

from facades.errors import APIError, InvalidRequestError, QdrantConnectionError
from memory.errors import InvalidInputError, ModelError, StoreError


@pytest.mark.specification("004 §3 errors")
@pytest.mark.parametrize(
    ("error", "ours", "theirs", "code", "exit_code"),
    [
        (InvalidRequestError, InvalidInputError, ValueError, "invalid_input", 2),
        (QdrantConnectionError, StoreError, ConnectionError, "store", 3),
        (APIError, ModelError, Exception, "model", 3),
    ],
)
def test_each_is_ours_and_what_the_specification_names(error, ours, theirs, code, exit_code):
    raised = error("What.", "Do this.")
    assert isinstance(raised, ours)
    assert isinstance(raised, theirs)
    assert (raised.message, raised.hint, str(raised)) == ("What.", "Do this.", "What. Do this.")
    assert (raised.code, raised.exit_code) == (code, exit_code)
