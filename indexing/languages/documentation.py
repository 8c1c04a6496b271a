"""The first line of a docstring or of a documentation comment."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    import tree_sitter

__all__ = ["file_summary", "summaries"]

TITLE: Final = re.compile(r"@(?:file|fileoverview|overview|module|packageDocumentation|description|summary)\b[ \t*]*")


def summaries(matches: Sequence[dict[str, list[tree_sitter.Node]]]) -> dict[int, str]:
    """First lines by where the node begins that each belongs to: right below, when it is a comment."""
    return {
        found["documented"][0].start_byte: _first_line(found["doc"][0])
        for found in matches
        if "documented" in found and (_inside(found) or _right_above(found))
    }


def file_summary(matches: Sequence[dict[str, list[tree_sitter.Node]]]) -> str:
    """What the file says about itself."""
    return next(
        (_first_line(f["doc"][0]) for f in matches if "documented" in f and f["documented"][0].parent is None), ""
    )


def _inside(found: dict[str, list[tree_sitter.Node]]) -> bool:
    return found["documented"][0].start_byte <= found["doc"][0].start_byte


def _right_above(found: dict[str, list[tree_sitter.Node]]) -> bool:
    doc, documented = found["doc"][0], found["documented"][0]
    return documented.start_point[0] - doc.end_point[0] <= 1 or "decorator" in {c.type for c in _between(doc, documented)}


def _first_line(node: tree_sitter.Node) -> str:
    written = node.text.decode("utf-8", "replace") if node.text else ""
    comment = written.startswith("/*")
    plain = (TITLE.sub("", written) if comment else written.strip("rbfuRBFU")).strip("\"'/*# \t\n\\")
    line = next((line.strip() for line in plain.split("\n") if line.strip()), "")
    return "" if comment and line.startswith("@") else line
