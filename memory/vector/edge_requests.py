"""Queries and filters in Qdrant Edge's words. Permission is in every one, and so is the namespace of a shard that has several."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING
from uuid import UUID

import qdrant_edge as edge

from memory.vector.payload import NUMBER_KEYS, file_key
from memory.vector.port import SparseVector, VectorQuery

if TYPE_CHECKING:
    from memory.vector.filters import Condition

__all__ = ["file_filter", "other_namespaces", "permission_filter", "request"]


def request(query: VectorQuery, size: int, namespace: str | None, permission: frozenset[str]) -> edge.QueryRequest:
    """A search for the ids of `size` points: its IDF over the permission, its filter the conditions inside it."""
    vector: edge.SparseVector | list[float]
    if isinstance(query.vector, SparseVector):
        vector = edge.SparseVector(list(query.vector.indices), list(query.vector.values))
        params = edge.SearchParams(exact=True, idf=edge.IdfParams(corpus=permission_filter(namespace, permission)))
    else:
        vector = [float(number) for number in query.vector or ()]
        params = edge.SearchParams(hnsw_ef=query.hnsw_ef, exact=query.exact)
    return edge.QueryRequest(
        limit=size,
        query=edge.Query.Nearest(vector, using=query.using),
        filter=permission_filter(namespace, permission, query.conditions),
        params=params,
        with_payload=False,
        with_vector=list(query.with_vectors),
    )


def permission_filter(
    namespace: str | None, permission: frozenset[str], conditions: Iterable[Condition] = ()
) -> edge.Filter:
    """One of the permitted projects, and every condition. namespace: None in a shard that has one alone."""
    return edge.Filter(must=[*_permitted(namespace, permission), *(_condition(condition) for condition in conditions)])


@lru_cache(maxsize=64)  # one is needed in every search of a batch, and again in the next question
def _permitted(namespace: str | None, permission: frozenset[str]) -> tuple[edge.FieldCondition, ...]:
    projects = edge.FieldCondition("project", match=edge.MatchAny(sorted(permission)))
    return (projects,) if namespace is None else (_in_namespace(namespace), projects)


def file_filter(namespace: str, project: str, paths: Sequence[str]) -> edge.Filter:
    """Every chunk of these files of one project."""
    return edge.Filter(
        must=[
            _in_namespace(namespace),
            edge.FieldCondition("project", match=edge.MatchValue(project)),
            edge.FieldCondition("file", match=edge.MatchAny([file_key(project, path) for path in paths])),
        ]
    )


def other_namespaces(namespace: str) -> edge.Filter:
    """Every point that is not of this one."""
    return edge.Filter(must_not=[_in_namespace(namespace)])


def _in_namespace(namespace: str) -> edge.FieldCondition:
    return edge.FieldCondition("namespace", match=edge.MatchValue(namespace))


def _condition(condition: Condition) -> edge.FieldCondition | edge.HasIdCondition:
    """A condition without bounds is a choice; what is not of the key's type can't be chosen, an empty choice is none."""
    if condition.key == "id":
        return edge.HasIdCondition({UUID(str(value)) for value in condition.any_of})
    bounds = {name: getattr(condition, name) for name in ("gt", "gte", "lt", "lte")}
    if not condition.is_choice:
        return edge.FieldCondition(condition.key, range=edge.RangeFloat(**bounds))
    numbers = [value for value in condition.any_of if isinstance(value, int)]
    texts = [value for value in condition.any_of if isinstance(value, str)]
    return edge.FieldCondition(condition.key, match=edge.MatchAny(numbers if condition.key in NUMBER_KEYS else texts))
