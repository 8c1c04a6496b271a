"""Observations read back: out of a synthesis prompt, or out of an evidence pack."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from memory.observations import Location, NormalizedObservation
from synthesis import Marker, parse_markers

__all__ = ["observations_in", "observations_of", "question_in"]

_QUESTION = re.compile(r"^QUERY: (.*)$", re.MULTILINE)
_FENCED = re.compile(
    r"^(\[(?:local|graph|vector):[^\]\n]+\])\n<retrieved>\n(.*?)\n</retrieved>", re.DOTALL | re.MULTILINE
)
_PRIOR = 0.5
"""The confidence of what comes without one; the order it comes in is its rank."""


def question_in(prompt: str) -> str:
    """The question of a synthesis prompt (001 §6.2), '' in any other text."""
    found = _QUESTION.search(prompt)
    return found[1].strip() if found else ""


def observations_in(prompt: str) -> list[NormalizedObservation]:
    """The fenced observations of a synthesis prompt, in its order; what a graph proves is not in there, only its words."""
    fenced = [(parse_markers(marker)[0], text) for marker, text in _FENCED.findall(prompt)]
    return [_observation(rank, marker, text) for rank, (marker, text) in enumerate(fenced, 1)]


def _observation(rank: int, marker: Marker, text: str) -> NormalizedObservation:
    project, _, path = marker.path.partition("/") if marker.kind == "vector" else ("", "", marker.path)
    names = tuple(name.rsplit("/", 1)[-1] for name in marker.names)
    return NormalizedObservation(
        content=text,
        source=f"local:{path}" if marker.kind == "local" else marker.kind,
        source_project=project or (marker.names[0].partition("/")[0] if marker.names else ""),
        confidence=_PRIOR,
        observation_type="relationship" if len(names) > 1 else "documentation",
        entities_mentioned=names,
        id=f"observation-{rank}",
        agent=marker.kind,
        locations=(Location(project, path, *marker.lines),) if marker.lines else (),
        metadata={"path": path} if path else {},
        rank=rank,
    )


def observations_of(pack: Mapping[str, Any]) -> list[NormalizedObservation]:
    """The pieces of an evidence pack (000 §8.1), in its order."""
    return [
        NormalizedObservation(
            content=item["text"],
            source="vector:evidence",
            source_project=item["repo"],
            confidence=_PRIOR,
            observation_type="code" if item["corpus"] == "code" else "documentation",
            id=item["evidence_id"],
            locations=_lines(item),
            metadata={"corpus": item["corpus"], "chunk_kind": item["chunk_kind"], "path": item["path"]},
            rank=item["rank"],
        )
        for item in pack.get("evidence", ())
    ]


def _lines(item: Mapping[str, Any]) -> tuple[Location, ...]:
    if item["start_line"] is None:
        return ()
    return (Location(item["repo"], item["path"], item["start_line"], item["end_line"]),)
