"""From linked entities to a scope: which projects matter, how much and why (001 §2.3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from agents.linking import EntityLink, linked_names
from memory.entities import STRUCTURAL, Entity, Relationship, Scope, ScopedProject
from memory.statements import FoundStatement

_NEIGHBOUR = 0.5


def build_scope(
    links: Sequence[EntityLink],
    edges: Iterable[Relationship],
    spoken: Sequence[FoundStatement] = (),
    *,
    max_projects: int,
) -> Scope:
    """The scope of some links and the edges at them.

    A linked entity's project counts with the link's confidence, a project at the other end of an edge with half of it;
    several speak together as independent evidence, 1 − (1 − a)(1 − b)…. A project that the question names ranks first;
    of equals the one whose link comes first in `links`. Where nothing is linked, the projects of the relations that
    hold most of the question (the first of `spoken`, and its equals) count with the share that they hold: that is a
    guess.
    """
    case = _Case({hit.entity.id: hit.confidence for hit in links}, {hit.entity.project for hit in links})
    for hit in links:
        case.speak(hit.entity.project, hit.confidence, _defines(hit.entity))
    for edge in edges:
        case.hear_edge(edge)
    for one in spoken if not links else ():
        if one.coverage == spoken[0].coverage:
            for project in {one.relation.source.project: None, one.relation.target.project: None}:
                case.speak(project, one.coverage, _reason(one.relation))
    named = {hit.entity.project for hit in links if hit.entity.kind == "project"}
    first = {hit.entity.project: place for place, hit in reversed(list(enumerate(links)))}
    projects = sorted(
        case.projects(),
        key=lambda p: (p.project not in named, -p.confidence, first.get(p.project, len(links)), p.project),
    )
    return Scope(projects=projects[:max_projects], linked=linked_names(links), guessed=not links)


@dataclass
class _Case:
    """What speaks for each project."""

    weights: Mapping[str, float]
    linked_projects: set[str]
    doubt: dict[str, float] = field(default_factory=dict)
    because: dict[str, list[str]] = field(default_factory=dict)

    def hear_edge(self, edge: Relationship) -> None:
        source, target = self.weights.get(edge.source.id), self.weights.get(edge.target.id)
        other = edge.target if source else edge.source
        if edge.type in STRUCTURAL or bool(source) == bool(target) or other.project in self.linked_projects:
            return
        self.speak(other.project, (source or target or 0.0) * _NEIGHBOUR, _reason(edge))

    def speak(self, project: str, confidence: float, reason: str) -> None:
        self.doubt[project] = self.doubt.get(project, 1.0) * (1.0 - min(0.99, confidence))
        if reason not in self.because.setdefault(project, []):
            self.because[project].append(reason)

    def projects(self) -> list[ScopedProject]:
        return [
            ScopedProject(p, round(1.0 - rest, 4), "; ".join(self.because[p][:3])) for p, rest in self.doubt.items()
        ]


def _reason(edge: Relationship) -> str:
    return f"{edge.source.name} {edge.type} {edge.target.name}"


def _defines(entity: Entity) -> str:
    return "is named in the question" if entity.kind == "project" else f"defines {entity.kind} {entity.name}"
