"""What a project is: its summary, how its own texts introduce it, who uses it and what it needs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from memory.text.lines import split_lines
from synthesis.extractive.cleaning import shortened
from synthesis.extractive.introduction import introduction, opening_words
from synthesis.extractive.inventory import inventory_lines
from synthesis.extractive.sources import Source
from synthesis.extractive.statements import Claim, Line
from synthesis.extractive.wording import listed
from synthesis.markers import graph_marker

if TYPE_CHECKING:
    from synthesis.extractive.network import Network
    from synthesis.extractive.sources import Edge, Ground

__all__ = ["project_lines"]

_SAYS_NOTHING: Final = re.compile(r"^package \S+$")
"""What a manifest without a description comes to."""
_WHERE: Final = re.compile(r"^(\S+ is an? \S+)(?: of \S+)? \([^)]*\)\.\s*")


def project_lines(source: Source, ground: Ground, network: Network) -> list[Line]:
    """The project in a line, and two bullets: who uses it, and what of the others it uses."""
    name = source.observation.entities_mentioned[0] if source.observation.entities_mentioned else source.project
    own = [s for s in ground.sources if s.project == source.project and s is not source and s.location is not None]
    told = introduction(name, own, whole=True) or opening_words(own)
    lines = [Line((_summary(source, name, own), *told))]
    for word, edges, is_target in (("Used by", network.into(name), False), ("Uses", network.out_of(name), True)):
        lines += _others(word, edges, is_target=is_target)
    return [*lines, *inventory_lines(ground, beside=source.project)]


def _summary(source: Source, name: str, own: list[Source]) -> Claim:
    """The line that sums the project up, cited where it stands if that is in hand, else from the graph."""
    told = " ".join(split_lines(source.observation.content)[:1])
    said = _WHERE.sub("", told).strip().rstrip(".")
    if not said or said == told.strip().rstrip("."):
        return _from_graph(source, shortened(told))
    if _SAYS_NOTHING.search(said):
        return _from_graph(source, told.removesuffix(said).rstrip())
    for other in own:
        number = next((n for n, line in enumerate(other.lines) if said in " ".join(line.split())), None)
        if number is not None:
            text = f"{name}: {shortened(said)}."
            return Claim(text, (other.citation(text, other.lines[number].strip(), number, number),))
    return _from_graph(source, f"{name}: {shortened(said)}.")


def _from_graph(source: Source, text: str) -> Claim:
    told = Source(source.observation, None, tuple(split_lines(source.observation.content)))
    return Claim(text, (told.citation(text, told.lines[0][:200], 0, 0),))


def _others(word: str, edges: list[Edge], *, is_target: bool) -> list[Line]:
    """`Used by httpcore and httpx.`, a project once, by the relation that says it first."""
    projects: dict[str, Edge] = {}
    for edge in sorted(edges, key=lambda e: e.relation.type != "DEPENDS_ON"):
        projects.setdefault((edge.relation.target if is_target else edge.relation.source).project, edge)
    cited = tuple(
        edge.citation(
            graph_marker([edge.relation.source.label, edge.relation.target.label]),
            f"{edge.relation.source.project} uses {edge.relation.target.project}",
        )
        for edge in projects.values()
    )
    return [Line((Claim(f"{word} {listed(list(projects))}.", cited),), "- ")] if projects else []
