"""A question's three representations: dense for documents, dense for code, sparse (000 §4, failures §10 step 2).

Each is made once and remembered by model and text. One dense model for both is asked once.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Generic, TypeVar

import anyio
import numpy as np
from numpy.typing import NDArray

from memory.attempt import model_answer
from memory.embedders.port import DenseEmbedder, SparseEmbedder, embedded_query
from memory.errors import ModelError, NoModelError
from memory.hosted import RequestRate
from memory.together import SharedWork
from memory.vector.port import DENSE_CODE, DENSE_DOCS, SPARSE_LEXICAL, DenseVector, SparseVector

V = TypeVar("V")

NO_MODEL: Final = "meaning was not searched: there is no model"


def awaited(share: float) -> str:
    """The note where only a share (0..1) of what is searched has its vectors."""
    return f"{share:.0%} of the chunks have their vectors, the others are found by words alone"


class AsyncLRUCache(Generic[V]):
    """A bounded memory. `hits` and `misses` count since it was made; with `largest` 0 nothing is kept."""

    def __init__(self, largest: int) -> None:
        self.hits = 0
        self.misses = 0
        self._largest = largest
        self._kept: OrderedDict[Hashable, V] = OrderedDict()
        self._under_way: SharedWork[Hashable, V] = SharedWork()

    @property
    def kept(self) -> int:
        """How many results are remembered now."""
        return len(self._kept)

    def __contains__(self, key: Hashable) -> bool:
        """Whether a result is remembered now."""
        return key in self._kept

    async def get(
        self, key: Hashable, make: Callable[[], Awaitable[V]], *, keep: Callable[[V], bool] = lambda _: True
    ) -> V:
        """What is remembered under `key`, else what `make` gives, remembered if `keep` says so; whoever asks meanwhile
        gets it too.

        Raises what `make` raises; then whoever waited tries again.
        """
        if key in self._kept:
            self.hits += 1
            self._kept.move_to_end(key)
            return self._kept[key]
        is_own = False

        async def work() -> V:
            nonlocal is_own
            is_own = True
            self.misses += 1
            value = await make()
            if keep(value):
                self._kept[key] = value
                while len(self._kept) > self._largest:
                    self._kept.popitem(last=False)
            return value

        value = await self._under_way.do(key, work)
        self.hits += not is_own
        return value


@dataclass(frozen=True, slots=True)
class Representations:
    """The vectors there are, by the route that searches them, and what failed."""

    vectors: Mapping[str, DenseVector | SparseVector]
    failures: tuple[str, ...] = ()


class QueryRepresenter:
    """Makes the representations that a template needs, all at the same time, each within the timeout.

    rate: what dense models are kept to; the timeout begins when the rate lets a question through.
    """

    def __init__(
        self,
        docs: DenseEmbedder,
        code: DenseEmbedder,
        sparse: SparseEmbedder,
        *,
        profile: str,
        timeout_s: float,
        remembered: AsyncLRUCache[Any],
        rate: RequestRate | None = None,
    ) -> None:
        self._rate = rate
        self._dense = {DENSE_DOCS: docs, DENSE_CODE: code}
        self._sparse = sparse
        self._profile = profile
        self._timeout_s = timeout_s
        self._remembered = remembered

    @property
    def models(self) -> tuple[tuple[str, int], ...]:
        """The models and dimensions that a pack depends on."""
        return (*((one.model, one.dimension) for one in self._dense.values()), (self._sparse.model, 0))

    async def represent(self, query: str, dense_routes: Sequence[str]) -> Representations:
        """One failed model is left out, with a note; where none is installed the words are left.

        Raises ModelError when no dense representation can be had.
        """
        models: dict[int, list[str]] = {}
        for route in dense_routes:
            models.setdefault(id(self._dense[route]), []).append(route)
        found: dict[str, DenseVector | SparseVector] = {}
        failed: dict[str, str] = {}
        absent = set[str]()

        async def make(
            routes: Sequence[str],
            key: tuple[Any, ...],
            work: Callable[[], Awaitable[Any]],
            rate: RequestRate | None = None,
        ) -> None:
            own = (self._profile, *key, query)
            if rate is not None and own not in self._remembered:
                await rate.wait()
            asked = partial(self._remembered.get, own, work)
            try:
                found.update(dict.fromkeys(routes, await model_answer(key[0], asked, self._timeout_s)))
            except ModelError as error:
                failed.update(dict.fromkeys(routes, error.message))
                absent.update(routes if isinstance(error, NoModelError) else ())

        async with anyio.create_task_group() as group:
            for routes in models.values():
                embedder = self._dense[routes[0]]
                group.start_soon(
                    make, routes, (embedder.model, embedder.dimension), _Dense(embedder, query), self._rate
                )
            group.start_soon(make, [SPARSE_LEXICAL], (self._sparse.model, 0), _Sparse(self._sparse, query))
        failures = tuple(
            f"{route} failed: {failed[route]}" for route in (*dense_routes, SPARSE_LEXICAL) if route in failed
        )
        if not any(route in found for route in dense_routes):
            if failed.keys() == absent:
                return Representations(_searchable(found), (NO_MODEL,))
            raise ModelError(
                f"No dense representation of the query: {'; '.join(failures)}", "Run: hybrid-retrieval doctor"
            )
        return Representations(_searchable(found), failures)


def _searchable(found: Mapping[str, DenseVector | SparseVector]) -> dict[str, DenseVector | SparseVector]:
    """Without a sparse vector that has no terms: there is nothing to look for."""
    return {route: vector for route, vector in found.items() if not isinstance(vector, SparseVector) or vector.indices}


class CachedQueries:
    """A dense embedder that asks its model for the vector of a question once, as long as that is remembered.

    timeout_s: of one question; a model that is silent for longer has failed.
    """

    def __init__(self, inner: DenseEmbedder, remembered: AsyncLRUCache[Any], profile: str, timeout_s: float) -> None:
        self.model = inner.model
        self.dimension = inner.dimension
        self._inner = inner
        self._remembered = remembered
        self._profile = profile
        self._timeout_s = timeout_s

    async def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As the port says."""
        return await self._inner.embed_documents(texts)

    async def embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As the port says; one call of the model for each text that is new."""
        return np.asarray([await self._vector(text) for text in texts], dtype=np.float32)

    async def _vector(self, text: str) -> list[float]:
        key = (self._profile, self.model, self.dimension, text)
        asked = partial(self._remembered.get, key, _Dense(self._inner, text))
        vector: list[float] = await model_answer(self.model, asked, self._timeout_s)
        return vector


@dataclass(frozen=True, slots=True)
class _Dense:
    embedder: DenseEmbedder
    query: str

    async def __call__(self) -> list[float]:
        vectors: list[list[float]] = (await self.embedder.embed_queries([self.query])).tolist()
        if not vectors:
            raise NoModelError(f"{self.embedder.model} made no vector")
        return vectors[0]


@dataclass(frozen=True, slots=True)
class _Sparse:
    embedder: SparseEmbedder
    query: str

    async def __call__(self) -> SparseVector:
        return await embedded_query(self.embedder, self.query)
