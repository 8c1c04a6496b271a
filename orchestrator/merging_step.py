"""The merger in hand behind one call: ours takes the shared memory's entries, another one 001 §7.1's `merge`.

Where there is a reranker it has the last word on the order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import anyio

from memory.rerankers import reorder
from merging import MergeCounts, MergeResult, ResultMerger
from orchestrator.running.deadlines import Leash, Strays

if TYPE_CHECKING:
    from collections.abc import Callable

    from configs import HybridRetrievalConfig
    from memory.observations import NormalizedObservation
    from memory.rerankers import Reranker
    from memory.shared import MemoryEntry
    from orchestrator.specs import Merger

_LEFT_FOR_THE_ANSWER: Final = 0.5
"""The share of the time that is left after the agents which no reranker gets."""


class Merging:
    """Merges a question's entries with the injected merger, or with ours in the config's settings.

    weights: of agents, before those of the settings; reranker: None leaves the order as it was merged.
    """

    def __init__(
        self,
        merger: Merger | None,
        config: HybridRetrievalConfig,
        *,
        weights: Mapping[str, float] | None = None,
        reranker: Reranker | None = None,
        strays: Strays | None = None,
    ) -> None:
        self._reranker = reranker
        self._strays = Strays() if strays is None else strays
        self._most_read = config.evidence.rerank_candidates
        self._rerank_timeout = config.evidence.rerank_timeout_ms / 1000
        ranking = replace(config.ranking, agent_weights={**config.ranking.agent_weights, **(weights or {})})
        self._own = ResultMerger(
            ranking,
            similarity_threshold=config.similarity_threshold,
            max_per_agent=config.max_observations_per_agent,
            max_total=config.max_total_observations,
            max_per_file=config.max_per_file,
            conflict_strategy=config.conflict_strategy,
        )
        self._merger: Any = merger or self._own

    @property
    def prepare(self) -> Callable[[MemoryEntry], NormalizedObservation] | None:
        """What the merger does with an entry alone, for the shared memory to have done as it comes; None: nothing."""
        return getattr(self._merger, "prepare", None) if hasattr(self._merger, "merge_entries") else None

    async def merge(
        self, entries: Sequence[MemoryEntry], permission: frozenset[str] | None, until: float
    ) -> tuple[MergeResult, str]:
        """The ranked observations, and a note where the merger in hand failed or was late: then ours has merged them.

        Args:
            entries: What the agents have published.
            permission: The projects that may be seen; None: nothing is checked.
            until: The event loop's time at which the whole answer is due.
        """
        if self._merger is self._own:
            return self._own.merge_entries(entries, permission), ""
        now = anyio.current_time()
        left = (until - now) * (1 - _LEFT_FOR_THE_ANSWER)
        leash = Leash("merger", self._strays)
        done = await leash.attempt(partial(self._injected, entries, permission), now + max(left, 0.0))
        if done.status == "ok":
            merged: MergeResult = done.value
            return merged, ""
        note = f"the merger gave nothing ({done.reason}): merged by the product's own"
        return self._own.merge_entries(entries, permission), note

    async def _injected(self, entries: Sequence[MemoryEntry], permission: frozenset[str] | None) -> MergeResult:
        if hasattr(self._merger, "merge_entries"):
            merged: MergeResult = self._merger.merge_entries(entries, permission)
            return merged
        given = [e.observation for e in entries if e.observation is not None]
        return self._counted(entries, tuple(await self._merger.merge(given)))

    def _counted(self, entries: Sequence[MemoryEntry], observations: tuple[NormalizedObservation, ...]) -> MergeResult:
        """What another merger has merged."""
        agreeing = sum(1 for o in observations if o.corroborated_by)
        counts = MergeCounts(
            per_agent=dict(Counter(entry.source_agent_id for entry in entries)),
            after_dedup=len(observations),
            source_agreement=agreeing / len(observations) if observations else 0.0,
        )
        return MergeResult(observations, (), counts, {})

    async def reranked(self, query: str, merged: MergeResult, until: float) -> tuple[MergeResult, str]:
        """What was merged in the reranker's order, and a note about one that failed.

        Args:
            query: The question.
            merged: The ranked observations. Their scores stay, as the scale that answers are judged by.
            until: The event loop's time at which the whole answer is due.
        """
        if self._reranker is None or not merged.observations:
            return merged, ""
        read, rest = merged.observations[: self._most_read], merged.observations[self._most_read :]
        seconds = min(self._rerank_timeout, (until - anyio.current_time()) * (1 - _LEFT_FOR_THE_ANSWER))
        leash = Leash("reranker", self._strays)
        done = await reorder(query, list(map(_read_as, read)), self._reranker, max(seconds, 0.0), leash.attempt)
        if done.failed:
            return merged, done.note
        ordered = (*(read[number] for number in done.order), *rest)
        ranked = tuple(replace(one, rank=rank) for rank, one in enumerate(ordered, start=1))
        return replace(merged, observations=ranked), ""


def _read_as(observation: NormalizedObservation) -> str:
    """What a reranker reads: where it is, then the text."""
    at = next(iter(observation.locations), None)
    return f"{at.project}/{at.path}\n{observation.content}" if at else observation.content
