from __future__ import annotations

import numpy as np
import pytest

from memory.embedders import EmbeddingCache
from memory.embedders.kept import KeptVectors


def rows(*numbers):
    return np.array([[number, 0] for number in numbers], dtype=np.float32)


@pytest.fixture
def cache(tmp_path):
    return EmbeddingCache(tmp_path / "cache.sqlite")


def kept(keys, cache=None, progress=None):
    return KeptVectors(keys, "model", 2, cache=cache, progress=progress)


def test_vectors_in_the_order_of_the_keys_equal_ones_counted_each():
    steps = []
    found = kept(["a", "b", "a"], progress=lambda *step: steps.append(step))
    assert found.lacking == ["a", "b"]
    found.keep(["b"], rows(2))
    assert found.lacking == ["a"]
    found.keep(["a"], rows(1))
    assert found.all()[:, 0].tolist() == [1, 2, 1]
    assert steps == [(0, 3), (1, 3), (3, 3)]


def test_what_is_there_stays_and_is_not_counted_twice(cache):
    steps = []
    cache.put("model", {"a": rows(7)[0]})
    found = kept(["a", "b"], cache, lambda *step: steps.append(step))
    found.keep(["a", "b"], rows(1, 2))
    assert found.all()[:, 0].tolist() == [7, 2]
    assert steps == [(1, 2), (2, 2)]
    assert {key: vector[0] for key, vector in cache.get("model", ["a", "b"]).items()} == {"a": 7, "b": 2}


def test_a_cached_vector_of_another_dimension_or_model_is_none(cache):
    cache.put("model", {"a": np.ones(3, dtype=np.float32)})
    cache.put("another", {"b": rows(1)[0]})
    assert kept(["a", "b"], cache).lacking == ["a", "b"]


def test_no_keys():
    assert kept([]).all().shape == (0, 2)
