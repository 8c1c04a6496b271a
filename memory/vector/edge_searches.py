"""Searches of Qdrant Edge in the engine's words, and those that are asked for at the same moment in one call of it.
`permitted` is in every one: what a point must meet to be seen (`permitted_only`).

Searches that differ in nothing but their vectors and stand side by side in a call are made together: what passes the
filter is found once for all of them, and that is most of what an exact search costs. Eight fused questions on 21,708
points took 67 ms one by one, 17 in one call so ordered, 61 in one call in the order they were asked (run on Edge 0.9).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from math import inf
from operator import itemgetter
from typing import Any, NamedTuple
from uuid import UUID

import anyio.lowlevel
import qdrant_edge as edge

from memory.vector.filters import NUMBER_KEYS, Condition, is_uuid
from memory.vector.payload import chunk_of, extra_of, file_key
from memory.vector.port import SPARSE_LEXICAL, Hit, SparseVector, VectorQuery
from memory.vector.ties import rounded

_LAST_BITS = 1e-6  # of a score: some sixteen steps of a float32

_LARGEST = 32  # callers of one call: the engine keeps the whole process waiting meanwhile


class RankedPoint(NamedTuple):
    """A point of a list. Its order is that of lists: best first (`below` is minus the score), ties by id.

    id: the UUID as a number, which sorts as its text does.
    """

    below: float
    id: int
    point: Any

    @property
    def score(self) -> float:
        """Rounded, never a negative zero."""
        return 0.0 - self.below


def found(points: Iterable[Any]) -> list[RankedPoint]:
    """A search's answer as it is ranked. Scores that follow each other closer than the last bits of a float32 sum are
    one.

    Each segment adds a sparse score up in an order of its own, so copies in two segments differ there.
    """
    ranked: list[RankedPoint] = []
    last, below = inf, -inf
    for score, point in sorted(((point.score, point) for point in points), key=itemgetter(0), reverse=True):
        if last - score > _LAST_BITS * abs(score):
            below = -rounded(score)
        last = score
        ranked.append(RankedPoint(below, point.id.int, point))
    return sorted(ranked)


def hit_of(point: Any, known: Hit, score: float = 0.0) -> Hit:
    """A point whose chunk is known as a hit, with the vectors that came with it."""
    vectors = point.vector
    if not vectors:
        return Hit(known.chunk, score, extra=known.extra)
    sparse = vectors.get(SPARSE_LEXICAL)
    return Hit(
        chunk=known.chunk,
        score=score,
        dense={name: vector for name, vector in vectors.items() if name != SPARSE_LEXICAL},
        sparse=SparseVector(tuple(sparse.indices), tuple(sparse.values)) if sparse is not None else None,
        extra=known.extra,
    )


def packed(hit: Hit) -> Hit:
    """A hit that is kept: the numbers of its dense vectors in four bytes each, as they are stored."""
    return replace(hit, dense={name: array("f", vector) for name, vector in hit.dense.items()}) if hit.dense else hit


def full_hit(record: Any) -> Hit:
    """A record that came with its payload, without a score."""
    payload = record.payload
    return hit_of(record, Hit(chunk_of(record.id, payload), 0.0, extra=extra_of(payload)))


@dataclass(frozen=True, slots=True)
class Search:
    """A query for the ids of `size` points within the permission."""

    query: VectorQuery
    size: int
    permission: frozenset[str]

    @property
    def alike(self) -> object:
        """What is equal in searches that the engine makes together."""
        return replace(self.query, vector=None), self.size, self.permission


@dataclass(eq=False, slots=True)
class _Caller:
    """One caller's searches, and what was found for each once somebody has asked the engine."""

    searches: Sequence[Search]
    answers: list[list[RankedPoint]] | None = None


class SearchesTogether:
    """Searches through as few calls as possible. There is no task in the background: whoever is awake first asks for
    all.

    call: the engine's, a list of points for each search. Raises what it raises; then the others ask again.
    """

    def __init__(self, call: Callable[[Sequence[Search]], Sequence[Sequence[Any]]]) -> None:
        self._call = call
        self._waiting: dict[_Caller, None] = {}

    async def find(self, searches: Sequence[Search]) -> list[list[RankedPoint]]:
        """A ranked list for each search."""
        asked = _Caller(searches)
        self._waiting[asked] = None
        try:
            await anyio.lowlevel.checkpoint()  # whoever asks at the same moment gets in too
            if asked.answers is None:
                self._answer(list(islice(self._waiting, _LARGEST)))
        finally:
            self._waiting.pop(asked, None)
        return asked.answers or []

    def _answer(self, callers: Sequence[_Caller]) -> None:
        searches = [search for caller in callers for search in caller.searches]
        order = list(_like_beside_like(searches))
        points = self._call([searches[number] for number in order])
        answers = dict(zip(order, map(found, points), strict=True))
        numbers = iter(range(len(searches)))
        for caller in callers:
            caller.answers = [answers[number] for number in islice(numbers, len(caller.searches))]
            self._waiting.pop(caller, None)


def _like_beside_like(searches: Sequence[Search]) -> Iterator[int]:
    """The searches' numbers, those that are alike one after the other."""
    groups: dict[object, list[int]] = {}
    for number, search in enumerate(searches):
        groups.setdefault(search.alike, []).append(number)
    for numbers in groups.values():
        yield from numbers


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
    """A condition without bounds is a choice; what is not of the key's type can't be chosen, an empty one is none."""
    if condition.key == "id":
        return edge.HasIdCondition({UUID(str(value)) for value in condition.any_of if is_uuid(value)})
    bounds = {name: getattr(condition, name) for name in ("gt", "gte", "lt", "lte")}
    if not condition.is_choice:
        return edge.FieldCondition(condition.key, range=edge.RangeFloat(**bounds))
    numbers = [value for value in condition.any_of if isinstance(value, int)]
    texts = [value for value in condition.any_of if isinstance(value, str)]
    return edge.FieldCondition(condition.key, match=edge.MatchAny(numbers if condition.key in NUMBER_KEYS else texts))
