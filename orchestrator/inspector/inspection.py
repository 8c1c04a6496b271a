"""`Inspection`: all that the page of one run is drawn from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

if TYPE_CHECKING:
    from orchestrator.events import Event

__all__ = ["Excerpt", "Inspection", "Place", "place_of"]

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
