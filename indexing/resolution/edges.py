"""Collects pieces of evidence into edges: one for each source, type, target and proving file."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Final

from indexing.resolution.modules import Given
from memory.entities import BY_NAMES, Entity, Evidence, Relationship

ORDER: Final = ("calls", "inherits", "import", "definition", "module")


@dataclass(slots=True)
class _Edge:
    source: Entity
    type: str
    target: Entity
    path: str
    confirmed: bool = False
    lines: set[int] = field(default_factory=set)
    evidence: dict[Evidence, None] = field(default_factory=dict)

    def order(self, piece: Evidence) -> tuple[bool, bool, int, str, int, str, str]:
        """The source's own lines come first, and what they say before how the name got there."""
        own = piece.project == self.source.project and piece.path == self.path
        rank = ORDER.index(piece.rule) if piece.rule in ORDER else 0
        return (not own, piece.project != self.source.project, rank, piece.path, piece.line, piece.rule, piece.says)


class Edges:
    """What is added twice is one edge with the lines and the evidence of both; a confirmed piece confirms it. sources:
    the projects whose edges are wanted.
    """

    def __init__(self, sources: Collection[str]) -> None:
        self._sources = sources
        self._joined: set[tuple[str, str]] = set()
        self._edges: dict[tuple[str, str, str, str], _Edge] = {}

    def add(
        self,
        source: Entity,
        relation: str,
        target: Entity,
        *,
        path: str,
        lines: Iterable[int],
        evidence: Iterable[Evidence],
        confirmed: bool = True,
    ) -> None:
        """Add what one place says; `path` is a file of the source's project, `lines` those that prove it there.
        Evidence at line 0 is in a secret (`secret_addresses.py`), which is never shown.
        """
        if source.id == target.id or source.project not in self._sources:
            return
        self._joined.add((source.id, target.id))
        edge = self._edges.setdefault((source.id, relation, target.id, path), _Edge(source, relation, target, path))
        edge.confirmed |= confirmed
        edge.lines.update(lines)
        edge.evidence.update(dict.fromkeys(piece for piece in evidence if piece.line))

    def add_given(
        self, source: Entity, relation: str, target: Entity, given: Given, *others: Given, confirmed: bool = True
    ) -> None:
        """Add what a clue says where it is, and those elsewhere that it agrees with."""
        place, clue = given
        pieces = [one.piece for one in (given, *others)]
        self.add(source, relation, target, path=place.path, lines=[clue.line], evidence=pieces, confirmed=confirmed)

    def joins(self, source: Entity, target: Entity) -> bool:
        return (source.id, target.id) in self._joined

    def has_rule(self, source: Entity, relation: str, target: Entity, path: str, line: int) -> bool:
        """Whether a rule says this of the line: what more than a name at both ends speaks for."""
        edge = self._edges.get((source.id, relation, target.id, path))
        return edge is not None and line in edge.lines and any(piece.rule != BY_NAMES for piece in edge.evidence)

    def confirmed(self, types: Collection[str]) -> list[Relationship]:
        """The confirmed relations of these types, by their ids."""
        return self._made(edge for edge in self._edges.values() if edge.confirmed and edge.type in types)

    def relationships(self) -> list[Relationship]:
        """All of them, by their ids."""
        return self._made(self._edges.values())

    def _made(self, edges: Iterable[_Edge]) -> list[Relationship]:
        made = (
            Relationship(
                source=edge.source,
                type=edge.type,
                target=edge.target,
                project=edge.source.project,
                path=edge.path,
                lines=tuple(sorted(edge.lines)),
                status="confirmed" if edge.confirmed else "candidate",
                evidence=tuple(sorted(edge.evidence, key=edge.order)),
            )
            for edge in edges
        )
        return sorted(made, key=lambda r: r.id)
