"""What a statement is made of: the rule's fields and the match, and which fields it may have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from indexing.rules.port import Fact
from indexing.rules.structure.matches import Part, Place, Selector, plain

__all__ = ["Assertion", "Fact", "Fields", "Statement"]

Fields: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Assertion:
    """A match and what the rule `rule` states of it."""

    rule: str
    statement: str
    fields: Fields
    match: Place

    def parts(self, field: str) -> list[Part]:
        """What a field names."""
        chosen = self.fields.get(field)
        return self.match.parts(chosen) if isinstance(chosen, Selector) else []

    def part(self, field: str) -> Part | None:
        """The first of these."""
        return next(iter(self.parts(field)), None)

    def flag(self, field: str, default: bool = False) -> bool:  # noqa: FBT001, FBT002  (a value like any other)
        """A field that is yes or no."""
        return bool(self.fields.get(field, default))

    def owner(self, part: Part | None = None) -> str:
        """Whose it is: the entity that the rule names, else the definition around."""
        return plain(self.part("by")) or self.around(part)

    def around(self, part: Part | None = None) -> str:
        """The definition that a part, else the match, is in."""
        return self.match.source.around(self.match.line(part))


@dataclass(frozen=True, slots=True)
class Statement:
    """`facts`: what all matches of one file become, None for what only others need (`scoped`: those);
    the fields of it.
    """

    facts: Callable[[list[Assertion]], Iterable[Fact]] | None
    required: tuple[str, ...]
    optional: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    scoped: bool = False
