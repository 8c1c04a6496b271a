"""The first line of a docstring or of a documentation comment, and where a definition begins above its name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from indexing.languages.nodes import end_of, last_line_of, line_of, named_above, named_below, start_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ast_grep_py import SgNode

    from indexing.languages.matching import Match
    from indexing.languages.table import Language

__all__ = ["comment_above", "file_summary", "first_node", "summaries"]

TITLE: Final = re.compile(r"\A@(?:file|fileoverview|overview|module|packageDocumentation|description|summary)\b[\s*]*")

MARKUP: Final = re.compile(r"</?[A-Za-z][^<>]*>")
LICENCE: Final = re.compile(r"copyright|licen[cs]ed? |spdx-|\(c\)", re.IGNORECASE)


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
    """What the file says about itself."""
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
