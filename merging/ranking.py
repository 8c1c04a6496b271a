"""The ranking of 001 §5.3: confidence, boosts for agreement, for graph entities and for local text, a penalty for
length.

What an agent's own rating is worth beside the others', where they are not comparable: its order, and no more than it
says.

The agents of this package rate what they find on one scale. What another agent rates, it rates on a scale of its own:
its first is worth what the worst of all agents' firsts is, its own among them, its second what the worst of their
seconds, and so on. So one that rates everything 1.0 takes no more of the first places than the others do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import accumulate, zip_longest
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from memory.observations import NormalizedObservation
from memory.shared import MemoryEntry

if TYPE_CHECKING:
    from configs.settings import RankingSettings


@dataclass(frozen=True, slots=True)
class Standing:
    """What an observation is worth (as a confidence is), and its place in its agent's order: 0 on the common scale."""

    worth: float
    place: int = 0


def standings(
    found: Iterable[tuple[MemoryEntry, NormalizedObservation]], weights: Mapping[str, float]
) -> dict[str, Standing]:
    """By id, of the observations whose worth is not their confidence.

    Args:
        found: the entries within the permission, and what they were made.
        weights: of an agent; 1 where none is given.
    """
    rated = defaultdict[str, list[tuple[float, NormalizedObservation]]](list)
    ordered = defaultdict[str, list[tuple[int, NormalizedObservation]]](list)
    for entry, observation in found:
        if entry.place:
            ordered[observation.agent].append((entry.place, observation))
        else:
            rated[observation.agent].append((observation.confidence, observation))
    standing = {
        observation.id: Standing(round(worth * weights[agent], 6))
        for agent, of in rated.items()
        if agent in weights
        for worth, observation in of
    }
    if ordered:
        lists = [sorted((worth for worth, _ in of), reverse=True) for of in rated.values()]
        for of in ordered.values():
            of.sort(key=lambda pair: (pair[0], pair[1].id))
            lists.append([observation.confidence for _, observation in of])
        worths = list(accumulate(map(min, zip_longest(*lists, fillvalue=1.0)), min))
        for agent, of in ordered.items():
            for place, (worth, (_, observation)) in enumerate(zip(worths, of, strict=False), start=1):
                standing.setdefault(observation.id, Standing(round(worth * weights.get(agent, 1.0), 6), place))
    return standing


def lowered(
    standings: Mapping[str, Standing], before: Iterable[NormalizedObservation], after: Iterable[NormalizedObservation]
) -> dict[str, Standing]:
    """The standings, with what a conflict took from a confidence taken from the worth too.

    Args:
        standings: by id.
        before: observations as they were before their conflicts were resolved.
        after: the same ones after it.
    """
    pairs = ((one, now) for one, now in zip(before, after, strict=True) if one.id in standings and one.confidence)
    shares = {one.id: now.confidence / one.confidence for one, now in pairs}
    return {
        id_: replace(standing, worth=round(standing.worth * shares.get(id_, 1.0), 6))
        for id_, standing in standings.items()
    }


AGREEMENT_LIMIT = 3

"""Agreement beyond this adds nothing: what many projects copied with small changes must not outrank the answer."""

_FOCUSED_CHARS = 500

_PENALTY_CHARS = 5000

_NONE: Final[Mapping[str, Standing]] = MappingProxyType({})


def score(
    observation: NormalizedObservation,
    worth: float | None = None,
    *,
    agreement_boost: float = 0.1,
    graph_entity_boost: float = 0.15,
    local_boost: float = 0.1,
    length_penalty: float = 0.1,
) -> float:
    """001 §5.3's sum, to six places, so that two builds of one index rank alike. worth: in place of its confidence."""
    total = observation.confidence if worth is None else worth
    if observation.corroborated_by:
        total += agreement_boost * min(len(observation.corroborated_by), AGREEMENT_LIMIT)
    source = observation.kind
    if source == "graph" and observation.entities_mentioned:
        total += graph_entity_boost
    if source == "local":
        total += local_boost
    excess = len(observation.content) - _FOCUSED_CHARS
    if excess > 0:
        total -= excess / _PENALTY_CHARS * length_penalty
    return round(total, 6)


def boosts_of(settings: RankingSettings) -> dict[str, float]:
    """The boosts of `score` as the settings have them, by name."""
    return {
        "agreement_boost": settings.agreement_boost,
        "graph_entity_boost": settings.graph_entity_boost,
        "local_boost": settings.local_boost,
        "length_penalty": settings.length_penalty,
    }


def ranking(
    observations: Iterable[NormalizedObservation], standings: Mapping[str, Standing] = _NONE, /, **boosts: float
) -> list[tuple[float, NormalizedObservation]]:
    """Each with its score, best first; ties go by attention weight, then by id.

    Those that have a place in their agent's order alone: by that, and then by their text, so that no agent's name
    decides.
    """

    def key(scored: tuple[float, NormalizedObservation]) -> tuple[float, int, float, str, str]:
        value, observation = scored
        place = standings[observation.id].place if observation.id in standings else 0
        beside = (0.0, observation.content_hash) if place else (-observation.attention_weight, "")
        return -value, place, *beside, observation.id

    def scored(observation: NormalizedObservation) -> tuple[float, NormalizedObservation]:
        standing = standings.get(observation.id)
        return score(observation, standing.worth if standing else None, **boosts), observation

    return sorted(map(scored, observations), key=key)


def rank_observations(observations: Iterable[NormalizedObservation], **boosts: float) -> list[NormalizedObservation]:
    """`ranking` with `score` and `rank` (from 1) set.

    The boosts are `score`'s, by default the specification's; the product's own are in RankingSettings.
    """
    return [
        replace(observation, score=value, rank=rank)
        for rank, (value, observation) in enumerate(ranking(observations, **boosts), start=1)
    ]
