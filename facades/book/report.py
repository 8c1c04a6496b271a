"""Results and checks for people: a table, and a list with ticks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from facades.book.checklist import Check
    from facades.book.model import RetrievalResponse, RetrievalResult

__all__ = ["checklist", "table"]

_HEAD = ("rank", "score", "source", "section", "content")
_WIDEST = (4, 6, 44, 36, 60)


def table(response: RetrievalResponse) -> str:
    """A line a result, and one about the run."""
    rows = [_HEAD, *(_row(result) for result in response.results)]
    widths = [min(most, max(map(len, column))) for most, column in zip(_WIDEST, zip(*rows, strict=True), strict=True)]
    lines = ["  ".join(_fitted(cell, width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    used = ", ".join(f"{name} {value}" for name, value in response.parameters.items())
    lines.append(f"{response.total_results} results in {response.execution_time_ms:.0f} ms ({used})")
    return "\n".join(lines)


def checklist(checks: Sequence[Check]) -> str:
    """The checklist with its ticks, as Markdown."""
    lines = []
    for number, (section, items) in enumerate(groupby(checks, key=lambda check: check.section), start=1):
        lines.append(f"{number}. **{section}**:")
        lines += [f"   - [{'x' if check.passed else ' '}] {check.item} ({check.seen})" for check in items]
    return "\n".join([*lines, "", f"{sum(check.passed for check in checks)} of {len(checks)} hold"])


def _row(result: RetrievalResult) -> tuple[str, ...]:
    text = " ".join(result.content.split())
    return (str(result.rank), f"{result.similarity_score:.3f}", result.source_file, result.section_title, text)


def _fitted(text: str, width: int) -> str:
    return text.ljust(width) if len(text) <= width else f"{text[: width - 1]}…"
