"""Which definition a position of a file lies in; gives definitions their qualified names on the way."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from indexing.facts import Definition

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Enclosing", "Span"]


@dataclass(frozen=True, slots=True)
class Span:
    """A definition and the bytes it covers."""

    start: int
    end: int
    definition: Definition


class Enclosing:
    """The definitions a file offers: of the module and of classes, none of those inside a function's body.

    What a function defines inside cannot be called from elsewhere; what it says counts as the function's. A function of
    a class becomes a method, `Class.method`; a constant that is assigned again counts once.
    """

    def __init__(self, spans: Iterable[Span]) -> None:
        self.kept: list[Span] = []
        self._parents: list[int] = []
        open_at: list[tuple[int, int]] = []  # (end of the span, its place in `kept`; -1 inside a function)
        constants: set[str] = set()
        for span in sorted(spans, key=lambda s: (s.start, -s.end, s.definition.name)):
            while open_at and open_at[-1][0] <= span.start:
                open_at.pop()
            parent = open_at[-1][1] if open_at else None
            inside_function = parent is not None and self.kept[parent].definition.kind not in {"class", "interface"}
            if inside_function or span.definition.name in constants:
                continue
            if span.definition.kind == "constant":
                constants.add(span.definition.name)
            self.kept.append(self._qualified(span, parent))
            self._parents.append(-1 if parent is None else parent)
            open_at.append((span.end, len(self.kept) - 1))
        self._starts = [span.start for span in self.kept]

    def _qualified(self, span: Span, parent: int | None) -> Span:
        if parent is None:
            return span
        outer, inner = self.kept[parent].definition, span.definition
        kind = "method" if inner.kind == "function" else inner.kind
        return replace(span, definition=replace(inner, name=f"{outer.name}.{inner.name}", kind=kind, parent=outer.name))

    def name_at(self, position: int) -> str:
        """The qualified name of the innermost definition around a byte; '' for the module."""
        place = bisect_right(self._starts, position) - 1
        while place >= 0 and self.kept[place].end <= position:
            place = self._parents[place]
        if place < 0 or self.kept[place].definition.kind == "constant":
            return ""
        return self.kept[place].definition.name
