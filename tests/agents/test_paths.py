"""Paths that join what nothing direct joins. How they are found: test_graph."""

from __future__ import annotations

from itertools import pairwise

from agents.paths import joining
from agents.statements import path_observation
from tests.agents.shop import edge, entity


def path(names):
    things = [entity(name, name, "project") for name in names]
    return path_observation([edge(one, "CALLS", other) for one, other in pairwise(things)], 1.0, "fake", 5)


def test_a_path_stands_where_neither_relations_nor_a_path_before_join_its_projects():
    ways = [path("bac"), path("cd"), path("acd"), path("ef"), path("de")]
    assert joining([path("ab"), path("bc")], ways) == [ways[1], ways[3], ways[4]]
    assert joining([path("ab")], ways[:1]) == ways[:1]
    assert joining([path("ab")], []) == []
