"""From linked entities to a scope: which projects matter, how much, why, and which files prove it (001 §2.3, design §8)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from agents.linking import Link, linked_names
from memory.entities import Entity, EvidenceFile, Relationship, Scope, ScopedProject
from memory.graph.port import FileMention

__all__ = ["build_scope"]

_NEIGHBOUR = 0.5
_BOTH_ENDS = 3.0
_MENTION = 0.5
_STRUCTURAL = frozenset({"DEFINES"})


def build_scope(
    links: Sequence[Link],
    edges: Iterable[Relationship],
    mentions: Iterable[FileMention] = (),
    describing: Sequence[EvidenceFile] = (),
    *,
    max_projects: int,
    max_files: int,
) -> Scope:
    """The scope of some links and the edges at them.

    A linked entity's project counts with the link's confidence, a project at the other end of an edge with half of it;
    several speak together as independent evidence, 1 − (1 − a)(1 − b)…. A project that the question names ranks first;
    of equals the one whose link comes first in `links`.
    Files: where linked entities are defined and where edges are proven; an edge between two linked entities weighs
    three times (design §5a); `describing` are files that say what a linked entity is, with a weight of their own. Weights are divided by the greatest.
    """
    case = _Case({hit.entity.id: hit.confidence for hit in links}, {hit.entity.project for hit in links})
    for hit in links:
        case.hear_link(hit)
    for edge in edges:
        case.hear_edge(edge)
    for mention in mentions:
        case.prove(mention.project, mention.path, _MENTION * case.weights.get(mention.entity_id, 0.0), "mentions it")
    openings = {(file.project, file.path) for file in describing if file.opening}
    for file in describing:
        case.prove(file.project, file.path, file.weight, file.because)
    named = {hit.entity.project for hit in links if hit.entity.kind == "project"}
    first = {hit.entity.project: place for place, hit in reversed(list(enumerate(links)))}
    projects = sorted(
        case.projects(),
        key=lambda p: (p.project not in named, -p.confidence, first.get(p.project, len(links)), p.project),
    )
    files = sorted(case.evidence(openings), key=lambda f: (-f.weight, f.project, f.path))
    return Scope(projects=projects[:max_projects], files=tuple(files[:max_files]), linked=linked_names(links))


@dataclass
class _Case:
    """What speaks for each project and each file."""

    weights: Mapping[str, float]
    linked_projects: set[str]
    doubt: dict[str, float] = field(default_factory=dict)
    because: dict[str, list[str]] = field(default_factory=dict)
    files: dict[tuple[str, str], tuple[float, str]] = field(default_factory=dict)

    def hear_link(self, hit: Link) -> None:
        self.speak(hit.entity.project, hit.confidence, _defines(hit.entity))
        if hit.entity.kind != "project":
            self.prove(hit.entity.project, hit.entity.path, hit.confidence, _defines(hit.entity))

    def hear_edge(self, edge: Relationship) -> None:
        source, target = self.weights.get(edge.source.id), self.weights.get(edge.target.id)
        confidence = max(source or 0.0, target or 0.0)
        if edge.type in _STRUCTURAL or not confidence:
            return
        reason = f"{edge.source.name} {edge.type} {edge.target.name}"
        self.prove(edge.project, edge.path, confidence * (_BOTH_ENDS if source and target else 1.0), reason)
        other = edge.target if source else edge.source
        if not (source and target) and other.project not in self.linked_projects:
            self.speak(other.project, confidence * _NEIGHBOUR, reason)

    def speak(self, project: str, confidence: float, reason: str) -> None:
        self.doubt[project] = self.doubt.get(project, 1.0) * (1.0 - min(0.99, confidence))
        if reason not in self.because.setdefault(project, []):
            self.because[project].append(reason)

    def prove(self, project: str, path: str, weight: float, reason: str) -> None:
        if path and weight > self.files.get((project, path), (0.0, ""))[0]:
            self.files[project, path] = (weight, reason)

    def projects(self) -> list[ScopedProject]:
        return [
            ScopedProject(p, round(1.0 - rest, 4), "; ".join(self.because[p][:3])) for p, rest in self.doubt.items()
        ]

    def evidence(self, openings: AbstractSet[tuple[str, str]]) -> list[EvidenceFile]:
        greatest = max((weight for weight, _ in self.files.values()), default=1.0)
        return [
            EvidenceFile(*place, round(weight / greatest, 4), reason, opening=place in openings)
            for place, (weight, reason) in self.files.items()
        ]


def _defines(entity: Entity) -> str:
    return "is named in the question" if entity.kind == "project" else f"defines {entity.kind} {entity.name}"
