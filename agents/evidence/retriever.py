"""`EvidenceRetriever`: a question to an evidence pack, in the steps of 000 §10, with one request to the store."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import anyio

from agents.evidence.cache import Remembered
from agents.evidence.catalogue import EvidenceCatalogue
from agents.evidence.filters import fused_query
from agents.evidence.pack import EvidenceItem, EvidencePack, routes_used
from agents.evidence.ranking import Reranked, candidates, rerank
from agents.evidence.representations import QueryRepresenter
from agents.evidence.request import EvidenceRequest, SettledRequest, settle_request
from agents.evidence.selection import select
from agents.evidence.templates import choose_template, with_limits
from configs.settings import EvidenceSettings
from memory.embedders.port import DenseEmbedder, SparseEmbedder
from memory.errors import StoreError
from memory.files import WholeFiles
from memory.rerankers.port import Reranker
from memory.vector.port import Corpus, DenseVector, FusedQuery, Hit, SparseVector, VectorStore

__all__ = ["EvidenceMemory", "EvidenceParts", "EvidenceRetriever"]


@dataclass(frozen=True, slots=True)
class EvidenceParts:
    """What packs are made from. docs and code may be one embedder; files: where windows are read within a permission."""

    store: VectorStore
    docs: DenseEmbedder
    code: DenseEmbedder
    sparse: SparseEmbedder
    files: Callable[[frozenset[str]], WholeFiles] | None = None
    reranker: Reranker | None = None


@dataclass(frozen=True, slots=True)
class EvidenceMemory:
    """The last packs and query vectors; several retrievers may share it, since the keys say what a value depends on."""

    packs: Remembered[_Made]
    queries: Remembered[DenseVector | SparseVector]

    @classmethod
    def of(cls, settings: EvidenceSettings) -> EvidenceMemory:
        """An empty one of the sizes that the settings give."""
        return cls(Remembered(settings.remembered_packs), Remembered(settings.remembered_queries))


@dataclass(frozen=True, slots=True)
class _Made:
    """A pack; one that lacks what a model owed it is not remembered."""

    pack: EvidencePack
    whole: bool = True


class EvidenceRetriever:
    """Packs from one generation of one index. Raises ConfigError for limits of no template.

    profile: part of every key. The same request on the same generation gives the same pack.
    """

    def __init__(
        self,
        parts: EvidenceParts,
        catalogue: EvidenceCatalogue,
        settings: EvidenceSettings,
        *,
        profile: str = "",
        memory: EvidenceMemory | None = None,
    ) -> None:
        self.memory = memory or EvidenceMemory.of(settings)
        self.catalogue = catalogue
        self._parts = parts
        self._settings = settings
        self._templates = with_limits(settings.limits)
        self._represent = QueryRepresenter(
            parts.docs,
            parts.code,
            parts.sparse,
            profile=profile,
            timeout_s=settings.embedding_timeout_ms / 1000,
            remembered=self.memory.queries,
        )
        reranker = parts.reranker.model if parts.reranker else ""
        self._made_with = (catalogue.generation, profile, self._represent.models, reranker, repr(settings))

    async def retrieve(self, request: EvidenceRequest, permission: frozenset[str]) -> EvidencePack:
        """The pack of a request. Raises InvalidInputError, ModelError without any dense vector, and StoreError."""
        settled = settle_request(request, self.catalogue, permission)
        key = (self._made_with, permission, settled)
        made = await self.memory.packs.get(key, lambda: self._make(settled, permission), keep=lambda made: made.whole)
        return made.pack

    async def _make(self, request: SettledRequest, permission: frozenset[str]) -> _Made:
        template = choose_template(request.intent, request.symbol, self._templates)
        if not permission:
            return _Made(self._pack(request, (), 0, (), {}))
        representations = await self._represent.represent(request.query, template.dense_routes)
        query = fused_query(request, template, representations, self._settings)
        hits = await self._search(query, permission)
        ranked = candidates(hits, request.intent)[: request.min_rank_fusion]
        order = await self._rerank(request, ranked)
        files = self._parts.files(permission) if self._parts.files else None
        selection = await select(order.items, request, self._settings, files)
        pack = self._pack(
            request,
            selection.items,
            len(hits),
            routes_used([prefetch.using for prefetch in query.prefetches]),
            selection.missing,
            (*representations.failures, *order.notes, *selection.notes),
        )
        return _Made(pack, whole=not representations.failures and not order.failed)

    async def _search(self, query: FusedQuery, permission: frozenset[str]) -> list[Hit]:
        timeout_s = self._settings.search_timeout_ms / 1000
        try:
            with anyio.fail_after(timeout_s):
                [hits] = await self._parts.store.query_batch([query], permission=permission)
        except TimeoutError:
            raise StoreError(f"The vector store gave no answer within {timeout_s:g} s.", "Try again.") from None
        return hits

    async def _rerank(self, request: SettledRequest, ranked: Sequence[EvidenceItem]) -> Reranked:
        if self._parts.reranker is None:
            return Reranked(list(ranked))
        return await rerank(
            request.query,
            ranked,
            self._parts.reranker,
            most=self._settings.rerank_candidates,
            timeout_s=self._settings.rerank_timeout_ms / 1000,
        )

    def _pack(
        self,
        request: SettledRequest,
        items: tuple[EvidenceItem, ...],
        received: int,
        routes: tuple[str, ...],
        missing: Mapping[Corpus, int],
        notes: tuple[str, ...] = (),
    ) -> EvidencePack:
        return EvidencePack(
            intent=request.intent,
            query=request.query,
            evidence=items,
            candidates_received=received,
            routes_used=routes,
            hnsw_ef=self._settings.hnsw_ef,
            exact=self._settings.exact,
            missing=missing,
            notes=(*request.notes, *notes),
        )
