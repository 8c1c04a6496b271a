"""The first line of a docstring or of a documentation comment."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    import tree_sitter

__all__ = ["file_summary", "summaries"]

TITLE: Final = re.compile(r"\A@(?:file|fileoverview|overview|module|packageDocumentation|description|summary)\b[\s*]*")


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
