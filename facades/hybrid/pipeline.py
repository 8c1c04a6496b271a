"""One question's way: the graph where it is sure (003 REQ-0049), or the fused search, then the reranker (003 §2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import anyio

from agents.ports import GraphAgent
from configs import HybridRetrievalConfig
from facades.hybrid.parts import Document, RetrievalResult, RetrieverParts, graph_document
from facades.hybrid.ranking import FusionParameters, reranked
from facades.hybrid.search import FusedSearch
from memory.attempt import attempt
from memory.errors import StoreError
from memory.hosted import RequestRate
from memory.observations import GraphObservation, Location
from memory.query import TaskContext
from memory.vector import Condition

_LOCATION_KEYS = ("project", "path", "file", "start_line", "end_line")


@dataclass(frozen=True, slots=True)
class GraphAnswer:
    """What the graph says, surest first, or the reason why that is nothing. `passing`: another time it may be more."""

    observations: tuple[GraphObservation, ...] = ()
    reason: str | None = None
    passing: bool = False

    def first(self, most: int) -> tuple[GraphObservation, ...]:
        """So many of the surest, with one relation at least: it is what was asked for, and names are surer than it."""
        shown = self.observations[:most]
        relation = next((one for one in self.observations[most:] if one.relationships), None)
        if relation is None or any(one.relationships for one in shown):
            return shown
        return (*shown[:-1], relation)


async def ask_graph(
    agent: GraphAgent | None,
    query: str,
    permission: frozenset[str],
    conditions: Sequence[Condition],
    *,
    min_confidence: float,
    timeout_ms: int,
) -> GraphAnswer:
    """Observations surer than that whose lines pass the filter."""
    if agent is None:
        return GraphAnswer(reason="there is no graph")

    async def ask() -> list[GraphObservation]:
        found = await agent.retrieve(query, TaskContext(allowed_projects=permission))
        return [one for one in found if isinstance(one, GraphObservation)]

    done = await attempt(ask, anyio.current_time() + timeout_ms / 1000)
    if done.status == "timeout":
        return GraphAnswer(reason=f"the graph gave no answer within {timeout_ms} ms", passing=True)
    if isinstance(done.error, StoreError):
        return GraphAnswer(reason=f"the graph is out of reach: {done.error.message}", passing=True)
    if done.error is not None:
        return GraphAnswer(reason=f"the graph failed: {done.reason}", passing=True)
    return _judged(done.value, conditions, min_confidence)


def _judged(found: Sequence[GraphObservation], conditions: Sequence[Condition], min_confidence: float) -> GraphAnswer:
    unknown = sorted({condition.key for condition in conditions} - set(_LOCATION_KEYS))
    if unknown:
        return GraphAnswer(reason=f"the graph does not know {', '.join(unknown)}, which the filters ask for")
    matching = [one for one in found if _passes(one, conditions)]
    best = max((one.confidence for one in matching if one.relationships), default=None)
    if best is None:
        return GraphAnswer(reason="the graph knows no relation of what is asked")
    if best <= min_confidence:
        return GraphAnswer(reason=f"the graph is sure by {best:.2f} only, not above {min_confidence:.2f}")
    sure = [one for one in matching if one.confidence > min_confidence]
    return GraphAnswer(tuple(sorted(sure, key=lambda one: -one.confidence)))


def _passes(observation: GraphObservation, conditions: Sequence[Condition]) -> bool:
    return not conditions or any(_holds(location, conditions) for location in observation.locations)


def _holds(at: Location, conditions: Sequence[Condition]) -> bool:
    values = {
        "project": at.project,
        "path": at.path,
        "file": f"{at.project}/{at.path}",
        "start_line": at.start_line,
        "end_line": at.end_line,
    }
    return all(condition.holds(values[condition.key]) for condition in conditions)


@dataclass(frozen=True, slots=True)
class RetrievalKey:
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

    async def retrieve(self, asked: RetrievalKey) -> Made:
        """The result, without its time and the question's tokens. Raises StoreError and ModelError."""
        if not asked.permission:
            return Made(_result([], asked.strategy, ("no project may be seen",)))
        if asked.strategy != "graphrag":
            return await self._searched(asked)
        from_graph = await ask_graph(
            self.parts.graph,
            asked.query,
            asked.permission,
            asked.conditions,
            min_confidence=self._min_confidence,
            timeout_ms=self.config.agent_timeout_ms,
        )
        if from_graph.reason is not None:
            instead = await self._searched(replace(asked, strategy="hybrid"))
            notes = (f"hybrid instead of graphrag: {from_graph.reason}", *instead.result.notes)
            result = replace(instead.result, fallback_reason=from_graph.reason, notes=notes)
            return Made(result, whole=instead.whole and not from_graph.passing)
        documents = [graph_document(one, self.parts.written) for one in from_graph.first(asked.top_k)]
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

    async def _searched(self, asked: RetrievalKey) -> Made:
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
