"""What is there of a kind, told by name: `shop has three services: cart, catalogue and payment.`"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from synthesis.answer import Citation
from synthesis.extractive.statements import Claim, Line
from synthesis.extractive.wording import counted, listed
from synthesis.markers import graph_marker

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memory.observations import NormalizedObservation
    from synthesis.extractive.sources import Edge, Ground, Source

__all__ = ["inventory_lines"]

_KIND: Final = "inventory"
_READ: Final = "config_key"
"""What a project does not have of its own, but is given."""
_VERBS: Final = {
    "EXPOSES": "exposes",
    "PUBLISHES": "publishes to",
    "CONSUMES": "consumes",
    "SUBSCRIBES": "subscribes to",
    "OWNS_TABLE": "owns",
    "USES_TABLE": "uses",
    "STORES_IN": "stores its data in",
    "READS": "reads",
    "CALLS": "calls",
    "INVOKES": "calls",
    "DEPENDS_ON": "depends on",
}


def inventory_lines(ground: Ground, *, beside: bool = False) -> list[Line]:
    """A line for each project or thing whose inventory was asked for, bulleted where they are several; else empty.

    beside: those that are told beside what was asked for.
    The names stand together, and behind them the one marker of what has them: a row of `citations` for each name.
    """
    sources: dict[str, list[Source]] = {}
    for source in ground.sources:
        if (
            source.observation.metadata.get("kind") == _KIND
            and bool(source.observation.metadata.get("beside")) == beside
        ):
            sources.setdefault(source.observation.id, []).append(source)
    edges: dict[str, list[Edge]] = {}
    for edge in (edge for chain in ground.chains for edge in chain):
        if edge.observation.metadata.get("kind") == _KIND and not beside:
            edges.setdefault(edge.observation.id, []).append(edge)
    lines = [_of_project(own) for own in sources.values()] + [_of_thing(own) for own in edges.values()]
    opening = "- " if len(lines) > 1 else ""
    return [Line((claim,), opening) for claim in lines]


def _of_project(sources: Sequence[Source]) -> Claim:
    observation = sources[0].observation
    kinds = {entity["kind"] for entity in observation.metadata["entities"]}
    verb = "reads" if kinds == {_READ} else "has"
    return Claim(_told(observation.metadata, verb, _names(observation)), tuple(_definitions(observation, sources)))


def _definitions(observation: NormalizedObservation, sources: Sequence[Source]) -> Iterator[Citation]:
    """Each thing by the first line of its definition; by the graph's own word where that line is not to be had."""
    read = {(s.location.path, s.location.start_line): s for s in sources if s.location is not None}
    project, noun = observation.source_project or "", observation.metadata["noun"]
    marker = graph_marker([f"{project}/{project}"])
    for entity in observation.metadata["entities"]:
        claim = f"{entity['name']} is {'an' if noun[0] in 'aeiou' else 'a'} {noun} of {project}"
        source = read.get((entity["path"], entity["start_line"]))
        if source is not None and source.lines[0].strip():
            yield Citation(marker, observation.id, claim, source.lines[0].strip(), source.location)
        else:
            yield Citation(marker, observation.id, claim, entity["name"], None)


def _of_thing(edges: Sequence[Edge]) -> Claim:
    observation, thing = edges[0].observation, edges[0].relation.source
    verbs = {_VERBS.get(edge.relation.type, "has") for edge in edges}
    names = list(dict.fromkeys(edge.relation.target.name for edge in edges))
    verb = verbs.pop() if len(verbs) == 1 else "has"
    marker = graph_marker([thing.label])
    cited = (edge.citation(marker, f"{thing.name} {verb} {edge.relation.target.name}") for edge in edges)
    return Claim(_told(observation.metadata, verb, names), tuple(cited))


def _names(observation: NormalizedObservation) -> list[str]:
    return [entity["name"] for entity in observation.metadata["entities"]]


def _told(metadata: Mapping[str, Any], verb: str, names: Sequence[str]) -> str:
    """`shop has 34 endpoints: GET / (3 times), … and 9 more.`"""
    noun, plural, times = str(metadata["noun"]), str(metadata["plural"]), metadata["times"]
    shown = [f"{name} ({times[name]} times)" if name in times else name for name in names]
    rest = int(metadata["names"]) - len(names)
    more = [f"{rest} more"] if rest > 0 else []
    return f"{metadata['owner']} {verb} {counted(int(metadata['total']), noun, plural)}: {listed([*shown, *more])}."
