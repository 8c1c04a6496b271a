"""Definitions in a file: which one a position lies in, where each begins above its name, and what documents it.

Definitions get their qualified names on the way; of a docstring or a documentation comment the first line counts.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from extraction.facts import Definition
from extraction.languages.nodes import end_of, last_line_of, line_of, named_above, named_below, start_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ast_grep_py import SgNode

    from extraction.languages.matching import Match
    from extraction.languages.table import Language

WITH_MEMBERS: Final = frozenset({"class", "interface", "object", "struct", "enum"})
OPEN: Final = WITH_MEMBERS | {"namespace"}
"""What other definitions are in."""
TITLE: Final = re.compile(r"\A@(?:file|fileoverview|overview|module|packageDocumentation|description|summary)\b[\s*]*")

MARKUP: Final = re.compile(r"</?[A-Za-z][^<>]*>")
LICENCE: Final = re.compile(r"copyright|licen[cs]ed? |spdx-|\(c\)", re.IGNORECASE)


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


def comment_above(node: SgNode, language: Language) -> str:
    """The first line of the documentation that is directly above a node, over any number of comments."""
    lines: list[str] = []
    at = node
    while named_above(at) is None and (outer := at.parent()) is not None and start_of(outer) == start_of(at):
        at = outer
    while (above := _above(at)) is not None and above.kind().endswith("comment"):
        text = above.text()
        if line_of(at) - last_line_of(above) > 1 or not re.match(language.doc, text):
            break
        lines[:0] = text.split("\n")
        at = above
    lines = lines or _swallowed(at, language)
    begin = re.compile(rf"\A\s*(?:{language.doc})")
    plain = (MARKUP.sub("", begin.sub("", line, count=1).strip(" \t\r/*#!")).strip() for line in lines)
    line = next((line for line in plain if line), "")
    return "" if line.startswith("@") or LICENCE.search(line) else line


def _above(node: SgNode) -> SgNode | None:
    """What is above it: a comment behind imports is part of them in Kotlin's grammar."""
    above = named_above(node)
    while above is not None and above.kind() in {"import_list", "import_header"}:
        above = above.named_children()[-1]
    return above


def _swallowed(node: SgNode, language: Language) -> list[str]:
    """The lines of a comment that the tree leaves out: in Kotlin's it is part of the end of the line before."""
    above, around = _above(node), node.parent()
    if around is None or line_of(node) - (last_line_of(above) if above else line_of(around)) < 2:
        return []
    begin, offset = (end_of(above) if above else start_of(around)), start_of(around)
    between = around.text()[begin - offset : start_of(node) - offset].strip("{ \t").removesuffix("\n").lstrip()
    return between.split("\n") if re.match(language.doc, between) and between == between.rstrip() else []


def first_node(node: SgNode, language: Language) -> SgNode:
    """The node itself, or the first of those in front of it that belong to it."""
    while (above := named_above(node)) is not None and above.kind() in language.above:
        node = above
    return node


def summaries(matches: Sequence[Match]) -> dict[int, str]:
    """First lines by where the node begins that each belongs to: right below, when it is a comment."""
    return {
        start_of(found["documented"]): _first_line(found["doc"])
        for found in matches
        if "documented" in found and _belongs(found)
    }


def file_summary(matches: Sequence[Match]) -> str:
    return next((_first_line(f["doc"]) for f in matches if "documented" in f and f["documented"].parent() is None), "")


def _belongs(found: Match) -> bool:
    doc, documented = found["doc"], found["documented"]
    below = named_below(doc)
    return start_of(documented) <= start_of(doc) or below is None or line_of(below) - doc.range().end.line <= 2


def _first_line(node: SgNode) -> str:
    written = node.text()
    comment = written.startswith("/*")
    plain = written.strip("rbfuRBFU").strip("\"'/*# \t\n\\")
    if comment:
        plain = TITLE.sub("", plain)
    line = next((line.strip() for line in plain.split("\n") if line.strip()), "")
    return "" if comment and line.startswith("@") else line
