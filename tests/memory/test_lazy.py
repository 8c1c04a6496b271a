"""Names that are imported when they are first used."""

from __future__ import annotations

import json.decoder

import pytest

from memory.lazy import lazy_names


def test_a_name_comes_from_its_home_and_another_is_none_of_the_packages():
    named = lazy_names("json", {"JSONDecoder": "decoder"})
    assert named("JSONDecoder") is json.decoder.JSONDecoder
    with pytest.raises(AttributeError, match="module 'json' has no attribute 'loads'"):
        named("loads")
