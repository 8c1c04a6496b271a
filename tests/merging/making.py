"""Observations as the merging tests need them: short to write, every field in sight."""

from __future__ import annotations

from typing import Any

from memory.observations import Location, NormalizedObservation
from merging.normalise import identified


def text(
    content: str,
    place: str = "",
    *,
    kind: str = "vector",
    confidence: float = 0.5,
    project: str | None = "billing",
    vector: list[float] | None = None,
    model: str = "m",
    believed: bool = True,
    **fields: Any,
) -> NormalizedObservation:
    """A local or vector observation; `place` is `PATH` or `PATH:START-END`."""
    path, _, lines = place.partition(":")
    metadata = dict(fields.pop("metadata", {}))
    locations: tuple[Location, ...] = ()
    if lines:
        start, _, end = lines.partition("-")
        locations = (Location(project or "", path, int(start), int(end)),)
    if path:
        metadata["source_file"] = path
    made = NormalizedObservation(
        content=content,
        source=f"local:{path}" if kind == "local" else f"{kind}:qdrant",
        source_project=project,
        confidence=confidence,
        observation_type="fact",
        metadata=metadata,
        semantic_embedding=vector,
        embedding_model=model if vector else "",
        locations=fields.pop("locations", locations),
        is_belief_candidate=believed,
        **fields,
    )
    return identified([made])[0]


def graph(
    content: str, *, project: str | None = "billing", confidence: float = 0.5, **fields: Any
) -> NormalizedObservation:
    """A graph observation without entities unless given."""
    made = NormalizedObservation(
        content=content,
        source="graph:kglite",
        source_project=project,
        confidence=confidence,
        observation_type="relationship",
        is_belief_candidate=True,
        **fields,
    )
    return identified([made])[0]


def table(
    name: str, summary: str, path: str = "db/schema.sql", lines: tuple[int, int] = (1, 5), project: str = "billing"
) -> dict[str, Any]:
    """A table as a graph observation's metadata carry it."""
    return {
        "name": name,
        "kind": "table",
        "project": project,
        "path": path,
        "start_line": lines[0],
        "end_line": lines[1],
        "summary": summary,
    }
