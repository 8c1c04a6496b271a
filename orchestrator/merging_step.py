"""The merger in hand behind one call: ours takes the shared memory's entries, another one 001 §7.1's `merge`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from merging import MergeCounts, Merged, ResultMerger

if TYPE_CHECKING:
    from collections.abc import Callable

    from configs import HybridRetrievalConfig
    from memory.observations import NormalizedObservation
    from memory.shared import MemoryEntry

__all__ = ["Merging"]


class Merging:
    """Merges a question's entries with the injected merger, or with ours in the config's settings."""

    def __init__(self, merger: Any, config: HybridRetrievalConfig) -> None:
        self._merger = merger or ResultMerger(
            config.ranking,
            similarity_threshold=config.similarity_threshold,
            max_per_agent=config.max_observations_per_agent,
            max_total=config.max_total_observations,
            max_per_file=config.max_per_file,
            conflict_strategy=config.conflict_strategy,
        )

    @property
    def prepare(self) -> Callable[[MemoryEntry], NormalizedObservation] | None:
        """What the merger does with an entry alone, for the shared memory to have done as it comes; None: nothing."""
        return getattr(self._merger, "prepare", None) if hasattr(self._merger, "merge_entries") else None

    async def merge(self, entries: Sequence[MemoryEntry], permission: frozenset[str] | None) -> Merged:
        """The ranked observations; permission None: nothing is checked."""
        if hasattr(self._merger, "merge_entries"):
            merged: Merged = self._merger.merge_entries(entries, permission)
            return merged
        observations = tuple(await self._merger.merge([e.observation for e in entries if e.observation is not None]))
        agreeing = sum(1 for o in observations if o.corroborated_by)
        counts = MergeCounts(
            per_agent=dict(Counter(entry.source_agent_id for entry in entries)),
            after_dedup=len(observations),
            source_agreement=agreeing / len(observations) if observations else 0.0,
        )
        return Merged(observations, (), counts, {})
