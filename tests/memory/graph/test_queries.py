from __future__ import annotations

import re

import pytest

from memory.graph import queries

READS = {name: text for name, text in vars(queries).items() if name in queries.__all__ and "RETURN" in text}


@pytest.mark.parametrize("name", READS)
def test_every_read_is_inside_the_permission_and_limited(name):
    text = READS[name]
    assert "IN $permission" in text
    assert "namespace = $namespace" in text
    assert text.endswith("LIMIT $limit")


@pytest.mark.parametrize("name", queries.__all__)
def test_values_are_bound_and_no_hop_bound_is_written(name):
    texts = getattr(queries, name)
    for text in [texts] if isinstance(texts, str) else texts:
        assert "$" in text
        assert not re.search(r"\{\w+\}|\*\s*\d|\*\.\.", text)
