"""The relations in hand as a small graph: which entities the question names, and the ways between them."""

from __future__ import annotations

import re
from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memory.entities import Entity
    from synthesis.extractive.sources import Edge

__all__ = ["Network", "said_at"]

_STRUCTURAL = "DEFINES"
_IMPORT = "IMPORTS"


def _folded(text: str) -> str:
    return re.sub(r"[-_]+", "-", text.casefold())


def said_at(question: str, name: str, *, surely: bool) -> int | None:
    """Where the question says a name; a plain word counts only with its capital, or when it is `surely` a name."""
    identifier = re.search(r"[-_.\d]|[a-z][A-Z]", name) is not None
    if surely or identifier:
        joint = "[- ]" if surely else "-"  # `the booking service` is `booking-service` once that is linked
        spelt = joint.join(re.escape(part) for part in _folded(name).split("-"))
        return _place(rf"(?<![\w-]){spelt}(?![\w-])", _folded(question))
    return _place(rf"\b{re.escape(name)}\b", question) if name[:1].isupper() and name in question else None


def _place(pattern: str, text: str) -> int | None:
    match = re.search(pattern, text)
    return match.start() if match else None


class Network:
    """Edges by their ends. Everything is in the order of the edges, so the same edges give the same answer."""

    def __init__(self, edges: Sequence[Edge]) -> None:
        self.edges = tuple(edges)

    def named_in(self, question: str, entities: Sequence[str] = ()) -> list[str]:
        """The names that the question means, in the order it says them, projects behind what has a name of its own."""
        sure = {_folded(name) for name in entities}
        places: dict[str, tuple[bool, int]] = {}
        for end in (end for edge in self.edges for end in (edge.relation.source, edge.relation.target)):
            for name, project in ((end.name, end.kind == "project"), (end.project, True)):
                at = said_at(question, name, surely=project or _folded(name) in sure) if name else None
                if at is not None:
                    places.setdefault(name, (project, at))
        distinct = {_folded(name): name for name in sorted(places, key=lambda n: (places[n], n), reverse=True)}
        return sorted(distinct.values(), key=lambda name: (places[name], name))

    def called(self, word: str) -> str | None:
        """The name of an end that is spelt like the word, whatever its capitals."""
        ends = (end.name for edge in self.edges for end in (edge.relation.source, edge.relation.target))
        return next((name for name in ends if _folded(name) == _folded(word)), None)

    @staticmethod
    def means(entity: Entity, name: str) -> bool:
        """Whether a name means this entity: by its own name, its class's, or its project's."""
        own, asked = _folded(entity.name), _folded(name)
        return asked in {own, _folded(entity.label), _folded(entity.project)} or own.startswith(f"{asked}.")

    def is_end(self, edge: Edge, name: str) -> bool:
        """Whether the edge touches what the name means."""
        return self.means(edge.relation.source, name) or self.means(edge.relation.target, name)

    def path(self, start: str, end: str) -> list[Edge]:
        """The shortest way from one name to the other along the relations' direction; empty when there is none."""
        queue = deque([edge] for edge in self.edges if self.means(edge.relation.source, start))
        seen = {way[0].relation.source.label for way in queue}
        while queue:
            way = queue.popleft()
            last = way[-1].relation.target
            if self.means(last, end):
                return way
            if last.label in seen:
                continue
            seen.add(last.label)
            queue.extend([*way, edge] for edge in self.edges if edge.relation.source.label == last.label)
        return []

    def meeting(self, start: str, end: str) -> tuple[list[Edge], list[Edge]]:
        """Two ways that end at one thing, when neither name leads to the other; empty lists when they never meet."""
        for target in dict.fromkeys(edge.relation.target.label for edge in self._meaningful()):
            first, second = self.path(start, target), self.path(end, target)
            if first and second:
                return first, second
        return [], []

    def into(self, name: str) -> list[Edge]:
        """Relations from elsewhere to what the name means."""
        return [edge for edge in self._across(name) if self.means(edge.relation.target, name)]

    def out_of(self, name: str) -> list[Edge]:
        """Relations from what the name means to elsewhere."""
        return [edge for edge in self._across(name) if self.means(edge.relation.source, name)]

    def direct(self, start: str, end: str) -> list[Edge]:
        """Every relation that leads from the one to the other in one step."""
        edges = self._meaningful()
        return [e for e in edges if self.means(e.relation.source, start) and self.means(e.relation.target, end)]

    def _across(self, name: str) -> list[Edge]:
        ends = [
            (self.means(e.relation.source, name), self.means(e.relation.target, name), e) for e in self._meaningful()
        ]
        return [edge for source, target, edge in ends if source != target]

    def chains_into(self, name: str) -> list[list[Edge]]:
        """Two relations in a row that end at what the name means: who reaches it through whom."""
        chains = []
        for last in self.into(name):
            for first in self._meaningful():
                through = first.relation.target.label == last.relation.source.label
                if through and first.relation.source.label != last.relation.target.label:
                    chains.append([first, last])
        return chains

    def _meaningful(self) -> list[Edge]:
        """Without what merely stands inside, and without the import behind a use of the same thing in the same file."""
        used = {_end_of(edge) for edge in self.edges if edge.relation.type not in {_STRUCTURAL, _IMPORT}}
        kept = [edge for edge in self.edges if edge.relation.type != _STRUCTURAL]
        return [edge for edge in kept if edge.relation.type != _IMPORT or _end_of(edge) not in used]


def _end_of(edge: Edge) -> tuple[str, str, str]:
    return edge.relation.project, edge.relation.path, edge.relation.target.label
