"""The first line of a docstring or of a documentation comment, and where a definition begins above its name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    import tree_sitter

    from indexing.languages.table import Language

__all__ = ["comment_above", "file_summary", "first_node", "summaries"]

TITLE: Final = re.compile(r"\A@(?:file|fileoverview|overview|module|packageDocumentation|description|summary)\b[\s*]*")

MARKUP: Final = re.compile(r"</?[A-Za-z][^<>]*>")
LICENCE: Final = re.compile(r"copyright|licen[cs]ed? |spdx-|\(c\)", re.IGNORECASE)


def comment_above(node: tree_sitter.Node, language: Language) -> str:
    """The first line of the documentation that stands directly above a node, over any number of comments."""
    lines: list[str] = []
    at = node
    while at.prev_named_sibling is None and at.parent is not None and at.parent.start_byte == at.start_byte:
        at = at.parent
    while (above := at.prev_named_sibling) is not None and above.type.endswith("comment"):
        text = above.text.decode("utf-8", "replace") if above.text else ""
        if at.start_point[0] - _last_row(above) > 1 or not re.match(language.doc, text):
            break
        lines[:0] = text.split("\n")
        at = above
    plain = (MARKUP.sub("", line.strip(" \t\r/*#!")).strip() for line in lines)
    line = next((line for line in plain if line), "")
    return "" if line.startswith("@") or LICENCE.search(line) else line


def first_node(node: tree_sitter.Node, language: Language) -> tree_sitter.Node:
    """The node itself, or the first of those in front of it that belong to it."""
    while (above := node.prev_named_sibling) is not None and above.type in language.above:
        node = above
    return node


def _last_row(node: tree_sitter.Node) -> int:
    row, column = node.end_point
    return int(row) if column else int(row) - 1  # some comments hold their line's end


def summaries(matches: Sequence[dict[str, list[tree_sitter.Node]]]) -> dict[int, str]:
    """First lines by where the node begins that each belongs to: right below, when it is a comment."""
    return {
        found["documented"][0].start_byte: _first_line(found["doc"][0])
        for found in matches
        if "documented" in found and _belongs(found)
    }


def file_summary(matches: Sequence[dict[str, list[tree_sitter.Node]]]) -> str:
    """What the file says about itself."""
    return next(
        (_first_line(f["doc"][0]) for f in matches if "documented" in f and f["documented"][0].parent is None), ""
    )


def _belongs(found: dict[str, list[tree_sitter.Node]]) -> bool:
    doc, documented = found["doc"][0], found["documented"][0]
    below = doc.next_named_sibling
    return documented.start_byte <= doc.start_byte or below is None or below.start_point[0] - doc.end_point[0] <= 1


def _first_line(node: tree_sitter.Node) -> str:
    written = node.text.decode("utf-8", "replace") if node.text else ""
    comment = written.startswith("/*")
    plain = written.strip("rbfuRBFU").strip("\"'/*# \t\n\\")
    if comment:
        plain = TITLE.sub("", plain)
    line = next((line.strip() for line in plain.split("\n") if line.strip()), "")
    return "" if comment and line.startswith("@") else line
