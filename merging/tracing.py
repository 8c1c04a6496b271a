"""What became of the observations that a merge does not show, so that nothing disappears without a reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from memory.observations import Location, NormalizedObservation

__all__ = ["Dropped", "trace_dropped"]

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

    A copy was folded by deduplication and stands among the `duplicates` of what was kept; what deduplication kept was
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
