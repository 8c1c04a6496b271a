"""A result as a notebook shows it: the answer, what it lacks, and each citation with whether it holds."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synthesis import Answer, Citation

__all__ = ["result_html"]

_STATES: Final = {True: "verified", False: "not verified"}
_CELL: Final = '<td style="text-align:left">'


def result_html(query: str, status: str, answer: Answer, missing: Sequence[str]) -> str:
    """HTML of one result, without scripts; whatever comes from a file is escaped.

    Args:
        query: The question.
        status: How it ended: answered, partial or not_found.
        answer: The text with its citations.
        missing: What was not reached, a sentence each.
    """
    parts = [
        f"<p><b>{escape(query)}</b> ({escape(status)})</p>",
        f'<pre style="white-space:pre-wrap">{escape(answer.text)}</pre>',
    ]
    if missing:
        lines = "".join(f"<li>{escape(line)}</li>" for line in missing)
        parts.append(f"<p>Not reached:</p><ul>{lines}</ul>")
    if answer.citations:
        rows = "".join(map(_row, answer.citations))
        parts.append(f"<details><summary>{len(answer.citations)} citations</summary><table>{rows}</table></details>")
    return f"<div>{''.join(parts)}</div>"


def _row(citation: Citation) -> str:
    state = _STATES[citation.verified] + ("" if citation.verified or not citation.reason else f": {citation.reason}")
    cells = (citation.marker, citation.quote, state)
    return "<tr>" + "".join(f"{_CELL}{escape(cell)}</td>" for cell in cells) + "</tr>"
