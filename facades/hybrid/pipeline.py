"""One question's way: the graph or the fused search, then the reranker (003 §2)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from configs import HybridRetrievalConfig
from facades.hybrid.documents import Document, RetrievalResult, graph_document
from facades.hybrid.fusion import FusionParameters
from facades.hybrid.graphrag import ask_graph
from facades.hybrid.parts import RetrieverParts
from facades.hybrid.reranking import reranked
from facades.hybrid.search import FusedSearch
from memory.hosted.calls import RequestRate
from memory.vector import Condition

__all__ = ["Asked", "Made", "Pipeline"]


@dataclass(frozen=True, slots=True)
class Asked:
    """All that a result depends on within one generation: the key it is remembered under."""

    query: str
    strategy: str
    top_k: int
    rerank: bool
    conditions: tuple[Condition, ...]
    permission: frozenset[str]


@dataclass(frozen=True, slots=True)
class Made:
    """A result as it was first made; one that lacks what a model or a store owed it is not remembered."""

    result: RetrievalResult
    whole: bool = True


class Pipeline:
    """Answers from one generation's parts, which stay the caller's."""

    def __init__(
        self,
        parts: RetrieverParts,
        config: HybridRetrievalConfig,
        fusion: FusionParameters,
        min_confidence: float,
        rate: RequestRate,
    ) -> None:
        self.parts = parts
        self.config = config
        self._fusion = fusion
        self._min_confidence = min_confidence
        self._search = FusedSearch(parts, fusion, config.evidence, candidates=config.vector.candidates, rate=rate)

    async def retrieve(self, asked: Asked) -> Made:
        """The result, without its time and the question's tokens. Raises StoreError and ModelError."""
        if not asked.permission:
            return Made(_result([], asked.strategy, ("no project may be seen",)))
        if asked.strategy != "graphrag":
            return await self._searched(asked)
        said = await ask_graph(
            self.parts.graph,
            asked.query,
            asked.permission,
            asked.conditions,
            min_confidence=self._min_confidence,
            timeout_ms=self.config.agent_timeout_ms,
        )
        if said.reason is not None:
            instead = await self._searched(replace(asked, strategy="hybrid"))
            notes = (f"hybrid instead of graphrag: {said.reason}", *instead.result.notes)
            result = replace(instead.result, fallback_reason=said.reason, notes=notes)
            return Made(result, whole=instead.whole and not said.passing)
        documents = [graph_document(one, self.parts.written) for one in said.observations[: asked.top_k]]
        notes = ("what the graph says keeps the order of its confidence",) if asked.rerank else ()
        return Made(_result(documents, "graphrag", notes))

    async def of_image(
        self, image: bytes, top_k: int, conditions: tuple[Condition, ...], permission: frozenset[str]
    ) -> RetrievalResult:
        """The result for a picture. Raises ConfigError, StoreError and ModelError."""
        if not permission:
            return _result([], "vector", ("no project may be seen",))
        found = await self._search.of_image(image, permission, conditions, limit=top_k)
        return _result(found.documents, "vector", found.notes)

    async def _searched(self, asked: Asked) -> Made:
        most = self.config.evidence.rerank_candidates
        found = await self._search.of_text(
            asked.query,
            asked.permission,
            asked.conditions,
            sparse=asked.strategy == "hybrid",
            wanted=asked.top_k,
            limit=max(asked.top_k, most) if asked.rerank else asked.top_k,
        )
        if not asked.rerank:
            return Made(_result(found.documents, asked.strategy, found.notes), whole=not found.failed)
        order = await reranked(
            asked.query,
            found.documents,
            self.parts.reranker,
            self._fusion,
            most=most,
            timeout_ms=self.config.evidence.rerank_timeout_ms,
        )
        result = _result(order.documents[: asked.top_k], asked.strategy, (*found.notes, *order.notes))
        result = replace(result, reranked=order.done, tokens_processed=order.tokens)
        return Made(result, whole=not (found.failed or order.failed))


def _result(documents: list[Document], strategy: str, notes: Iterable[str] = ()) -> RetrievalResult:
    return RetrievalResult(documents, [one.score for one in documents], strategy, 0.0, 0, notes=tuple(notes))
