"""`changed` is `dataclasses.replace`, for every field there is."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from memory.observations import Location, NormalizedObservation
from merging.changing import changed
from merging.claims import claims_of, read_claims
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


class TestClaims:
    """What an observation states is read once and goes with it."""

    YAML = text("port: 5432", "db.yaml:1-1")

    def test_read_once(self):
        first = claims_of(self.YAML)
        assert first == read_claims(self.YAML)
        assert [claim.value for claim in first] == ["5432"]
        assert claims_of(self.YAML) is first

    def test_kept_by_what_states_the_same(self):
        assert claims_of(changed(self.YAML, score=0.5, duplicates=())) is claims_of(self.YAML)

    @pytest.mark.parametrize(
        ("changes", "values"),
        [
            ({"content": "port: 5433"}, ["5433"]),
            ({"locations": (Location("billing", "db.py", 1, 1),)}, []),
            ({"locations": (), "metadata": {}}, []),
            ({"kind": "graph"}, []),
        ],
    )
    def test_read_anew_where_something_else_is_stated(self, changes, values):
        claims_of(self.YAML)
        assert [claim.value for claim in claims_of(changed(self.YAML, **changes))] == values
        assert [claim.value for claim in claims_of(self.YAML)] == ["5432"]

    def test_no_field(self):
        other = replace(self.YAML)
        claims_of(self.YAML)
        assert other == self.YAML
        assert [claim.value for claim in claims_of(replace(self.YAML, content="port: 1"))] == ["1"]
