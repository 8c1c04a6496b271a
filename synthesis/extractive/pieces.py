"""Pieces of the best files: a short unit around each line that holds something of the question, and what it is worth.

    worth(piece) = √(the share of the question that its line holds) · the score of its file

The root, since a comment holds more of a question's words than the code that it is about. A line that proves a
relation which answers is worth as much as one that holds `_PROVES` of the question. No file's score is more than that
of one ranked before it: agents rate on scales of their own, and the ranking has settled between them.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from memory.text.units import CodeUnits, LineSpan, ProseUnits
from synthesis.extractive.block import Block

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from memory.observations import Location
    from synthesis.extractive.sources import CitedSource
    from synthesis.extractive.weighted_question import WeightedQuestion

_OPENED, _AROUND, _PIECE = 12, 8, 4
"""Up to how many lines the unit that a line opens, and one that it is in, are shown whole; how many lines of a longer
one: what decides is seldom beside the line that holds the question's words, and room is better spent on other lines.
"""
_FILES: Final = 20
_LONG: Final = 300
_LINES: Final = 200
"""Of how many of the best lines there is a piece."""
_PROVES: Final = 0.65
_OF_PLACE: Final = 0.2


def pieces_of(
    asked: WeightedQuestion, sources: Sequence[CitedSource], proofs: AbstractSet[Location] = frozenset()
) -> list[Block]:
    """Short blocks of the best files around the lines that hold something of the question, those of most worth first.

    Args:
        asked: the question.
        sources: where to look, best first.
        proofs: lines that prove a relation which answers.
    """
    proving: dict[tuple[str, str], set[int]] = {}
    for at in proofs:
        proving.setdefault((at.project, at.path), set()).add(at.start_line)
    found = [
        (-round(math.sqrt(share) * score, 6), rank, line, source)
        for rank, (source, score) in enumerate(_current(sources))
        for line, share in _telling(asked, source, proving.get(source.file, ()))
    ]
    pieces, shown = list[Block](), set[tuple[str, str, int]]()
    for less, _, line, source in sorted(found, key=lambda one: one[:3])[:_LINES]:
        if _place(source, line) not in shown:
            spans = _spans(source.units, line)
            shown |= {_place(source, n) for span in spans for n in range(span.first, span.last + 1)}
            if source.telling(spans):
                pieces.append(Block(source, spans, line, -less, asked))
    return pieces


def _current(sources: Sequence[CitedSource]) -> Iterator[tuple[CitedSource, float]]:
    """The sources of the best files with their scores; of two states of one thing the newer, since what was superseded
    is named by the conflict alone.
    """
    kept = {source.observation.id: source for source in sources}
    files, score = set[tuple[str, str]](), 1.0
    for source in sources:
        score = min(score, source.observation.score or 1.0)
        newer = kept.get(source.observation.superseded_by or "")
        if newer and (newer.project, newer.path) == (source.project, source.path):
            continue
        files.add(source.file)
        if len(files) <= _FILES:
            yield source, score


def _telling(asked: WeightedQuestion, source: CitedSource, proving: Collection[int]) -> Iterator[tuple[int, float]]:
    """The lines that hold something of the question, each with its share, and those of the file that prove; where there
    are none, the first with the share of the place.
    """
    lines = [n for n in source.focus if n not in source.debris]
    short = [n for n in lines if source.is_prose or len(source.lines[n]) <= _LONG]
    shares = {
        n: asked.share(held) for n in short or lines if n not in source.idle and (held := asked.held(source.lines[n]))
    }
    begins = source.location.start_line if source.location else 0
    proved = [number - begins for number in proving if number - begins in source.focus]
    shares |= {n: max(_PROVES, shares.get(n, 0.0)) for n in sorted(proved)}
    if not shares:
        shares = {n: _OF_PLACE * asked.share(source.named) for n in [n for n in lines if n not in source.idle][:1]}
    yield from shares.items()


@lru_cache(maxsize=32_768)
def _spans(units: CodeUnits | ProseUnits, line: int) -> tuple[LineSpan, ...]:
    """The unit that a line opens or is, and those around it, as far as they are short; of a long one a few lines.
    One piece of a file is read for many questions.
    """
    span = None
    for unit in units.enclosing(LineSpan(line, line)):
        if len(unit) > (_AROUND if span else _OPENED):
            break
        span = unit
    return (span,) if span and len(span) >= _PIECE else units.around(line, _PIECE)


def _place(source: CitedSource, line: int) -> tuple[str, str, int]:
    """A line by its project, its file and its number there."""
    return *source.file, line + (source.location.start_line if source.location else 0)
