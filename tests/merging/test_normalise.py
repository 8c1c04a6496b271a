from __future__ import annotations

import hashlib
import json
import math
from dataclasses import fields
from datetime import UTC, date, datetime

import numpy as np
import pytest

from memory.entities import Entity, Evidence, Relationship
from memory.observations import (
    GraphObservation,
    LocalObservation,
    Location,
    NormalizedObservation,
    VectorObservation,
    content_hash,
)
from memory.shared import MemoryEntry
from memory.text.output import json_ready
from merging.normalise import identified, normalise, observation_id, within_permission
from tests.merging.making import graph, table, text


def entry(observation, agent="vector", content="as published", **fields):
    values = {"id": f"{agent}-1", "attention_weight": 0.7, "is_belief_candidate": True, **fields}
    return MemoryEntry(content=content, source_agent_id=agent, observation=observation, **values)


@pytest.mark.parametrize(
    ("observation", "agent", "kind"),
    [
        (LocalObservation("x", "a.md", None, 0.5, "fact"), "wiki", "local"),
        (VectorObservation("x", "a.md", "crm", 0.5, None, "code"), "vector", "vector"),
        (GraphObservation("x", [], [], [], 1, 0.5, "entity"), "", "graph"),
        (None, "graph", "graph"),
    ],
)
def test_has_every_field_as_if_it_had_been_constructed(observation, agent, kind):
    found = normalise(entry(observation, agent))
    assert found == NormalizedObservation(**{field.name: getattr(found, field.name) for field in fields(found)})
    assert vars(found).keys() == {field.name for field in fields(found)}
    assert (found.kind, found.agent) == (kind, agent or kind)


class TestLocal:
    @pytest.mark.specification("001 §5.1 shape", "001 §5.1 source")
    def test_every_field(self):
        at = Location("billing", "CLAUDE.md", 3, 9)
        given = LocalObservation(
            "Retry three times.",
            "CLAUDE.md",
            "Retries",
            0.8,
            "instruction",
            "billing",
            (at,),
            ("Retry",),
            [1.0],
            "m",
            {"n": 1},
        )
        found = normalise(entry(given, "local"))
        assert (found.content, found.source, found.source_project) == (
            "Retry three times.",
            "local:CLAUDE.md",
            "billing",
        )
        assert (found.confidence, found.observation_type) == (0.8, "instruction")
        assert (found.locations, found.entities_mentioned) == ((at,), ("Retry",))
        assert (found.semantic_embedding, found.embedding_model) == ([1.0], "m")
        assert found.metadata == {"source_file": "CLAUDE.md", "section": "Retries", "n": 1}
        assert (found.agent, found.attention_weight, found.is_belief_candidate) == ("local", 0.7, True)
        assert found.content_hash == content_hash("Retry three times.")

    @pytest.mark.specification("001 §5.1 source")
    def test_from_the_specifications_fields_alone(self):
        found = normalise(
            entry(LocalObservation("x", "recent", None, 0.5, "context"), "local", is_belief_candidate=False)
        )
        assert (found.source, found.source_project, found.locations) == ("local:recent", None, ())
        assert found.metadata == {"source_file": "recent"}
        own = LocalObservation("x", "recent", None, 0.5, "context", metadata={"section": "mine", "n": 1})
        assert normalise(entry(own, "local")).metadata == {"source_file": "recent", "n": 1}
        assert found.is_belief_candidate is False


class TestVector:
    @pytest.mark.specification("001 §5.1 shape", "001 §5.1 source")
    def test_every_field(self):
        at = Location("auth", "a.py", 1, 2)
        given = VectorObservation(
            "def a(): ...", "a.py", "auth", 0.9, "around", "code", (at,), ("a",), [0.5], "m", {"section": "A > B"}
        )
        found = normalise(entry(given))
        assert (found.source, found.source_project, found.agent) == ("vector:qdrant", "auth", "vector")
        assert (found.confidence, found.observation_type) == (0.9, "code")
        assert (found.locations, found.entities_mentioned) == ((at,), ("a",))
        assert (found.semantic_embedding, found.embedding_model) == ([0.5], "m")
        assert found.metadata == {"source_file": "a.py", "chunk_context": "around", "section": "A > B"}

    def test_an_agent_of_ones_own_keeps_its_name(self):
        found = normalise(entry(VectorObservation("x", "a.py", "auth", 0.9, None, "code"), "wiki"))
        assert (found.agent, found.source, found.kind) == ("wiki", "vector:qdrant", "vector")
        assert found.metadata == {"source_file": "a.py"}


class TestGraph:
    @pytest.mark.specification("001 §5.1 shape", "001 §5.1 source")
    def test_every_field(self):
        order, pay = (
            Entity("OrderService", project="orders", path="o.py", start_line=1, end_line=9, summary="Takes orders."),
            Entity("pay"),
        )
        edge = Relationship(
            order, "CALLS", pay, "orders", "o.py", (4,), evidence=(Evidence("call", "orders", "o.py", 4),)
        )
        at = Location("orders", "o.py", 4, 4)
        given = GraphObservation(
            "OrderService CALLS pay",
            [order, pay, order],
            [edge],
            ["orders", "payments"],
            2,
            0.6,
            "relationship",
            "neo4j",
            (at,),
            {"entities": 1, "why": "x"},
        )
        found = normalise(entry(given, "graph"))
        assert (found.source, found.source_project, found.agent) == ("graph:neo4j", "orders", "graph")
        assert (found.confidence, found.observation_type, found.locations) == (0.6, "relationship", (at,))
        assert (found.entities_mentioned, found.relationships) == (("OrderService", "pay"), (edge,))
        assert (found.semantic_embedding, found.embedding_model) == (None, "")
        assert found.metadata["hop_depth"] == 2
        assert found.metadata["source_projects"] == ["orders", "payments"]
        assert found.metadata["why"] == "x"
        assert found.metadata["entities"][0] == {
            "name": "OrderService",
            "kind": "class",
            "project": "orders",
            "path": "o.py",
            "start_line": 1,
            "end_line": 9,
            "summary": "Takes orders.",
        }
        json.dumps(found.metadata, allow_nan=False)

    @pytest.mark.specification("001 §5.1 source")
    def test_of_no_project(self):
        found = normalise(entry(GraphObservation("x", [], [], [], 1, 0.5, "entity"), "graph"))
        assert (found.source_project, found.source) == (None, "graph:kglite")


SPECIFIED = {
    LocalObservation: ("instruction", "pattern", "fact", "context"),
    GraphObservation: ("entity", "relationship", "pattern", "cross_ref"),
    VectorObservation: ("example", "documentation", "code", "discussion"),
}


@pytest.mark.specification("001 §4.1 output", "001 §4.2 output", "001 §4.3 output")
@pytest.mark.parametrize("made", SPECIFIED)
def test_every_specified_type_is_kept(made):
    before = {
        LocalObservation: ("a.md", None, 0.5),
        GraphObservation: ([], [], [], 1, 0.5),
        VectorObservation: ("a.md", "p", 0.5, None),
    }
    told = [made("x", *before[made], name) for name in SPECIFIED[made]]
    assert tuple(normalise(entry(one)).observation_type for one in told) == SPECIFIED[made]


class TestBareText:
    @pytest.mark.specification("001 §5.1 source", "001 §7.2 attention")
    def test_is_a_note_of_its_agent(self):
        found = normalise(entry(None, "graph", content="Customer found in billing"))
        assert (found.content, found.source, found.agent) == ("Customer found in billing", "graph:memory", "graph")
        assert (found.confidence, found.observation_type, found.locations) == (0.7, "note", ())
        assert found.source_project is None


class TestIds:
    def test_are_made_from_content_and_place(self):
        at = (Location("p", "a.md", 1, 2),)
        first = observation_id("vector", "vector:qdrant", "p", at, "h")
        assert first == observation_id("vector", "vector:qdrant", "p", at, "h")
        others = {
            observation_id("local", "vector:qdrant", "p", at, "h"),
            observation_id("vector", "local:a", "p", at, "h"),
            observation_id("vector", "vector:qdrant", None, at, "h"),
            observation_id("vector", "vector:qdrant", "p", (), "h"),
            observation_id("vector", "vector:qdrant", "p", (Location("p", "a.md", 1, 3),), "h"),
            observation_id("vector", "vector:qdrant", "p", at, "i"),
        }
        assert len(others) == 6
        assert first not in others

    def test_are_the_digest_of_what_they_name(self):
        # saved results and recorded runs hold ids: another text here would make them another id
        at = (Location("p", "a.md", 1, 2), Location("q", "b.md", 3, 4))
        text = b"vector|vector:qdrant|p|p/a.md:1-2|q/b.md:3-4|h"
        digits = hashlib.blake2b(text, digest_size=6).hexdigest()
        assert observation_id("vector", "vector:qdrant", "p", at, "h") == f"vector-{digits}"

    def test_have_the_agents_name_and_twelve_digits(self):
        agent, _, digits = observation_id("graph", "graph:kglite", None, (), "h").rpartition("-")
        assert agent == "graph"
        assert len(digits) == 12
        assert int(digits, 16) >= 0

    def test_do_not_depend_on_the_entrys_number(self):
        given = VectorObservation("x", "a.py", "auth", 0.9, None, "code")
        assert normalise(entry(given, id="vector-1")) == normalise(entry(given, id="vector-9"))

    def test_are_given_where_they_lack(self):
        named, nameless = text("x", id="mine"), text("x")
        again = identified([named, text("x", id="")])
        assert [o.id for o in again] == ["mine", nameless.id]


class TestJson:
    @pytest.mark.parametrize(
        ("value", "expected"),
        [
            (None, None),
            (True, True),
            (3, 3),
            ("a", "a"),
            (0.5, 0.5),
            (math.nan, None),
            (math.inf, None),
            ((1, "b", 2.5), [1, "b", 2.5]),
            ({"b", "a"}, ["a", "b"]),
            ({1: {"x": (1,)}}, {"1": {"x": [1]}}),
            ({1: "plain"}, {"1": "plain"}),
            ({"x": [1, "b"], "y": [[2], math.nan]}, {"x": [1, "b"], "y": [[2], None]}),
            (date(2024, 5, 1), "2024-05-01"),
            (datetime(2024, 5, 1, tzinfo=UTC), "2024-05-01T00:00:00+00:00"),
            (np.float32(0.5), 0.5),
            (np.array([1, 2]), [1, 2]),
            (b"x", "b'x'"),
            (Location("p", "a", 1, 2), {"project": "p", "path": "a", "start_line": 1, "end_line": 2}),
            (Location, str(Location)),
        ],
    )
    def test_ready(self, value, expected):
        assert json_ready(value) == expected
        json.dumps(json_ready(value), allow_nan=False)

    def test_what_is_ready_is_copied(self):
        value = {"plain": {"n": 1}, "list": ["a"]}
        made = json_ready(value)
        made["plain"]["n"], made["list"][0] = 2, "b"
        assert value == {"plain": {"n": 1}, "list": ["a"]}


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


class TestPermissionOfGraph:
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
