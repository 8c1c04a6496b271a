"""What goes into a cassette comes out again, equal and of the same types."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from memory.entities import Entity, Relationship
from memory.errors import InvalidInputError
from memory.graph import GraphPath
from memory.observations import Location, VectorObservation
from memory.vector import Chunk, Hit, SparseVector, VectorQuery
from memory.vector.filters import Condition
from replay.codec import Codec, canonical

CHUNK = Chunk("c1", "p", "p", "a.py", "", "code", "python", "code", "f", "", 1, 2, "x = 1\ny = 2", "p a", "h")
EDGE = Relationship(Entity("A", project="p"), "CALLS", Entity("B", project="q"), "p", "a.py", (3,))


@pytest.mark.parametrize(
    "value",
    [
        None,
        "text",
        7,
        True,
        0.1 + 0.2,
        math.inf,
        ["a", ("b", 1.5)],
        frozenset({"b", "a"}),
        {"z": 1, "a": {"nested": (1, 2)}},
        CHUNK,
        Hit(CHUNK, 0.5, {"dense_docs": [0.1] * 40}, SparseVector(tuple(range(20)), (1.0,) * 20), ("a",), {"k": [1]}),
        VectorQuery("dense_docs", [0.25] * 16, 10, (Condition("project", any_of=("p",)),)),
        VectorQuery("", None, 3, (Condition("start_line", gte=3.0),), ("dense_docs",)),
        GraphPath((EDGE,)),
        VectorObservation("text", "a.py", "p", 0.5, None, "code", (Location("p", "a.py", 1, 2),), embedding=[0.5] * 20),
    ],
)
def test_it_comes_back_as_it_was(value):
    codec = Codec()
    text = canonical(codec.encode(value))
    again = Codec(json.loads(canonical(codec.pool))).decode(json.loads(text))
    assert again == value
    assert type(again) is type(value)


def test_a_mapping_keeps_its_order():
    codec = Codec()
    again = codec.decode(json.loads(canonical(codec.encode({"zebra": 1, "ant": 2}))))
    assert list(again) == ["zebra", "ant"]


def test_an_array_keeps_its_shape_and_its_last_bit():
    codec = Codec()
    array = np.array([[0.1, 0.2], [0.3, 1 / 3]], dtype=np.float32)
    again = codec.decode(codec.encode(array))
    assert again.dtype == np.float32
    assert (again == array).all()


def test_numbers_are_packed_as_float32_only_where_that_is_exact():
    codec = Codec()
    single = [float(np.float32(0.1))] * 16
    double = [0.1] * 16
    for numbers, kind in ((single, "<f4"), (double, "<f8")):
        assert codec.pool[codec.encode(numbers)["#"]]["of"] == kind
        assert codec.decode(codec.encode(numbers)) == numbers


def test_what_is_there_twice_is_kept_once():
    codec = Codec()
    first, second = codec.encode([CHUNK, CHUNK])
    assert first == second
    assert len(codec.pool) == 1
    assert codec.decode(first) is codec.decode(second)


def test_what_no_port_speaks_is_refused():
    with pytest.raises(TypeError, match="object cannot be recorded"):
        Codec().encode(object())


@pytest.mark.parametrize(
    "damaged",
    [
        {"#": "nowhere"},
        {"#": "round"},
        {"=": "Nothing"},
        {"=": "Entity", "colour": 1},
        {"=": "VectorObservation", "content": ""},
        {"{}": [[1]]},
        {":": [1]},
        {"~": "AAAA", "of": "<f4", "kind": "list"},
        {"()": 7},
    ],
)
def test_what_is_no_values_form_is_an_error_of_ours(damaged):
    codec = Codec({"round": {"()": [{"#": "round"}]}})
    with pytest.raises(InvalidInputError, match=r"The recording is damaged"):
        codec.decode(damaged)
