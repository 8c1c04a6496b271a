"""Which relations an answer tells first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from agents.linking import Link, is_project
from memory.entities import Relationship
from memory.text import is_test

__all__ = ["bundled", "order_edges"]

_TELLING = ("CALLS", "INVOKES", "STORES_IN", "USES_TABLE", "INHERITS", "IMPORTS", "DEPENDS_ON")
"""The relations a reader learns most from, where the question prefers none."""


def bundled(edges: Iterable[Relationship]) -> list[tuple[Relationship, ...]]:
    """Edges of one source, type and target together: one relation, which each file proves anew.

    A topic is the same in every project; what is told is where it comes from. The file in which the source is defined
    comes first, then the one that says it most often.
    """
    found: dict[tuple[str, str, str], list[Relationship]] = {}
    for edge in edges:
        target = edge.target.key if edge.target.kind == "topic" else edge.target.id
        found.setdefault((edge.source.id, edge.type, target), []).append(edge)
    return [tuple(sorted(own, key=_told_first)) for own in found.values()]


def _told_first(edge: Relationship) -> tuple[bool, bool, int, str]:
    at_home = edge.target.kind == "topic" and edge.target.project == edge.source.project
    return at_home, edge.path != edge.source.path, -len(edge.lines), edge.id


def order_edges(
    edges: Iterable[Relationship],
    links: Sequence[Link],
    types: Sequence[str],
    *,
    hop_decay: float,
    tests_last: bool = True,
) -> list[tuple[tuple[Relationship, ...], float]]:
    """The relations as bundles of edges, with their confidence: the surest first, across projects before within, what
    tests do last, every file's first relation before any file's second, and within that the types the question asks for.

    An edge is as sure as its surest linked end; one that crosses from or to a named project is sure; one further away
    is `hop_decay` of the surest link.
    """
    confidence = {hit.entity.id: hit.confidence for hit in links}
    projects = {hit.entity.project for hit in links if is_project(hit.entity)}
    order = {kind: place for place, kind in enumerate(types or _TELLING)}

    def weight(edge: Relationship) -> float:
        ends = [confidence[end.id] for end in (edge.source, edge.target) if end.id in confidence]
        if edge.source.project != edge.target.project and projects & {edge.source.project, edge.target.project}:
            return 1.0
        return max(ends) if ends else hop_decay * max(confidence.values(), default=0.0)

    ranked = sorted(bundled(edges), key=lambda own: (order.get(own[0].type, len(order)), -len(own[0].lines), own[0].id))
    turns = _turns([own[0] for own in ranked])
    ranked.sort(
        key=lambda own: (
            -weight(own[0]),
            own[0].source.project == own[0].target.project,
            tests_last and is_test(own[0].path),
            turns[own[0].id],
        )
    )
    return [(own, weight(own[0])) for own in ranked]


def _turns(edges: Sequence[Relationship]) -> dict[str, int]:
    """Which of its file's edges each one is."""
    seen: Counter[tuple[str, str]] = Counter()
    turns: dict[str, int] = {}
    for edge in edges:
        turns[edge.id] = seen[edge.project, edge.path]
        seen[edge.project, edge.path] += 1
    return turns
