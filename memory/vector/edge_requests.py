"""Queries and filters in Qdrant Edge's words. `permitted` is in every one: what a point must meet to be seen
(`permitted_only`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING
from uuid import UUID

import qdrant_edge as edge

from memory.vector.filters import NUMBER_KEYS, is_uuid
from memory.vector.payload import file_key
from memory.vector.port import SparseVector, VectorQuery

if TYPE_CHECKING:
    from memory.vector.filters import Condition

__all__ = ["file_filter", "permitted_only", "request", "within"]


def request(query: VectorQuery, size: int, permitted: Sequence[edge.FieldCondition]) -> edge.QueryRequest:
    """A search for the ids of `size` points: its IDF over what is permitted, its filter the conditions inside it.

    An empty corpus is all points that are there; without any the engine counts deleted ones too.
    """
    vector: edge.SparseVector | list[float]
    if isinstance(query.vector, SparseVector):
        vector = edge.SparseVector(list(query.vector.indices), list(query.vector.values))
        params = edge.SearchParams(exact=True, idf=edge.IdfParams(corpus=within(permitted)))
    else:
        vector = [float(number) for number in query.vector or ()]
        params = edge.SearchParams(hnsw_ef=query.hnsw_ef, exact=query.exact)
    return edge.QueryRequest(
        limit=size,
        query=edge.Query.Nearest(vector, using=query.using),
        filter=within(permitted, query.conditions) if permitted or query.conditions else None,
        params=params,
        with_payload=False,
        with_vector=list(query.with_vectors),
    )


def within(permitted: Sequence[edge.FieldCondition], conditions: Iterable[Condition] = ()) -> edge.Filter:
    """What is permitted and meets every condition."""
    return edge.Filter(must=[*permitted, *(_condition(condition) for condition in conditions)])


def permitted_only(namespace: str, permission: frozenset[str]) -> tuple[edge.FieldCondition, ...]:
    """Points of one of these projects, in this namespace."""
    return (_in_namespace(namespace), edge.FieldCondition("project", match=edge.MatchAny(sorted(permission))))


def file_filter(namespace: str, project: str, paths: Sequence[str]) -> edge.Filter:
    """Every chunk of these files of one project."""
    return edge.Filter(
        must=[
            _in_namespace(namespace),
            edge.FieldCondition("project", match=edge.MatchValue(project)),
            edge.FieldCondition("file", match=edge.MatchAny([file_key(project, path) for path in paths])),
        ]
    )


def _in_namespace(namespace: str) -> edge.FieldCondition:
    return edge.FieldCondition("namespace", match=edge.MatchValue(namespace))


def _condition(condition: Condition) -> edge.FieldCondition | edge.HasIdCondition:
    """A condition without bounds is a choice;
    what is not of the key's type can't be chosen, an empty choice is none.
    """
    if condition.key == "id":
        return edge.HasIdCondition({UUID(str(value)) for value in condition.any_of if is_uuid(value)})
    bounds = {name: getattr(condition, name) for name in ("gt", "gte", "lt", "lte")}
    if not condition.is_choice:
        return edge.FieldCondition(condition.key, range=edge.RangeFloat(**bounds))
    numbers = [value for value in condition.any_of if isinstance(value, int)]
    texts = [value for value in condition.any_of if isinstance(value, str)]
    return edge.FieldCondition(condition.key, match=edge.MatchAny(numbers if condition.key in NUMBER_KEYS else texts))
