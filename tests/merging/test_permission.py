"""The last look at the permission."""

from __future__ import annotations

import pytest

from memory.entities import Entity, Evidence, Relationship
from memory.observations import Location
from merging.permission import within_permission
from tests.merging.making import graph, table, text

ALLOWED = frozenset({"billing", "auth"})


class TestTexts:
    def test_inside_stays_as_it_is(self):
        found = text("x", "a.md:1-2")
        assert within_permission(found, ALLOWED) is found

    def test_another_project_goes(self):
        assert within_permission(text("x", "a.md:1-2", project="crm"), ALLOWED) is None

    def test_no_project_stays(self):
        found = text("x", "recent", kind="local", project=None)
        assert within_permission(found, ALLOWED) is found
        assert within_permission(found, frozenset()) is found

    def test_read_from_outside_goes_whatever_it_says(self):
        assert within_permission(text("x", locations=(Location("crm", "a.md", 1, 2),)), ALLOWED) is None
        both = (Location("crm", "a.md", 1, 2), Location("billing", "a.md", 1, 2))
        assert within_permission(text("x", locations=both), ALLOWED) is None

    def test_further_places_outside_are_taken_off(self):
        own, other = Location("billing", "a.md", 1, 2), Location("crm", "a.md", 1, 2)
        found = within_permission(text("x", locations=(own, other)), ALLOWED)
        assert found is not None
        assert found.locations == (own,)


def edge(**fields):
    ends = {"source": Entity("A", project="billing"), "type": "CALLS", "target": Entity("B", project="auth")}
    return Relationship(**{**ends, **fields})


class TestGraph:
    def test_inside_stays(self):
        found = graph(
            "A calls B", relationships=(edge(project="billing"),), metadata={"source_projects": ["billing", "auth"]}
        )
        assert within_permission(found, ALLOWED) is found

    def test_a_place_outside_takes_all(self):
        places = (Location("billing", "a.py", 1, 1), Location("crm", "b.py", 1, 1))
        assert within_permission(graph("x", locations=places), ALLOWED) is None

    @pytest.mark.parametrize(
        "relation",
        [
            edge(target=Entity("B", project="crm")),
            edge(source=Entity("A", project="crm")),
            edge(project="crm"),
            edge(evidence=(Evidence("imports", "billing", "a.py", 1), Evidence("manifest", "crm", "b.py", 1))),
        ],
        ids=["target", "source", "project", "evidence"],
    )
    def test_a_relation_that_touches_the_outside_takes_all(self, relation):
        assert within_permission(graph("x", relationships=(edge(), relation)), ALLOWED) is None

    def test_an_entity_or_a_project_outside_takes_all(self):
        assert within_permission(graph("x", metadata={"entities": [table("t", "", project="crm")]}), ALLOWED) is None
        assert within_permission(graph("x", metadata={"source_projects": ["billing", "crm"]}), ALLOWED) is None
        assert within_permission(graph("x", project="crm"), ALLOWED) is None

    def test_entities_without_a_project_stay(self):
        found = graph(
            "x", metadata={"entities": [table("t", "", project="")]}, relationships=(edge(source=Entity("A")),)
        )
        assert within_permission(found, ALLOWED) is found
