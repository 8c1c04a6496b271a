from __future__ import annotations

import pytest

from memory.graph import queries
from memory.graph.neo4j_keys import NamespacedKeys

KEYS = NamespacedKeys("n:1")


@pytest.mark.parametrize(
    ("text", "given", "asked"),
    [
        (queries.GET, {"ids": ["a"], "limit": 1}, {"ids": ["n:1|a"], "limit": 1}),
        (queries.EDGES_OUT, {"ids": ["a"], "after": "r7"}, {"ids": ["n:1|a"], "after": "r7"}),
        (queries.ALL_ENTITIES, {"after": ""}, {"after": "n:1|"}),
        (queries.EDGES_BY_ID, {"sources": ["a"], "ids": ["r1"]}, {"sources": ["n:1|a"], "ids": ["r1"]}),
        (queries.EDGES_BETWEEN, {"sources": ["orders"]}, {"sources": ["orders"]}),  # projects, not ids
        (queries.FIND_TEXT, {"query": "pay now"}, {"query": 'namespace:"n:1" AND search:(pay now)'}),
    ],
)
def test_entities_are_asked_for_by_the_servers_ids(text, given, asked):
    assert KEYS.asked(text, given) == asked
    assert "n:1" not in str(given)


def test_rows_come_back_with_the_graphs_own_ids():
    assert KEYS.told([{"a_id": "n:1|a", "r_id": "r1", "b_id": "n:1|b|c", "a_name": "n:1|"}]) == [
        {"a_id": "a", "r_id": "r1", "b_id": "b|c", "a_name": "n:1|"}
    ]
    assert KEYS.told([{"source": "n:1|a", "edge": "r1", "target": "n:1|b"}]) == [
        {"source": "a", "edge": "r1", "target": "b"}
    ]


def test_rows_are_written_under_the_namespace():
    edge = {"id": "r1", "source": "a", "target": "b", "file": "f.py"}
    assert KEYS.written(queries.CREATE_RELATIONS, [edge]) == [{**edge, "source": "n:1|a", "target": "n:1|b"}]
    assert KEYS.written(queries.CREATE_MENTIONS, [{"file": "f", "entity": "e", "line": 1}]) == [
        {"file": "n:1|f", "entity": "n:1|e", "line": 1}
    ]
    assert KEYS.written(queries.CREATE_ENTITIES, [{"id": "e", "name": "e"}]) == [{"id": "n:1|e", "name": "e"}]
