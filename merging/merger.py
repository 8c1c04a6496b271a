"""`ResultMerger`: what the agents found becomes one ranked list (001 §5, §7.1).

normalise → permission → deduplicate and corroborate → conflicts → rank → limits; each step is a pure function of its own.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from memory.errors import InvalidInputError
from memory.observations import GraphObservation, LocalObservation, NormalizedObservation, Observation
from memory.shared import MemoryEntry
from merging.attaching import attach_relations
from merging.claims import claims_of
from merging.conflicts import Conflict, detect_conflicts
from merging.duplicates import deduplicate_observations
from merging.limits import apply_limits
from merging.normalise import normalise
from merging.permission import within_permission
from merging.ranking import rank_observations
from merging.resolution import checked_strategies, resolve
from merging.tracing import Dropped, trace_dropped

if TYPE_CHECKING:
    from configs.settings import RankingSettings

__all__ = ["STAGES", "MergeCounts", "Merged", "ResultMerger"]

STAGES: Final = ("normalise", "deduplicate", "conflicts", "rank", "limits")


@dataclass(frozen=True, slots=True)
class MergeCounts:
    """What 001 §9 asks of a merge.

    per_agent: what came in inside the permission; outside_permission: what had to be dropped, 0 unless a filter before
    failed; after_dedup: before the limits; source_agreement: the share of these (0..1) that another source corroborates;
    conflicts_resolved: all but those that wait for the user.
    """

    per_agent: Mapping[str, int] = field(default_factory=dict)
    outside_permission: int = 0
    after_dedup: int = 0
    source_agreement: float = 0.0
    conflicts_detected: int = 0
    conflicts_resolved: int = 0


@dataclass(frozen=True, slots=True)
class Merged:
    """The ranked observations (ranks 1..n, ids unique), the conflicts among them, counts, ms by stage, and `trace`, which
    works out what became of the others.
    """

    observations: tuple[NormalizedObservation, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    counts: MergeCounts = MergeCounts()
    times_ms: Mapping[str, float] = field(default_factory=dict)
    trace: Callable[[], tuple[Dropped, ...]] = field(default=tuple, compare=False, repr=False)

    @property
    def dropped(self) -> tuple[Dropped, ...]:
        """What is not shown, with the stage that dropped it; worked out when somebody asks, which few do."""
        return self.trace()


class ResultMerger:
    """Merges one question's observations. Keeps nothing between questions; never waits.

    ranking: the boosts; conflict_strategy: strategies by conflict type, over the defaults; monotonic: seconds, for the
    stages' times. Raises InvalidInputError for a limit below 1, a threshold outside 0..1, an unknown type or strategy.
    """

    def __init__(
        self,
        ranking: RankingSettings,
        *,
        similarity_threshold: float = 0.85,
        max_per_agent: int = 10,
        max_total: int = 25,
        max_per_file: int = 1,
        conflict_strategy: Mapping[str, str] | None = None,
        monotonic: Callable[[], float] = time.perf_counter,
    ) -> None:
        limits = {"max_per_agent": max_per_agent, "max_total": max_total, "max_per_file": max_per_file}
        for name, limit in limits.items():
            if limit < 1:
                raise InvalidInputError(f"{name} is {limit}.", "Give a number from 1.")
        if not 0.0 <= similarity_threshold <= 1.0:
            raise InvalidInputError(f"similarity_threshold is {similarity_threshold}.", "Give a number from 0 to 1.")
        self._ranking = ranking
        self._threshold = similarity_threshold
        self._limits = limits
        self._strategies = checked_strategies(conflict_strategy or {})
        self._monotonic = monotonic

    def prepare(self, entry: MemoryEntry) -> NormalizedObservation:
        """What can be done with an observation before the others are there: its shape, and what it states."""
        normalised = normalise(entry)
        if normalised.is_belief_candidate:
            claims_of(normalised)
        return normalised

    def merge_entries(self, entries: Sequence[MemoryEntry], permission: frozenset[str] | None) -> Merged:
        """Everything of 001 §5 on a snapshot of the shared memory; permission None: no catalogue, nothing is checked."""
        marks = [self._monotonic()]
        normalised = [entry.prepared or self.prepare(entry) for entry in entries]
        allowed = normalised
        if permission is not None:
            checked = (within_permission(observation, permission) for observation in normalised)
            allowed = [observation for observation in checked if observation is not None]
        marks.append(self._monotonic())
        unique = deduplicate_observations(allowed, self._threshold)
        marks.append(self._monotonic())
        resolved, conflicts = resolve(unique, detect_conflicts(unique), self._strategies)
        marks.append(self._monotonic())
        ranked = attach_relations(self._ranked(resolved))
        marks.append(self._monotonic())
        shown = apply_limits(ranked, conflicts, **self._limits)
        marks.append(self._monotonic())
        counts = MergeCounts(
            per_agent=dict(sorted(Counter(observation.agent for observation in allowed).items())),
            outside_permission=len(normalised) - len(allowed),
            after_dedup=len(unique),
            source_agreement=_share(unique),
            conflicts_detected=len(conflicts),
            conflicts_resolved=sum(not conflict.needs_user for conflict in conflicts),
        )
        times = {stage: (end - start) * 1000 for stage, (start, end) in zip(STAGES, pairwise(marks), strict=True)}
        trace = partial(trace_dropped, allowed, unique, shown.observations)
        return Merged(tuple(shown.observations), tuple(shown.conflicts), counts, times, trace)

    async def merge(self, observations: Iterable[Observation]) -> list[NormalizedObservation]:
        """001 §7.1: what agents returned, merged without a shared memory or a permission."""
        entries = [
            MemoryEntry(
                id=str(number),
                content=observation.content,
                source_agent_id=_agent(observation),
                attention_weight=0.5,
                is_belief_candidate=True,
                observation=observation,
            )
            for number, observation in enumerate(observations)
        ]
        return list(self.merge_entries(entries, None).observations)

    async def deduplicate(self, observations: Iterable[NormalizedObservation]) -> list[NormalizedObservation]:
        """001 §7.1: `deduplicate_observations` at this merger's threshold."""
        return deduplicate_observations(observations, self._threshold)

    async def rank(self, observations: Iterable[NormalizedObservation]) -> list[NormalizedObservation]:
        """001 §7.1: `rank_observations` with this merger's boosts."""
        return self._ranked(observations)

    def _ranked(self, observations: Iterable[NormalizedObservation]) -> list[NormalizedObservation]:
        return rank_observations(
            observations,
            agreement_boost=self._ranking.agreement_boost,
            graph_entity_boost=self._ranking.graph_entity_boost,
            local_boost=self._ranking.local_boost,
            length_penalty=self._ranking.length_penalty,
        )


def _agent(observation: Observation) -> str:
    if isinstance(observation, LocalObservation):
        return "local"
    return "graph" if isinstance(observation, GraphObservation) else "vector"


def _share(observations: Sequence[NormalizedObservation]) -> float:
    corroborated = sum(1 for observation in observations if observation.corroborated_by)
    return corroborated / len(observations) if observations else 0.0
