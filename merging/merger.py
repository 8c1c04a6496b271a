"""`ResultMerger`: what the agents found becomes one ranked list (001 §5, §7.1).

normalise → permission → deduplicate and corroborate → conflicts → rank → limits; each step is a pure function of its
own.

What became of the observations that a merge does not show, so that nothing disappears without a reason.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from memory.errors import InvalidInputError
from memory.observations import GraphObservation, LocalObservation, Location, NormalizedObservation, Observation
from memory.shared import MemoryEntry
from merging.agreement import corroborated_by_relations
from merging.conflicts import Conflict
from merging.duplicates import deduplicate_observations, fold
from merging.limits import apply_limits, attach_relations
from merging.normalise import normalise, within_permission
from merging.ranking import boosts_of, lowered, rank_observations, ranking, standings
from merging.resolution import checked_strategies, resolve

if TYPE_CHECKING:
    from configs.settings import RankingSettings


_Place: TypeAlias = tuple[str, Location | None]


@dataclass(frozen=True, slots=True)
class Dropped:
    """One that is not shown: the stage that dropped it, and `into` which observation it was folded, if into one."""

    id: str
    agent: str
    stage: Literal["deduplicate", "limits"]
    into: str | None
    location: Location | None


def trace_dropped(
    reported: Iterable[NormalizedObservation],
    unique: Sequence[NormalizedObservation],
    shown: Sequence[NormalizedObservation],
) -> tuple[Dropped, ...]:
    """Those reported within the permission that are not shown, by id.

    A copy was folded by deduplication and is among the `duplicates` of what was kept; what deduplication kept was
    cut by the limits, or folded into its file's best, whose `metadata.also` names it.
    """
    kept = {o.id: place for place, o in enumerate(unique)}
    keepers = _keepers(unique)
    visible = {o.id for o in shown}
    best = {str(also.get("id")): o.id for o in shown for also in o.metadata.get("also", ())}
    dropped = {}
    for observation in reported:
        if observation.id in visible:
            continue
        at = observation.locations[0] if observation.locations else None
        folded = observation.id not in kept
        into = _keeper(observation, keepers, kept) if folded else best.get(observation.id)
        stage: Literal["deduplicate", "limits"] = "deduplicate" if folded else "limits"
        dropped[observation.id] = Dropped(observation.id, observation.agent, stage, into, at)
    return tuple(dropped[id_] for id_ in sorted(dropped))


def _keepers(unique: Iterable[NormalizedObservation]) -> dict[_Place, list[NormalizedObservation]]:
    """Which observations list a copy of this source and place, in the order given."""
    keepers: dict[_Place, list[NormalizedObservation]] = {}
    for observation in unique:
        for duplicate in observation.duplicates:
            keepers.setdefault((duplicate.source, duplicate.location), []).append(observation)
    return keepers


def _keeper(
    copy: NormalizedObservation, keepers: Mapping[_Place, Sequence[NormalizedObservation]], order: Mapping[str, int]
) -> str | None:
    """The observation that lists this copy: by its source and place, of several the one of its text."""
    holding = [o for at in copy.locations or (None,) for o in keepers.get((copy.source, at), ())]
    same = [o for o in holding if o.content_hash == copy.content_hash]
    return min((o.id for o in same or holding), key=order.__getitem__, default=None)


STAGES: Final = ("normalise", "deduplicate", "conflicts", "rank", "limits")


@dataclass(frozen=True, slots=True)
class MergeCounts:
    """What 001 §9 asks of a merge.

    after_dedup: before the limits; source_agreement: the share of these (0..1) that another source corroborates;
    conflicts_resolved: all but those that wait for the user.
    """

    after_dedup: int = 0
    source_agreement: float = 0.0
    conflicts_detected: int = 0
    conflicts_resolved: int = 0

    @classmethod
    def of(cls, unique: Sequence[NormalizedObservation], conflicts: Sequence[Conflict] = ()) -> MergeCounts:
        """Of what is left without duplicates, and the conflicts among it."""
        corroborated = sum(bool(observation.corroborated_by) for observation in unique)
        share = corroborated / len(unique) if unique else 0.0
        return cls(len(unique), share, len(conflicts), sum(not conflict.needs_user for conflict in conflicts))


@dataclass(frozen=True, slots=True)
class MergeResult:
    """The ranked observations (ranks 1..n, ids unique), the conflicts among them, counts, ms by stage, and `trace`,
    which works out what became of the others.
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

    settings: the boosts, and what an agent's order weighs; conflict_strategy: strategies by conflict type, over the
    defaults; monotonic: seconds, for the stages' times. Raises InvalidInputError for a limit below 1, a threshold
    outside 0..1, an unknown type or strategy.
    """

    def __init__(
        self,
        settings: RankingSettings,
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
            if not isinstance(limit, int) or limit < 1:
                raise InvalidInputError(f"{name} is {limit!r}.", "Give a number from 1.")
        if not isinstance(similarity_threshold, int | float) or not 0.0 <= similarity_threshold <= 1.0:
            raise InvalidInputError(f"similarity_threshold is {similarity_threshold!r}.", "Give a number from 0 to 1.")
        self._weights = settings.agent_weights
        self._boosts = boosts_of(settings)
        self._threshold = similarity_threshold
        self._limits = limits
        self._strategies = checked_strategies(conflict_strategy or {})
        self._monotonic = monotonic

    def prepare(self, entry: MemoryEntry) -> NormalizedObservation:
        """What can be done with an observation before the others are there: its shape."""
        return normalise(entry)

    def merge_entries(self, entries: Sequence[MemoryEntry], permission: frozenset[str] | None) -> MergeResult:
        """Everything of 001 §5 on a snapshot of the shared memory;
        permission None: no catalogue, nothing is checked.
        """
        marks = [self._monotonic()]
        found = [(entry, entry.prepared or normalise(entry)) for entry in entries]
        if permission is not None:
            checked = ((entry, within_permission(observation, permission)) for entry, observation in found)
            found = [(entry, observation) for entry, observation in checked if observation is not None]
        allowed = [observation for _, observation in found]
        standing = standings(found, self._weights)
        marks.append(self._monotonic())
        kept, conflicts = fold(allowed, self._threshold, standing)
        marks.append(self._monotonic())
        unique, conflicts = resolve(kept, conflicts, self._strategies)
        standing = lowered(standing, kept, unique)
        marks.append(self._monotonic())
        unique = corroborated_by_relations(unique)
        ranked = ranking(unique, standing, **self._boosts)
        scores = {observation.id: value for value, observation in ranked}
        order = attach_relations([observation for _, observation in ranked])
        marks.append(self._monotonic())
        shown = apply_limits(order, conflicts, scores, **self._limits)
        marks.append(self._monotonic())
        times = {stage: (end - start) * 1000 for stage, (start, end) in zip(STAGES, pairwise(marks), strict=True)}
        trace = partial(trace_dropped, allowed, unique, shown.observations)
        counts = MergeCounts.of(unique, conflicts)
        return MergeResult(tuple(shown.observations), tuple(shown.conflicts), counts, times, trace)

    async def merge(self, observations: Iterable[Observation | MemoryEntry]) -> list[NormalizedObservation]:
        """001 §7.1: what agents returned, or entries of a shared memory, merged without a permission."""
        entries = [
            one if isinstance(one, MemoryEntry) else _entry(str(number), one) for number, one in enumerate(observations)
        ]
        return list(self.merge_entries(entries, None).observations)

    async def deduplicate(self, observations: Iterable[NormalizedObservation]) -> list[NormalizedObservation]:
        """001 §7.1: `deduplicate_observations` at this merger's threshold."""
        return deduplicate_observations(observations, self._threshold)

    async def rank(self, observations: Iterable[NormalizedObservation]) -> list[NormalizedObservation]:
        """001 §7.1: `rank_observations` with this merger's boosts."""
        return rank_observations(observations, **self._boosts)


def _entry(id_: str, observation: Observation) -> MemoryEntry:
    return MemoryEntry(
        id=id_,
        content=observation.content,
        source_agent_id=_agent(observation),
        attention_weight=0.5,
        is_belief_candidate=True,
        observation=observation,
    )


def _agent(observation: Observation) -> str:
    if isinstance(observation, LocalObservation):
        return "local"
    return "graph" if isinstance(observation, GraphObservation) else "vector"
