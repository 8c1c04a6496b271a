from __future__ import annotations

import pytest

from memory.errors import StoreError
from memory.graph import queries
from memory.graph.neo4j_schema import INDEXES, NamespacedKeys, Spool, check

KEYS = NamespacedKeys("n:1")


@pytest.mark.parametrize(
    ("text", "given", "asked"),
    [
        (queries.STEPS_OUT, {"ids": ["a"], "limit": 1}, {"ids": ["n:1|a"], "limit": 1}),
        (queries.EDGES_OUT, {"ids": ["a"], "after": "r7"}, {"ids": ["n:1|a"], "after": "r7"}),
        (queries.ALL_ENTITIES, {"after": ""}, {"after": "n:1|"}),
        (queries.EDGES_BY_ID, {"sources": ["a"], "ids": ["r1"]}, {"sources": ["n:1|a"], "ids": ["r1"]}),
        (queries.EDGES_BETWEEN, {"sources": ["orders"]}, {"sources": ["orders"]}),  # projects, not ids
        (queries.FIND_TEXT, {"query": "pay now"}, {"query": 'namespace:"n:1" AND search:(pay now)'}),
    ],
)
def test_entities_are_asked_for_by_the_servers_ids(text, given, asked):
    assert KEYS.to_server(text, given) == asked
    assert "n:1" not in str(given)


def test_rows_come_back_with_the_graphs_own_ids():
    assert KEYS.from_server([{"a_id": "n:1|a", "r_id": "r1", "b_id": "n:1|b|c", "a_name": "n:1|"}]) == [
        {"a_id": "a", "r_id": "r1", "b_id": "b|c", "a_name": "n:1|"}
    ]
    assert KEYS.from_server([{"source": "n:1|a", "edge": "r1", "target": "n:1|b"}]) == [
        {"source": "a", "edge": "r1", "target": "b"}
    ]


def test_rows_are_written_under_the_namespace_with_a_digest_of_what_they_say():
    edge = {"id": "r1", "source": "a", "target": "b", "file": "f.py"}
    same, other = KEYS.written([edge, {**edge, "file": "g.py"}], "source", "target")
    assert {**same, "digest": 0} == {**edge, "source": "n:1|a", "target": "n:1|b", "digest": 0}
    assert same["digest"] != other["digest"]
    assert [same] == list(KEYS.written([edge], "source", "target"))
    assert same["digest"] == next(NamespacedKeys("n:2").written([edge]))["digest"]


def test_rows_come_back_in_their_order_and_as_they_were():
    rows = [{"id": "ü☃", "lines": [1, 2]}, {"id": "name \udcff", "lines": []}]  # a file's name need be no text
    with Spool() as spool:
        assert spool.put(rows) == 2
        assert spool.put(iter(rows[:1])) == 1
        assert spool.put([]) == 0
        assert list(spool.rows()) == [*rows, rows[0]]
        assert list(spool.rows()) == [*rows, rows[0]]


def test_it_is_gone_when_it_ends():
    with Spool() as spool:
        spool.put([{"id": "a"}])
    with pytest.raises(ValueError, match="closed"):
        spool.put([{"id": "b"}])


ROWS = [
    {
        "name": index.name,
        "type": "FULLTEXT" if index.kind == "FULLTEXT" else "RANGE",  # a constraint's own index is one too
        "labelsOrTypes": [index.label],
        "properties": list(index.properties),
        "state": "ONLINE",
    }
    for index in INDEXES
]
NAMES = ROWS[-1]


def test_what_stands_in_the_texts():
    texts = {index.name: index.text for index in INDEXES}
    assert texts["entity_until"] == (
        "CREATE CONSTRAINT entity_until IF NOT EXISTS FOR (n:Entity) REQUIRE (n.id, n.until) IS UNIQUE"
    )
    assert texts["entity_key"] == "CREATE INDEX entity_key IF NOT EXISTS FOR (n:Entity) ON (n.namespace, n.key)"
    assert texts["entity_name_ft"] == (
        "CREATE FULLTEXT INDEX entity_name_ft IF NOT EXISTS FOR (n:Entity) ON EACH [n.search, n.namespace]"
    )


def test_a_whole_schema_and_more():
    check([*ROWS, {**NAMES, "name": "somebody_elses", "state": "FAILED"}], "Neo4j")


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (ROWS[:-1], "Neo4j lacks the index entity_name_ft. Index the projects again."),
        ([*ROWS[:-1], {**NAMES, "properties": ["title"]}], "another index called entity_name_ft"),
        ([*ROWS[:-1], {**NAMES, "labelsOrTypes": ["Person"]}], "another index called entity_name_ft"),
        ([*ROWS[:-1], {**NAMES, "type": "RANGE"}], "another index called entity_name_ft"),
        ([*ROWS[:-1], {**NAMES, "state": "POPULATING"}], "the index entity_name_ft is POPULATING"),
    ],
)
def test_an_index_that_is_wrong_is_named_with_what_to_do(rows, said):
    with pytest.raises(StoreError) as refused:
        check(rows, "Neo4j")
    assert said in str(refused.value)
    assert refused.value.hint
