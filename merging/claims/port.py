"""What a rule reads and what it makes of it (design §4, conflicts): a claim is a value stated for a property."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from memory.observations import Location

__all__ = ["Claim", "ClaimRule", "Passage"]


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of an observation in one notation: a file's lines, a fenced block of a document, a graph's summary.

    `path` names the file the notation belongs to: for a fenced block the file that the document says it shows, or ''.
    `notation` is its lower-case suffix (`yaml`, `sql`, `md`, `summary` …); `first_line` is 1 where the file begins.
    """

    project: str
    path: str
    notation: str
    text: str
    first_line: int = 1
    section: str = ""
    where: Location | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """`subject`'s `property` is `value`, says this place.

    Claims meet only where project, `unit`, subject and property are the same; `unit` keeps apart what one project holds
    several times, such as the packages of a monorepo. `where` is None when the claim has no place of its own.
    """

    project: str
    subject: str
    property: str
    value: str
    unit: str = ""
    where: Location | None = None

    def key(self) -> tuple[str, str, str, str]:
        """What it is about."""
        return self.project, self.unit, self.subject, self.property


class ClaimRule(Protocol):
    """Reads one kind of statement. Conservative: what is not certain is not claimed."""

    notations: frozenset[str]

    def claims(self, passage: Passage) -> Iterator[Claim]:
        """The claims of a passage in one of its notations."""
        ...
