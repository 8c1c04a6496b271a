"""`Inspection`: all that the page of one run is drawn from.

Reads the lines that a result's citations and graph observations stand on, inside the question's permission.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

import anyio

from memory.errors import HybridRetrievalError
from memory.observations import Location

if TYPE_CHECKING:
    from memory.files import FileText
    from orchestrator.events import Event

__all__ = ["Excerpt", "Inspection", "Place", "place_of", "read_excerpts"]


Place: TypeAlias = tuple[str, str, int, int]

"""Project, path, first and last line."""

E = TypeVar("E")


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Lines of a file from `start` on, as the generation holds them; cut: the place goes on below."""

    start: int
    lines: tuple[str, ...]
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Inspection:
    """One run: its result's JSON, its events with the milliseconds at which they came, the deadlines it had, and the text
    of the places it names, as far as the question's permission goes.
    """

    result: Mapping[str, Any]
    events: tuple[tuple[float, Event], ...]
    agent_ms: float
    total_ms: float
    excerpts: Mapping[Place, Excerpt] = field(default_factory=dict)

    def of(self, kind: type[E]) -> Iterator[tuple[float, E]]:
        """The events of one kind, with their times."""
        return ((at, event) for at, event in self.events if isinstance(event, kind))


def place_of(location: Mapping[str, Any]) -> Place:
    """Of a location in the result's JSON."""
    return location["project"], location["path"], location["start_line"], location["end_line"]


PATIENCE: Final = 10.0  # seconds for all of them

CONTEXT: Final = 3  # lines before and after a citation

_CITED, _PROVING = 40, 12  # lines of one place at most: a citation's, and those that prove a relation


async def read_excerpts(files: FileText | None, result: Mapping[str, Any]) -> dict[Place, Excerpt]:
    """The excerpts by place. files: what the question's permission lets one read; what is out of reach, or late, is left
    out.
    """
    excerpts: dict[Place, Excerpt] = {}
    if files is None:
        return excerpts
    with anyio.move_on_after(PATIENCE):
        for place, most, around in _wanted(result):
            if place not in excerpts:
                found = await _read(files, place, most, around)
                if found is not None:
                    excerpts[place] = found
    return excerpts


def _wanted(result: Mapping[str, Any]) -> Iterator[tuple[Place, int, int]]:
    """Place, lines at most, and lines around it; citations come first, since theirs have more around them."""
    for citation in result["citations"]:
        if citation["location"] is not None:
            yield place_of(citation["location"]), _CITED, CONTEXT
    for observation in result["observations"]:
        if observation["source"].startswith("graph:"):
            yield from ((place_of(at), _PROVING, 0) for at in observation["locations"])


async def _read(files: FileText, place: Place, most: int, around: int) -> Excerpt | None:
    project, path, start, end = place
    first, last = max(1, start - around), min(end, start + most - 1)
    for after in range(around if last == end else 0, -1, -1):  # the file may end sooner
        try:
            lines = await files.lines(Location(project, path, first, last + after))
        except HybridRetrievalError:  # a store that is gone, a call that a recording lacks: no text, no failure
            return None
        if lines is not None:
            return Excerpt(first, tuple(lines), cut=last < end)
    return None
