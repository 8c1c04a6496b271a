"""What is shown of the ranking: one observation a file, then so many an agent, then so many in all.

See 001 §8, docs/design.md#limits.

Hits in one file beyond `max_per_file` fold into its best, which lists their lines in `metadata.also`. Instruction files
are cut at every heading and never folded, nor is what the graph says, nor what a caller hands over as `recent`. A
conflict of which one side is shown is shown with all its sides, and so are those that these are also sides of, while
there is room: they take the places of the last, never that of the best.

What the graph says is with the files that prove it: behind the last of them, so that files keep their order.

A relation is a reason for its files to be there. It changes nothing of their order: what it adds to their rank was
added when they were ranked (`agents/file_ranking.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from memory.observations import RECENT, NormalizedObservation
from merging.conflicts import Conflict, file_of
from merging.duplicates import is_instruction


@dataclass(frozen=True, slots=True)
class ShownObservations:
    """The observations within the limits, ranks 1..n, and the conflicts that are shown with them."""

    observations: list[NormalizedObservation]
    conflicts: list[Conflict]


def apply_limits(
    ranked: Sequence[NormalizedObservation],
    conflicts: Sequence[Conflict] = (),
    scores: Mapping[str, float] = MappingProxyType({}),
    *,
    max_per_agent: int = 10,
    max_total: int = 25,
    max_per_file: int = 1,
) -> ShownObservations:
    """Cut a ranking, best first, to its limits; `max_total` is never exceeded.
    scores: by id, where they are not set.
    """
    disputed = {o.id for conflict in conflicts for o in conflict.observations}
    folded = fold_files(ranked, max_per_file=max_per_file, apart=disputed)
    agents: Counter[str] = Counter()
    within = []
    for observation in folded:
        agents[observation.agent] += 1
        if agents[observation.agent] <= max_per_agent:
            within.append(observation.id)
    reserved = _reserved(conflicts, within[:max_total], max_total)
    others = set([key for key in within if key not in reserved][: max_total - len(reserved)])
    chosen = [o for o in folded if o.id in reserved or o.id in others]
    shown = [replace(o, rank=rank, score=scores.get(o.id, o.score)) for rank, o in enumerate(chosen, start=1)]
    by_id = {o.id: o for o in shown}
    return ShownObservations(
        shown,
        [
            replace(conflict, observations=tuple(by_id[o.id] for o in conflict.observations))
            for conflict in conflicts
            if all(o.id in by_id for o in conflict.observations)
        ],
    )


def fold_files(
    ranked: Iterable[NormalizedObservation], *, max_per_file: int, apart: Iterable[str] = ()
) -> list[NormalizedObservation]:
    """Hits in one file beyond the first `max_per_file`, folded into its best; ids in `apart` stay as they are."""
    separate = frozenset(apart)
    kept: list[NormalizedObservation] = []
    best: dict[tuple[str, str], NormalizedObservation] = {}
    counts: Counter[tuple[str, str]] = Counter()
    also: dict[str, list[dict[str, Any]]] = {}
    for observation in ranked:
        file = file_of(observation)
        if file in (None, ("", RECENT)) or observation.id in separate or is_instruction(observation):
            kept.append(observation)
            continue
        counts[file] += 1
        if counts[file] <= max_per_file:
            best.setdefault(file, observation)
            kept.append(observation)
        else:
            also.setdefault(best[file].id, []).append(_lines(observation))
    return [_with_lines(o, also[o.id]) if o.id in also else o for o in kept] if also else kept


def _with_lines(observation: NormalizedObservation, folded: list[dict[str, Any]]) -> NormalizedObservation:
    """The folded hits' lines after those its agent left out itself."""
    also = observation.metadata.get("also", ())
    return replace(observation, metadata={**observation.metadata, "also": [*also, *folded]})


def _reserved(conflicts: Iterable[Conflict], first: Sequence[str], most: int) -> set[str]:
    """The best observation, all sides of the conflicts of what is shown, and then of the conflicts of these: conflict
    by conflict, from the one with the best side, where the whole of it fits.
    """
    ranks = {key: rank for rank, key in enumerate(first)}
    disputes = [{o.id for o in conflict.observations} for conflict in conflicts]
    left = sorted(disputes, key=lambda ids: min((ranks.get(key, most) for key in ids), default=most))
    seen, reserved = set(first), set(first[:1])
    while more := next((ids for ids in left if not ids.isdisjoint(seen) and len(reserved | ids) <= most), None):
        seen |= more
        reserved |= more
        left.remove(more)
    return reserved


def _lines(observation: NormalizedObservation) -> dict[str, Any]:
    at = observation.locations[0] if observation.locations else None
    return {
        "id": observation.id,
        "source": observation.source,
        "start_line": at.start_line if at else None,
        "end_line": at.end_line if at else None,
    }


def attach_relations(ranked: Sequence[NormalizedObservation]) -> list[NormalizedObservation]:
    """The ranking with each graph observation behind the last file that proves it.

    One whose files are not listed comes after all files; one that names no place keeps its own, and where no file is
    listed at all the order stays.
    """
    places: dict[tuple[str, str], int] = {}
    for position, observation in enumerate(ranked):
        first = file_of(observation)
        if first is not None:
            for file in (first, *((at.project, at.path) for at in observation.locations)):
                places.setdefault(file, position)
    if not places:
        return list(ranked)
    end = len(ranked)

    def place(position: int, observation: NormalizedObservation) -> tuple[int, bool, int]:
        if observation.kind != "graph" or not observation.locations:
            return position, False, position
        proven = [places.get((at.project, at.path), end) for at in observation.locations]
        return max(proven, default=end), True, position

    return [ranked[position] for position in sorted(range(end), key=lambda at: place(at, ranked[at]))]
