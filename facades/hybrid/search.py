"""A question or a picture to fused documents: vectors as evidence packs make them, fusion by the store (003 §2)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any, Final, get_args

import anyio

from agents.evidence.representations import QueryRepresenter, Representations, awaited
from configs.settings import EvidenceSettings
from facades.hybrid.parts import Document, RetrieverParts, document_of
from facades.hybrid.ranking import FoundDocuments, FusionParameters, fused_query, normalised
from memory.embedders import DenseEmbedder
from memory.embedders.port import embedded_query
from memory.errors import ConfigError, ModelError, StoreError
from memory.hosted import RequestRate
from memory.together import AsyncLRUCache
from memory.vector import DENSE_CODE, DENSE_DOCS, IMAGE, SPARSE_LEXICAL, ChunkKind, Condition, FusedQuery, VectorQuery
from memory.vector.port import DenseVector, Hit, SparseVector

_UNCUT = "no document was left out for its score: by words alone none attains the best"
_TEXTS: Final = tuple(kind for kind in get_args(ChunkKind) if kind != "image")


class FusedSearch:
    """Searches one generation; the last vectors of questions are remembered by model and text."""

    def __init__(
        self,
        parts: RetrieverParts,
        parameters: FusionParameters,
        settings: EvidenceSettings,
        *,
        candidates: int,
        rate: RequestRate,
    ) -> None:
        self._parts = parts
        self._parameters = parameters
        self._settings = settings
        self._candidates = candidates
        self._rate = rate
        self.remembered: AsyncLRUCache[Any] = AsyncLRUCache(settings.remembered_queries)
        self._represent = QueryRepresenter(
            parts.docs,
            parts.code,
            parts.sparse,
            profile="",
            timeout_s=settings.embedding_timeout_ms / 1000,
            remembered=self.remembered,
            rate=rate,
        )

    async def of_text(
        self,
        query: str,
        permission: frozenset[str],
        conditions: tuple[Condition, ...],
        *,
        sparse: bool,
        wanted: int,
        limit: int,
    ) -> FoundDocuments:
        """Meaning, with `sparse` also words, and pictures where there is a model for them; the first `limit`, of which
        `wanted` are shown.

        A model that fails is left out, with a note. Raises ModelError when nothing is left to search with.
        """
        kinds = [condition for condition in conditions if condition.key == "chunk_kind"]
        texts = any(all(kind.holds(name) for kind in kinds) for name in _TEXTS)
        pictures = sparse and all(kind.holds("image") for kind in kinds)
        vectors: dict[str, DenseVector | SparseVector] = {}
        failures: list[str] = []
        if texts:
            made = await self._represented(query, words=sparse)
            vectors |= made.vectors
            failures += made.failures
        if pictures and self._parts.image_texts is not None:
            try:
                vectors[IMAGE] = await self._in_image_space(query, self._parts.image_texts)
            except ModelError as error:
                failures.append(f"{IMAGE} failed: {error.message}")
        if not vectors and failures:
            raise ModelError("; ".join(failures), "Run: hybrid-retrieval doctor")
        if not vectors:
            return FoundDocuments([], (self._why_nothing(kinds, sparse=sparse),))
        fused = fused_query(vectors, self._parameters, conditions, limit=limit, candidates=max(limit, self._candidates))
        documents = self._documents(await self._ask(fused, permission), fused, words=texts and sparse)
        if conditions and not documents:
            return FoundDocuments([], (*failures, "nothing was found that passes the filters"), failed=bool(failures))
        if SPARSE_LEXICAL in vectors and len(vectors) > 1 and not vectors.keys() >= {DENSE_DOCS, DENSE_CODE}:
            return FoundDocuments(documents, (*failures, _UNCUT), failed=True)
        if self._parts.embedded < 1:
            return FoundDocuments(
                documents, (*failures, f"{awaited(self._parts.embedded)}: no score is too low"), failed=True
            )
        kept = [one for one in documents if one.score >= self._parameters.min_score_threshold]
        cut = len(documents) - len(kept)
        notes = (
            (f"{cut} more below the score of {self._parameters.min_score_threshold:g} left out",)
            if cut and len(kept) < wanted
            else ()
        )
        return FoundDocuments(kept, (*failures, *notes), failed=bool(failures))

    def _why_nothing(self, kinds: Sequence[Condition], *, sparse: bool) -> str:
        if not all(kind.holds("image") for kind in kinds):
            return "no chunk is of the kind that the filters ask for"
        if self._parts.image_texts is None:
            return "there is no image model (vector.image_model): no picture was indexed"
        return "pictures are searched by the strategy 'hybrid' alone" if not sparse else "nothing passes the filters"

    async def of_image(
        self, image: bytes, permission: frozenset[str], conditions: tuple[Condition, ...], *, limit: int
    ) -> FoundDocuments:
        """Pictures like this one and documents about what it shows, in turn: their cosines do not compare."""
        if self._parts.images is None:
            raise ConfigError("vector.image_model", "settings", "there is none.", "Set it, and index once more.")
        [vector] = await self._within("The image model did not embed the picture", lambda: self._vectors(image))
        kinds: list[Sequence[str]] = [("image",), _TEXTS]
        weight = self._parameters.dense
        fused = FusedQuery(
            tuple(VectorQuery(IMAGE, vector, limit, (Condition("chunk_kind", any_of=tuple(kind)),)) for kind in kinds),
            limit,
            self._parameters.k,
            (weight, weight),
            conditions,
        )
        return FoundDocuments(self._documents(await self._ask(fused, permission), fused))

    async def _represented(self, query: str, *, words: bool) -> Representations:
        """By every model that answers; where no dense one does, by the words alone."""
        routes = (DENSE_DOCS, DENSE_CODE, *((SPARSE_LEXICAL,) if words else ()))
        try:
            made = await self._represent.represent(query, (DENSE_DOCS, DENSE_CODE))
        except ModelError as error:
            return Representations(await self._words(query) if words else {}, (error.message,))
        vectors = {route: made.vectors[route] for route in routes if route in made.vectors}
        failures = (one for one in made.failures if words or not one.startswith(SPARSE_LEXICAL))
        return Representations(vectors, tuple(failures))

    async def _words(self, query: str) -> dict[str, SparseVector]:
        """Nothing where the sparse model does not answer either, which the representer has noted."""
        sparse, found = self._parts.sparse, SparseVector((), ())
        with suppress(ModelError):
            found = await embedded_query(sparse, query, timeout_s=self._settings.embedding_timeout_ms / 1000)
        return {SPARSE_LEXICAL: found} if found.indices else {}

    async def _vectors(self, image: bytes) -> list[list[float]]:
        assert self._parts.images is not None
        vectors: list[list[float]] = (await self._parts.images.embed_images([image])).tolist()
        return vectors

    async def _in_image_space(self, query: str, embedder: DenseEmbedder) -> DenseVector:
        async def make() -> DenseVector:
            vectors: list[list[float]] = (await embedder.embed_queries([query])).tolist()
            return vectors[0]

        key = (IMAGE, embedder.model, query)
        if key not in self.remembered:
            await self._rate.wait()  # before the model's time begins
        vector: DenseVector = await self._within(
            "The image model did not embed the question", lambda: self.remembered.get(key, make)
        )
        return vector

    async def _within(self, otherwise: str, work: Callable[[], Awaitable[Any]]) -> Any:
        limit_ms = self._settings.embedding_timeout_ms
        with anyio.move_on_after(limit_ms / 1000):
            return await work()
        raise ModelError(f"{otherwise} within {limit_ms} ms.", "Try again.")

    async def _ask(self, fused: FusedQuery, permission: frozenset[str]) -> list[Hit]:
        limit_ms = self._settings.search_timeout_ms
        with anyio.move_on_after(limit_ms / 1000):
            [hits] = await self._parts.store.query_batch([fused], permission=permission)
            return hits
        raise StoreError(f"The vector store gave no answer within {limit_ms} ms.", "Try again.")

    def _documents(self, hits: Sequence[Hit], fused: FusedQuery, *, words: bool = False) -> list[Document]:
        scored = [(hit, round(normalised(hit.score, fused, self._parameters, words=words), 6)) for hit in hits]
        ranked = sorted(scored, key=lambda one: (-one[1], one[0].chunk.id))
        return [document_of(hit, score, self._parts.written) for hit, score in ranked]
