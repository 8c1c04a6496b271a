"""Who is right where observations contradict each other (001 §5.4); losers are kept and say what superseded them.

temporal: the newest wins and the others' confidence is halved; factual: graph over vector over local, at equal priority
the newest where all say when they were changed, else the higher confidence; scope: both are kept. `conflict_strategy`
overrides by type (docs/design.md#conflicts).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, cast, get_args

from memory.errors import InvalidInputError
from memory.observations import NormalizedObservation
from merging.claims import time_of
from merging.conflicts import DEFAULT_STRATEGIES, Conflict, ConflictType, Strategy, detect_conflicts
from merging.normalise import identified

SOURCE_PRIORITY: Final = {"graph": 3, "vector": 2, "local": 1}

_LOSER_CONFIDENCE = 0.5


def resolve_conflicts(
    observations: Iterable[NormalizedObservation], conflict_strategy: Mapping[str, str] | None = None
) -> list[NormalizedObservation]:
    """Detect and resolve: the same observations in the same order, marked.

    Raises InvalidInputError for a strategy or a type there is not.
    """
    given = identified(observations)
    return resolve(given, detect_conflicts(given), checked_strategies(conflict_strategy or {}))[0]


def resolve(
    observations: Sequence[NormalizedObservation],
    conflicts: Iterable[Conflict],
    strategies: Mapping[ConflictType, Strategy] = DEFAULT_STRATEGIES,
) -> tuple[list[NormalizedObservation], list[Conflict]]:
    """The observations, marked, and the conflicts with winner, losers and reason."""
    marked = {observation.id: observation for observation in observations}
    halved: set[str] = set()
    decided = [_decide(conflict, strategies[conflict.conflict_type]) for conflict in conflicts]
    for conflict in decided:
        winner = marked[conflict.winner] if conflict.winner else None
        for observation in conflict.observations:
            current = marked[observation.id]
            preferred = {"preferred_source": winner.source} if winner else {}
            current = replace(current, metadata={**current.metadata, "conflict_detected": True, **preferred})
            if winner and current.id in conflict.losers:
                current = replace(current, superseded_by=current.superseded_by or winner.id)
                if conflict.conflict_type == "temporal" and current.id not in halved:
                    halved.add(current.id)
                    current = replace(current, confidence=current.confidence * _LOSER_CONFIDENCE)
            marked[current.id] = current
    settled = [replace(c, observations=tuple(marked[o.id] for o in c.observations)) for c in decided]
    return [marked[observation.id] for observation in observations], settled


def checked_strategies(given: Mapping[str, str]) -> dict[ConflictType, Strategy]:
    """The strategy of each type; raises InvalidInputError that lists the known types or strategies."""
    for conflict_type, strategy in given.items():
        if conflict_type not in DEFAULT_STRATEGIES:
            raise InvalidInputError(
                f"No conflict type {conflict_type!r}.", f"Known: {', '.join(sorted(DEFAULT_STRATEGIES))}."
            )
        if strategy not in get_args(Strategy):
            raise InvalidInputError(
                f"No conflict strategy {strategy!r}.", f"Known: {', '.join(sorted(get_args(Strategy)))}."
            )
    return cast("dict[ConflictType, Strategy]", {**DEFAULT_STRATEGIES, **given})


def _decide(conflict: Conflict, strategy: Strategy) -> Conflict:
    stated = _stated(conflict)
    if strategy == "include_both":
        return replace(conflict, resolution_strategy=strategy, reason=f"{stated}: both are kept.")
    if strategy == "ask_user":
        question = f"{conflict.subject}, {conflict.property}: {stated}. Which holds?"
        return replace(
            conflict,
            resolution_strategy=strategy,
            needs_user=True,
            question=question,
            reason=f"{stated}: for you to say.",
        )
    rank = _rank(strategy, conflict.observations)
    winner = min(conflict.observations, key=lambda o: (*(-part for part in rank(o)), o.id))
    stating = list(zip(conflict.observations, conflict.values, strict=True))
    says = next(value for observation, value in stating if observation.id == winner.id)
    losers = [observation for observation, value in stating if value != says]
    reason, strategy = _because(strategy, winner, losers, conflict.place_of(winner))
    return replace(
        conflict,
        resolution_strategy=strategy,
        winner=winner.id,
        losers=tuple(o.id for o in losers),
        reason=f"{stated}: {reason}.",
    )


def _because(
    strategy: Strategy, winner: NormalizedObservation, losers: Sequence[NormalizedObservation], place: str
) -> tuple[str, Strategy]:
    """Why it won; what does not tell the best losers apart is not what decided."""
    newest: tuple[str, Strategy] = (f"{place} is the newest", "latest_wins")
    if strategy == "latest_wins" and any(_time(winner) > _time(loser) for loser in losers):
        return newest
    best = max(_priority(loser) for loser in losers)
    rivals = [loser for loser in losers if _priority(loser) == best]
    if strategy == "source_priority" and _priority(winner) > best:
        return f"for facts the {winner.kind} comes before the {rivals[0].kind}", strategy
    if strategy == "source_priority" and _dated([winner, *rivals]) and _time(winner) > max(map(_time, rivals)):
        return newest
    beaten = max(rivals, key=lambda loser: loser.confidence)
    if beaten.confidence == winner.confidence:
        return f"nothing tells them apart, and {place} is taken", "highest_confidence"
    among = " of the newest" if beaten.confidence > winner.confidence else ""
    return f"{place} has the highest confidence{among}", "highest_confidence"


def _stated(conflict: Conflict) -> str:
    """`uuid (billing/db/schema.sql:1-4), bigint (billing/docs/schema.md:3-9)`, each value with its places."""
    places: dict[str, list[str]] = {}
    for observation, value in zip(conflict.observations, conflict.values, strict=True):
        places.setdefault(value, []).append(conflict.place_of(observation))
    return "; ".join(f"{value} ({', '.join(found)})" for value, found in places.items())


def _rank(
    strategy: Strategy, observations: Sequence[NormalizedObservation]
) -> Callable[[NormalizedObservation], tuple[float, ...]]:
    """What a strategy orders by, highest first. Times tell sources of equal priority apart where each has one."""
    if strategy == "latest_wins":
        return lambda o: (_time(o), o.confidence)
    if strategy == "highest_confidence":
        return lambda o: (o.confidence,)
    first = max(map(_priority, observations))
    if _dated([o for o in observations if _priority(o) == first]):
        return lambda o: (_priority(o), _time(o), o.confidence)
    return lambda o: (_priority(o), o.confidence)


def _time(observation: NormalizedObservation) -> float:
    time = time_of(observation)
    return float("-inf") if time is None else time


def _dated(observations: Sequence[NormalizedObservation]) -> bool:
    return all(time_of(observation) is not None for observation in observations)


def _priority(observation: NormalizedObservation) -> int:
    return SOURCE_PRIORITY.get(observation.kind, 0)
