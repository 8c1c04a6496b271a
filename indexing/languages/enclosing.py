"""Which definition a position of a file lies in; gives definitions their qualified names on the way."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from indexing.facts import Definition

__all__ = ["WITH_MEMBERS", "Enclosing", "Span"]

WITH_MEMBERS: Final = frozenset({"class", "interface", "object", "struct", "enum"})
OPEN: Final = WITH_MEMBERS | {"namespace"}
"""What other definitions are in."""


@dataclass(frozen=True, slots=True)
class Span:
    """A definition and the characters it covers; without one, a place whose definitions can't be named outside."""

    start: int
    end: int
    definition: Definition | None


@dataclass(frozen=True, slots=True)
class Kept:
    """A span with its definition, qualified, and the place of what encloses it (-1 for the module)."""

    start: int
    end: int
    definition: Definition
    parent: int


class Enclosing:
    """The definitions a file offers: of the module and of classes, none of those inside a function's body.

    What a function defines inside cannot be called from elsewhere; what it says counts as the function's. A function of
    a class becomes a method, `Class.method`; a constant that is assigned again counts once. Where namespaces are
    `transparent`, a class or a namespace in one keeps its own name.
    """

    def __init__(self, spans: Iterable[Span], *, transparent: bool = False) -> None:
        self._transparent = transparent
        self.kept: list[Kept] = []
        open_at: list[tuple[int, int | None]] = []  # (end of the span, its place in `kept`; None inside a function)
        constants: set[str] = set()
        for span in sorted(spans, key=lambda s: (s.start, -s.end, s.definition.name if s.definition else "")):
            while open_at and open_at[-1][0] <= span.start:
                open_at.pop()
            parent = open_at[-1][1] if open_at else -1
            if parent is None or span.definition is None:
                open_at.append((span.end, None))
                continue
            definition = self._qualified(span.definition, parent)
            if definition.name in constants:
                continue
            if definition.kind == "constant":
                constants.add(definition.name)
            self.kept.append(Kept(span.start, span.end, definition, parent))
            open_at.append((span.end, len(self.kept) - 1 if definition.kind in OPEN else None))
        self._starts = [kept.start for kept in self.kept]

    def _qualified(self, inner: Definition, parent: int) -> Definition:
        if parent < 0:
            return replace(inner, kind="function") if inner.kind == "method" and not inner.parent else inner
        outer = self.kept[parent].definition
        if self._transparent and outer.kind == "namespace" and inner.kind in OPEN:
            return inner
        kind = "method" if inner.kind == "function" and outer.kind in WITH_MEMBERS else inner.kind
        if inner.parent:  # it names its class itself: Rust's `impl Order` in a module
            return inner
        return replace(inner, name=f"{outer.name}.{inner.name}", kind=kind, parent=outer.name)

    def name_at(self, position: int) -> str:
        """The qualified name of the innermost definition around a character; '' for the module."""
        place = bisect_right(self._starts, position) - 1
        while place >= 0 and self.kept[place].end <= position:
            place = self.kept[place].parent
        while place >= 0 and self.kept[place].definition.kind == "constant":
            place = self.kept[place].parent
        return self.kept[place].definition.name if place >= 0 else ""
