"""The whole unit around a line: a function, a statement, a mapping, a paragraph, the rows of a table.

Found from what every language shows: indentation, closing brackets, blank lines, headings, fences. Lines count from 0.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache

from memory.text.units.code import CodeUnits, LineSpan
from memory.text.units.prose import ProseUnits

__all__ = ["CodeUnits", "LineSpan", "ProseUnits", "units_of"]


def units_of(
    lines: Sequence[str], *, prose: bool, left_out: Collection[int] = frozenset(), lang: str = "markdown"
) -> CodeUnits | ProseUnits:
    """The units of a piece of a file; one piece is read for many questions.

    Args:
        lines: its lines.
        prose: whether it is a document rather than code or settings.
        left_out: lines that no unit takes in beside others, such as a licence's.
        lang: how a document marks its headings: `markdown`, `rst` or `asciidoc`.
    """
    return _units(tuple(lines), prose, frozenset(left_out), lang)


@lru_cache(maxsize=4096)
def _units(lines: tuple[str, ...], prose: bool, left_out: frozenset[int], lang: str) -> CodeUnits | ProseUnits:  # noqa: FBT001 - private
    return ProseUnits(lines, lang) if prose else CodeUnits(lines, left_out)
