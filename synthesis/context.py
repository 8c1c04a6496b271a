"""The retrieved text a language model reads: chosen by rank within the token budget, grouped by source (001 §6.1)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from memory.text import estimate_tokens
from synthesis.markers import MARKER, graph_marker, lines_marker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memory.observations import NormalizedObservation

__all__ = ["build_synthesis_context", "format_observation", "observation_marker"]

HEADERS: Final = {
    "local": "FROM YOUR PROJECT:",
    "graph": "FROM ENTERPRISE KNOWLEDGE GRAPH:",
    "vector": "FROM SIMILAR DOCUMENTS:",
}
_FENCE = re.compile(r"</?\s*retrieved\b[^>]*>", re.IGNORECASE)


def observation_marker(observation: NormalizedObservation) -> str:
    """The marker of an observation as a whole."""
    if observation.agent != "graph":
        return lines_marker(observation, observation.locations[0] if observation.locations else None)
    chain: list[str] = []
    for edge in observation.relationships:
        if chain and chain[-1] != edge.source.label:
            break  # a fan of edges, no path: the first edge names it
        chain = [*(chain or [edge.source.label]), edge.target.label]
    if chain:
        return graph_marker(chain)
    name = observation.entities_mentioned[0] if observation.entities_mentioned else observation.id
    return graph_marker([f"{observation.source_project}/{name}" if observation.source_project else name])


def format_observation(observation: NormalizedObservation) -> str:
    """Its marker, then its content fenced as data: neither fence nor marker can be forged from inside."""
    content = _FENCE.sub("", MARKER.sub(lambda m: f"({m[0][1:-1]})", observation.content))
    return f"{observation_marker(observation)}\n<retrieved>\n{content}\n</retrieved>"


def build_synthesis_context(
    query: str,  # noqa: ARG001 - the specification's signature (001 §6.1); every observation was ranked for it
    ranked_observations: Sequence[NormalizedObservation],
    max_context_tokens: int = 8000,
) -> str:
    """The best observations that fit, under 001's three headers.

    Chosen by global rank, and one that does not fit is skipped, so that a long section never starves what ranks behind
    it (docs/design.md#limits); within a header they keep their rank. Headers are counted once they are needed.
    """
    chosen: dict[str, list[str]] = {}
    spent = 0
    for observation in ranked_observations:
        header = observation.agent if observation.agent in HEADERS else "vector"
        text = format_observation(observation)
        cost = estimate_tokens(text) + (0 if header in chosen else estimate_tokens(HEADERS[header]))
        if spent + cost <= max_context_tokens:
            chosen.setdefault(header, []).append(text)
            spent += cost
    return "\n".join(
        part for header in HEADERS if header in chosen for part in (f"\n{HEADERS[header]}\n", *chosen[header])
    )
