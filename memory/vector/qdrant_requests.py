"""Queries and filters in the words of Qdrant's REST interface. Namespace and permission are in every one.

https://api.qdrant.tech/api-reference/search/query-batch-points
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from uuid import UUID

from qdrant_client import models

from memory.vector.filters import BOUNDS, NUMBER_KEYS, Condition, is_uuid
from memory.vector.payload import FieldMapping
from memory.vector.port import FusedQuery, SparseVector, VectorQuery
from memory.vector.qdrant_points import CHUNK, PointsOfGeneration, point_id

PLAIN_K = 2
"""The k of the engine's plain reciprocal rank fusion."""
_RESCORED = models.QuantizationSearchParams(rescore=True, oversampling=2.0)


@dataclass(frozen=True, slots=True)
class QdrantRequests:
    """Requests for one collection's names.

    idf_corpus: whether the server can take its IDF over a filter; generation: which of the namespace's points are asked
    for; exact: whether a dense search may compare all of them; quantized: whether the collection has its vectors in one
    byte a number too, which a search that is not exact looks for twice as many by, to compare those as they are.
    """

    mapping: FieldMapping
    namespace: str
    idf_corpus: bool = True
    generation: PointsOfGeneration | None = None
    exact: bool = True
    quantized: bool = False

    def filter(self, permission: frozenset[str], conditions: Iterable[Condition] = ()) -> models.Filter | None:
        """Namespace, one of the permitted projects, and every condition; None when no point can pass."""
        asked = self.mapping.conditions((Condition("project", any_of=tuple(sorted(permission))), *conditions))
        must = None if asked is None else [self._condition(condition) for condition in asked]
        if must is None or None in must:
            return None
        namespace = self.mapping.key("namespace")
        if namespace is not None:
            must.insert(0, models.FieldCondition(key=namespace, match=models.MatchValue(value=self.namespace)))
        of_generation = self.generation.conditions() if self.generation else []
        return models.Filter(must=[*(condition for condition in must if condition is not None), *of_generation])

    def sent(self, query: FusedQuery, permission: frozenset[str]) -> FusedQuery | None:
        """The query without the prefetches that can find nothing; None when none is left."""
        kept = [n for n, leg in enumerate(query.legs) if self.search(leg, leg.limit, permission) is not None]
        if not kept:
            return None
        prefetches = tuple(query.prefetches[number] for number in kept)
        return replace(query, prefetches=prefetches, weights=tuple(query.weights[n] for n in kept if query.weights))

    def search(
        self, query: VectorQuery, size: int, permission: frozenset[str], *, bare: bool = False
    ) -> models.QueryRequest | None:
        """A search for `size` points, without a vector a list by id; bare: ids alone; None when it can find nothing."""
        matching = self.filter(permission, query.conditions)
        if matching is None or not self._answerable(query):
            return None
        vectors = False if bare else self._vectors(query.with_vectors)
        payload = [CHUNK] if bare and self.generation is not None else not bare  # or what tells which chunk it is
        request = models.QueryRequest(filter=matching, limit=size, with_payload=payload, with_vector=vectors)
        if query.vector is not None:
            request.query = _vector(query)
            request.params = self._params(query, permission)
            if using := self.mapping.vector(query.using):
                request.using = using
        return request

    def fused(self, query: FusedQuery, size: int, permission: frozenset[str]) -> models.QueryRequest | None:
        """Prefetches and their fusion in one request; search parameters stand in the prefetches, where they act."""
        matching = self.filter(permission, query.conditions)
        searches = [self.search(prefetch, prefetch.limit, permission) for prefetch in query.prefetches]
        if matching is None or None in searches:
            return None
        return models.QueryRequest(
            prefetch=[_prefetch(search) for search in searches if search is not None],
            query=_fusion(query),
            filter=matching,
            limit=size,
            with_payload=True,
            with_vector=self._vectors(query.legs[0].with_vectors),
        )

    def _answerable(self, query: VectorQuery) -> bool:
        """Whether the collection has this vector, and the query something to look for."""
        if query.vector is None:
            return True
        words = not isinstance(query.vector, SparseVector) or bool(query.vector.indices)
        return words and self.mapping.vector(query.using) is not None

    def _params(self, query: VectorQuery, permission: frozenset[str]) -> models.SearchParams | None:
        if not isinstance(query.vector, SparseVector):
            exact = query.exact and self.exact
            rescored = _RESCORED if self.quantized and not exact else None
            return models.SearchParams(hnsw_ef=query.hnsw_ef, exact=exact, quantization=rescored)
        population = self.filter(permission)
        if not self.idf_corpus or population is None:
            return None
        return models.SearchParams(idf=models.IdfCorpusParams(corpus=population))

    def _vectors(self, wanted: Iterable[str]) -> list[str] | bool:
        """Their names; an unnamed vector can only be asked for with all others."""
        names = [name for name in map(self.mapping.vector, wanted) if name is not None]
        return True if "" in names else names or False

    def _condition(self, condition: Condition) -> models.FieldCondition | models.HasIdCondition | None:
        """None for a choice of nothing: what is not of the key's type can't be chosen."""
        if condition.key == "id":
            ids: list[int | str | UUID] = [
                point_id(str(id_)) for id_ in condition.any_of if str(id_).isdecimal() or is_uuid(id_)
            ]
            if self.generation is not None and ids:
                return models.FieldCondition(key=CHUNK, match=models.MatchAny(any=[str(id_) for id_ in ids]))
            return models.HasIdCondition(has_id=ids) if ids else None
        key = str(self.mapping.key(condition.key))
        if not condition.is_choice:
            bounds = {name: getattr(condition, name) for name in BOUNDS if getattr(condition, name) is not None}
            return models.FieldCondition(key=key, range=models.Range(**bounds))
        numbers = [value for value in condition.any_of if isinstance(value, int)]
        texts = [value for value in condition.any_of if isinstance(value, str)]
        values = numbers if condition.key in NUMBER_KEYS else texts
        return models.FieldCondition(key=key, match=models.MatchAny(any=values)) if values else None


def _vector(query: VectorQuery) -> list[float] | models.SparseVector:
    if isinstance(query.vector, SparseVector):
        return models.SparseVector(indices=list(query.vector.indices), values=list(query.vector.values))
    return [float(number) for number in query.vector or ()]


def _fusion(query: FusedQuery) -> models.FusionQuery | models.RrfQuery:
    """The plain one, which servers of any age have, where its k is asked for."""
    if query.k == PLAIN_K and not query.weights:
        return models.FusionQuery(fusion=models.Fusion.RRF)
    return models.RrfQuery(rrf=models.Rrf(k=query.k, weights=list(query.weights) or None))


def _prefetch(search: models.QueryRequest) -> models.Prefetch:
    return models.Prefetch(
        query=search.query, using=search.using, filter=search.filter, params=search.params, limit=search.limit
    )
