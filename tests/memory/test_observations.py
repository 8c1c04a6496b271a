"""Observations: from the specification's fields alone, and garbage stops where it is made."""

from __future__ import annotations

import dataclasses
import math

import pytest

from memory.entities import Entity
from memory.observations import (
    GraphObservation,
    LocalObservation,
    Location,
    NormalizedObservation,
    VectorObservation,
    content_hash,
)


def test_the_specifications_fields_are_enough():
    local = LocalObservation("text", "CLAUDE.md", "Rules", 0.5, "instruction")
    graph = GraphObservation("text", [Entity("Customer")], [], ["billing"], 1, 1.0, "entity")
    vector = VectorObservation("text", "docs/a.md", "billing", 0, None, "documentation")
    assert (local.locations, local.project, local.embedding) == ((), None, None)
    assert (graph.engine, graph.locations) == ("kglite", ())
    assert (vector.metadata, vector.embedding_model) == ({}, "")


@pytest.mark.specification("001 §4.1 output", "001 §4.2 output", "001 §4.3 output", "001 §5.1 shape")
@pytest.mark.parametrize(
    ("made", "names"),
    [
        (LocalObservation, "content source_file section relevance_score observation_type"),
        (
            GraphObservation,
            "content entities relationships source_projects hop_depth confidence observation_type",
        ),
        (VectorObservation, "content source_file source_project similarity_score chunk_context observation_type"),
        (
            NormalizedObservation,
            (
                "content source source_project confidence observation_type entities_mentioned metadata "
                "content_hash semantic_embedding"
            ),
        ),
    ],
)
def test_the_specifications_fields_come_first_in_its_order(made, names):
    assert " ".join(field.name for field in dataclasses.fields(made)).startswith(names)


@pytest.mark.specification("001 §4.1 output", "001 §4.2 output", "001 §4.3 output")
@pytest.mark.parametrize("kind", ["banana", "", None, ["fact"]])
@pytest.mark.parametrize(
    "make",
    [
        lambda kind: LocalObservation("text", "a.md", None, 0.5, kind),
        lambda kind: GraphObservation("text", [], [], [], 0, 0.5, kind),
        lambda kind: VectorObservation("text", "a.md", "p", 0.5, None, kind),
    ],
)
def test_there_are_no_other_types(make, kind):
    with pytest.raises(ValueError, match="not one of"):
        make(kind)


@pytest.mark.parametrize("content", ["", " \n ", None, 5, b"text"])
@pytest.mark.parametrize(
    "make",
    [
        lambda content: LocalObservation(content, "a.md", None, 0.5, "fact"),
        lambda content: GraphObservation(content, [], [], [], 0, 0.5, "entity"),
        lambda content: VectorObservation(content, "a.md", "p", 0.5, None, "code"),
    ],
    ids=["local", "graph", "vector"],
)
def test_content_is_a_text(make, content):
    with pytest.raises(TypeError, match="a text that is not empty"):
        make(content)


@pytest.mark.specification("001 §5.1 shape")
@pytest.mark.parametrize("score", [-0.01, 1.01, math.nan, math.inf, "0.5", None, True])
def test_a_score_is_from_0_to_1(score):
    with pytest.raises(ValueError, match="similarity_score"):
        VectorObservation("text", "a.md", "p", score, None, "code")
    with pytest.raises(ValueError, match="relevance_score"):
        LocalObservation("text", "a.md", None, score, "fact")
    with pytest.raises(ValueError, match="confidence"):
        GraphObservation("text", [], [], [], 0, score, "entity")


@pytest.mark.parametrize("name", ["entities", "relationships", "source_projects"])
def test_a_graphs_lists_are_lists(name):
    lists = {"entities": [], "relationships": [], "source_projects": [], name: {1}}
    with pytest.raises(TypeError, match=f"{name} is a list"):
        GraphObservation("text", **lists, hop_depth=0, confidence=0.5, observation_type="entity")


@pytest.mark.specification("001 §5.1 source")
def test_the_common_shape_fills_in_what_follows_from_the_rest():
    one = NormalizedObservation("a  text\n", "vector:qdrant", "billing", 0.5, "code")
    assert (one.content_hash, one.agent, one.kind, one.rank) == (content_hash("a text"), "vector", "vector", 0)
    given = NormalizedObservation("a text", "local:a.md", None, 0.5, "fact", content_hash="h", agent="mine")
    assert (given.content_hash, given.agent, given.kind) == ("h", "mine", "local")


def test_vectors_do_not_count_for_equality():
    one = NormalizedObservation("a", "vector:qdrant", None, 0.5, "code", semantic_embedding=[1.0])
    assert one == NormalizedObservation("a", "vector:qdrant", None, 0.5, "code", semantic_embedding=[0.0])


def test_places_sort_by_project_path_and_line():
    places = [Location("b", "a", 1, 1), Location("a", "b", 9, 9), Location("a", "b", 2, 3)]
    assert sorted(places) == [places[2], places[1], places[0]]
