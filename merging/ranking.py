"""The ranking of 001 §5.3: confidence, boosts for agreement, for graph entities and for local text, a penalty for length."""

from __future__ import annotations

from collections.abc import Iterable

from memory.observations import NormalizedObservation
from merging.changing import changed

__all__ = ["AGREEMENT_LIMIT", "rank_observations", "score"]

AGREEMENT_LIMIT = 3
"""Agreement beyond this adds nothing: what many projects copied with small changes must not outrank the answer."""

_FOCUSED_CHARS = 500
_PENALTY_CHARS = 5000


def score(
    observation: NormalizedObservation,
    *,
    agreement_boost: float = 0.1,
    graph_entity_boost: float = 0.15,
    local_boost: float = 0.1,
    length_penalty: float = 0.1,
) -> float:
    """001 §5.3's sum, to six places, so that two builds of one index rank alike."""
    total = observation.confidence
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


def rank_observations(
    observations: Iterable[NormalizedObservation],
    *,
    agreement_boost: float = 0.1,
    graph_entity_boost: float = 0.15,
    local_boost: float = 0.1,
    length_penalty: float = 0.1,
) -> list[NormalizedObservation]:
    """Best first, with `score` and `rank` (from 1) set; ties go by attention weight, then by id.

    The defaults are the specification's; the product's own are in RankingSettings.
    """
    scored = [
        (
            score(
                observation,
                agreement_boost=agreement_boost,
                graph_entity_boost=graph_entity_boost,
                local_boost=local_boost,
                length_penalty=length_penalty,
            ),
            observation,
        )
        for observation in observations
    ]
    scored.sort(key=lambda pair: (-pair[0], -pair[1].attention_weight, pair[1].id))
    return [changed(observation, score=value, rank=rank) for rank, (value, observation) in enumerate(scored, start=1)]
