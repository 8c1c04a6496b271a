from __future__ import annotations

import pytest

from memory.errors import StoreError
from memory.graph.neo4j_schema import INDEXES, check

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
    assert texts["entity_id"] == "CREATE CONSTRAINT entity_id IF NOT EXISTS FOR (n:Entity) REQUIRE (n.id) IS UNIQUE"
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
