"""`changed` is `dataclasses.replace`, for every field there is."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from memory.observations import Location, NormalizedObservation
from merging.changing import changed
from tests.merging.making import text

ONE = text("the first", "docs/a.md:1-3", vector=[1.0, 0.0], confidence=0.7)
OTHER = NormalizedObservation(
    content="the other",
    source="graph:kglite",
    source_project="auth",
    confidence=0.4,
    observation_type="relationship",
    locations=(Location("auth", "b.py", 4, 5),),
    score=0.9,
    rank=3,
)


@pytest.mark.parametrize("name", [field.name for field in fields(NormalizedObservation)])
def test_one_field(name: str):
    value = getattr(OTHER, name)
    made = changed(ONE, **{name: value})
    assert made == (replace(ONE, **{name: value}) if value else made)
    assert getattr(made, name) is value
    others = [field.name for field in fields(NormalizedObservation) if field.name != name]
    assert all(getattr(made, other) is getattr(ONE, other) for other in others)


def test_what_it_is_made_from_stays():
    before = replace(ONE)
    changed(ONE, score=0.5, rank=1)
    assert before == ONE


def test_a_field_there_is_not():
    with pytest.raises(AttributeError):
        changed(ONE, colour="red")
