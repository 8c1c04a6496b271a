"""YAML is read as plain data."""

from __future__ import annotations

import pytest
import yaml

from configs.documents import read_yaml


def test_plain_data_comes_out():
    assert read_yaml("a: [1, two, 3.5]\nb: {c: true}") == {"a": [1, "two", 3.5], "b": {"c": True}}
    assert read_yaml("# nothing") is None


@pytest.mark.parametrize("text", ["a: [1", "!!python/object/apply:os.getcwd []"])
def test_what_is_not_plain_data_is_refused(text):
    with pytest.raises(yaml.YAMLError):
        read_yaml(text)
