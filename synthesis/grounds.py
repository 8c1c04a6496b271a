"""The text that a citation leads to, with the names it goes by (docs/design.md#citations)."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from memory.observations import Location
from synthesis.bearing import Ground
from synthesis.markers import parse_markers
from synthesis.verification import edge_named, proofs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memory.entities import Relationship
    from memory.files import FileText
    from memory.observations import NormalizedObservation
    from synthesis.answer import Citation

__all__ = ["ground", "labels"]


def labels(observation: NormalizedObservation) -> set[str]:
    """What an observation's entities may be called, with their project and without."""
    ends = [end for edge in observation.relationships for end in (edge.source, edge.target)]
    named = {end.name for end in ends}
    own = [name for name in observation.entities_mentioned if name not in named]
    projects = {observation.source_project, *(at.project for at in observation.locations)}
    found = {end.label for end in ends} | {f"{project}/{name}" for project in projects for name in own}
    return found | {*observation.entities_mentioned}


async def ground(citation: Citation, observations: Sequence[NormalizedObservation], files: FileText) -> Ground:
    """The lines behind a citation that is sound, the definitions around them, and the whole piece they were found in."""
    if citation.marker.startswith("[graph:"):
        return await _graph_ground(citation, observations, files)
    observation = next(o for o in observations if o.id == citation.observation_id)
    at = citation.location
    lines = await files.lines(at) if at else None
    text = observation.content if lines is None else "\n".join(lines)
    symbol = str(observation.metadata.get("symbol") or "")
    named = [citation.marker, observation.source_project or "", symbol, *observation.entities_mentioned]
    if at and lines:
        named += await _above(at, lines, files)
    return Ground(text, "\n".join(named), observation.content)


async def _graph_ground(citation: Citation, observations: Sequence[NormalizedObservation], files: FileText) -> Ground:
    """All that the graph's observations say of an entity, or of the relations between these two."""
    [marker] = parse_markers(citation.marker)
    steps, said, named, spots = list(pairwise(marker.names)), list[str](), [citation.marker], list[Location]()
    relations: list[Relationship] = []
    for observation in observations:
        edges = [e for e in observation.relationships if not steps or any(edge_named(e, *step) for step in steps)]
        if observation.agent != "graph" or not (edges if steps else marker.names[0] in labels(observation)):
            continue
        said += [observation.content, *(evidence.says for edge in edges for evidence in edge.evidence)]
        relations += edges
        spots += [place for edge in edges for place in proofs(edge)]
        spots += [] if steps else _own_places(observation, marker.names[0])
        named += [end.label for edge in edges for end in (edge.source, edge.target)]
    for place in dict.fromkeys(spots):
        lines = await files.lines(place) or []
        said += lines
        named += await _above(place, lines, files)
    return Ground("\n".join(said), "\n".join(named), relations=tuple(relations))


def _own_places(observation: NormalizedObservation, name: str) -> list[Location]:
    """Where an entity itself stands, not what it is related to."""
    ends = [end for edge in observation.relationships for end in (edge.source, edge.target)]
    own = [end for end in ends if name in {end.label, end.name} and end.path]
    found = [Location(end.project, end.path, end.start_line, end.end_line) for end in own]
    return found or [*observation.locations]


async def _above(at: Location, lines: Sequence[str], files: FileText) -> list[str]:
    if at.start_line == 1:
        return []
    above = await files.lines(Location(at.project, at.path, 1, at.start_line - 1))
    return _opened(above or [], lines)


def _opened(above: Sequence[str], lines: Sequence[str]) -> list[str]:
    """The lines above that are less and less indented: what opens the classes and functions that these lines stand in."""
    found: list[str] = []
    depth = min((_indent(line) for line in lines if line.strip()), default=0)
    for line in reversed(above):
        if depth == 0:
            break
        if line.strip() and _indent(line) < depth:
            closes = line.lstrip()[0] in ")]}"  # of a signature over several lines: what it closes is as far in
            depth = _indent(line) + closes
            found.append(line.strip())
    return found


def _indent(line: str) -> int:
    return len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())
