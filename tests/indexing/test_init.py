"""The face of the folder: every public name is there, and only those."""

from __future__ import annotations

import pytest

import indexing


@pytest.mark.parametrize("name", indexing.__all__)
def test_every_public_name_is_there(name):
    assert getattr(indexing, name).__module__.startswith("indexing.")


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'Nope'"):
        _ = indexing.Nope
