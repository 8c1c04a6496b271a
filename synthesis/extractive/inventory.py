"""What is there of a kind, told by name: `shop has three services: cart, catalogue and payment.`"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from synthesis.answer import Citation
from synthesis.extractive.statements import Claim, Line
from synthesis.extractive.wording import counted, listed, verb
from synthesis.markers import graph_marker

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memory.observations import NormalizedObservation
    from synthesis.extractive.sources import Edge, Ground, Source

__all__ = ["inventory_lines"]

_KIND: Final = "inventory"
_READ: Final = "config_key"
"""What a project does not have of its own, but is given."""
_OF_TABLES: Final = frozenset({"OWNS_TABLE", "USES_TABLE"})


def inventory_lines(ground: Ground, *, beside: bool = False) -> list[Line]:
    """A line for each project or thing whose inventory was asked for, bulleted where they are several; else empty.

    The names stand together, and behind them the one marker of what has them: a row of `citations` for each name.

    Args:
        ground: what was found.
        beside: those that are told beside what was asked for.
    """
    sources: dict[str, list[Source]] = {}
    for source in ground.sources:
        metadata = source.observation.metadata
        if metadata.get("kind") == _KIND and bool(metadata.get("beside")) == beside:
            sources.setdefault(source.observation.id, []).append(source)
    things = [c for c in ground.chains if c[0].observation.metadata.get("kind") == _KIND and not beside]
    claims = [_of_project(own) for own in sources.values()] + [_of_thing(own) for own in things]
    return [Line((claim,), "- " if len(claims) > 1 else "") for claim in claims]


def _of_project(sources: Sequence[Source]) -> Claim:
    observation = sources[0].observation
    entities = observation.metadata["entities"]
    does = "reads" if {entity["kind"] for entity in entities} == {_READ} else "has"
    return Claim(
        _told(observation, does, [entity["name"] for entity in entities]), tuple(_definitions(observation, sources))
    )


def _definitions(observation: NormalizedObservation, sources: Sequence[Source]) -> Iterator[Citation]:
    """Each thing by the first line of its definition; by the graph's own word where that line is not to be had."""
    read = {(s.location.path, s.location.start_line): s for s in sources if s.location is not None}
    project, noun = observation.source_project or "", observation.metadata["noun"]
    marker = graph_marker([f"{project}/{project}"])
    for entity in observation.metadata["entities"]:
        claim = f"{entity['name']} is {'an' if noun[0] in 'aeiou' else 'a'} {noun} of {project}"
        source = read.get((entity["path"], entity["start_line"]))
        line = source.lines[0].strip() if source else ""
        at = source.location if source and line else None
        yield Citation(marker, observation.id, claim, line or entity["name"], at)


def _of_thing(edges: Sequence[Edge]) -> Claim:
    observation, thing = edges[0].observation, edges[0].relation.source
    types = {edge.relation.type for edge in edges}
    does = verb(types.pop()) if len(types) == 1 else "owns and uses" if types <= _OF_TABLES else "has"
    does = does.removesuffix(" the table")
    names = list(dict.fromkeys(edge.relation.target.name for edge in edges))
    marker = graph_marker([thing.label])
    cited = tuple(edge.citation(marker, f"{thing.name} {does} {edge.relation.target.name}") for edge in edges)
    return Claim(_told(observation, does, names), cited)


def _told(observation: NormalizedObservation, does: str, names: Sequence[str]) -> str:
    """`shop has 34 endpoints: GET / (3 times), ... and 9 more.`"""
    metadata = observation.metadata
    times = metadata["times"]
    shown = [f"{name} ({times[name]} times)" if name in times else name for name in names]
    rest = int(metadata["names"]) - len(names)
    more = [f"{rest} more"] if rest > 0 else []
    many = counted(int(metadata["total"]), str(metadata["noun"]), str(metadata["plural"]))
    return f"{metadata['owner']} {does} {many}: {listed([*shown, *more])}."
