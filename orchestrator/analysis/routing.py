"""The routing matrix (001 §3.2) read from `routing.yaml`, and the union of several rows.

See docs/design.md#must-and-may.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from configs.documents import read_yaml
from memory.query import PathRole, QueryType, RetrievalPath

__all__ = ["Route", "otherwise", "priority", "route"]

Unplanned = Literal["may", "never"]
_WEIGHT = {"skip": 0, "secondary": 1, "primary": 2}


@dataclass(frozen=True, slots=True)
class Route:
    """The paths that are planned (✅ and ⚡), the role of every agent that is started, and whether the graph scopes."""

    paths: tuple[RetrievalPath, ...]
    roles: Mapping[RetrievalPath, PathRole]
    graph_scopes_vector: bool


@dataclass(frozen=True, slots=True)
class _Table:
    rows: Mapping[QueryType, Mapping[RetrievalPath, int]]
    scoping: frozenset[QueryType]
    priority: tuple[QueryType, ...]
    otherwise: QueryType


@cache
def _table() -> _Table:
    data = read_yaml(Path(__file__).with_name("routing.yaml").read_text(encoding="utf-8"))
    return _Table(
        rows={QueryType(t): {p: _WEIGHT[row[p.value]] for p in RetrievalPath} for t, row in data["matrix"].items()},
        scoping=frozenset(QueryType(t) for t, row in data["matrix"].items() if row.get("graph_scopes_vector")),
        priority=tuple(QueryType(t) for t in data["priority"]),
        otherwise=QueryType(data["otherwise"]),
    )


def otherwise() -> QueryType:
    """The type of a question that is like no example."""
    return _table().otherwise


def priority(kind: QueryType) -> int:
    """Which of two types leads that are about as likely: the one with the smaller number."""
    return _table().priority.index(kind)


def route(types: Iterable[QueryType], unplanned: Unplanned = "may") -> Route:
    """The union of the types' rows: ✅ in one is must, else ⚡ is may, and ❌ is may too unless `never` or LOCAL_ONLY."""
    table, chosen = _table(), set(types)
    weights = {path: max(table.rows[t][path] for t in chosen) for path in RetrievalPath}
    never = unplanned == "never"
    return Route(
        paths=tuple(path for path, weight in weights.items() if weight),
        roles={
            p: PathRole.MUST if w == _WEIGHT["primary"] else PathRole.MAY for p, w in weights.items() if w or not never
        },
        graph_scopes_vector=bool(chosen & table.scoping),
    )
