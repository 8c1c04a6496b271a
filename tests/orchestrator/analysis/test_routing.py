"""The routing matrix, row by row (001 §3.2)."""

from __future__ import annotations

import pytest

from memory.query import PathRole, QueryType, RetrievalPath
from orchestrator.analysis import route

ROLES = {"✅": PathRole.MUST, "⚡": PathRole.MAY}
ROWS = {  # local, graph, vector, as the specification prints them
    "ENTITY_LOOKUP": "⚡✅❌",
    "RELATIONSHIP": "❌✅❌",
    "SIMILARITY": "❌❌✅",
    "PATTERN": "⚡✅✅",
    "CROSS_PROJECT": "❌✅✅",
    "LOCAL_ONLY": "✅❌❌",
    "MULTI_HOP": "❌✅⚡",
}


@pytest.mark.specification("001 §3.2 ENTITY_LOOKUP", "001 §3.2 RELATIONSHIP", "001 §3.2 SIMILARITY")
@pytest.mark.specification("001 §3.2 PATTERN", "001 §3.2 CROSS_PROJECT", "001 §3.2 LOCAL_ONLY", "001 §3.2 MULTI_HOP")
@pytest.mark.parametrize("name", ROWS)
def test_a_row(name):
    planned = {p: ROLES[sign] for p, sign in zip(RetrievalPath, ROWS[name], strict=True) if sign in ROLES}
    letter, ours = (route([QueryType[name]], unplanned) for unplanned in ("never", "may"))
    assert letter.roles == planned
    assert letter.paths == ours.paths == tuple(planned)
    assert ours.roles == {**dict.fromkeys(RetrievalPath, PathRole.MAY), **planned}
    assert letter.graph_scopes_vector is (name == "CROSS_PROJECT")


def test_the_matrix_has_a_row_for_each_type():
    assert set(ROWS) == {kind.name for kind in QueryType}


@pytest.mark.specification("001 §3.3 order")
def test_several_types_take_the_union_of_their_rows():
    both = route([QueryType.RELATIONSHIP, QueryType.SIMILARITY], "never")
    assert both.roles == {RetrievalPath.GRAPH: PathRole.MUST, RetrievalPath.VECTOR: PathRole.MUST}
