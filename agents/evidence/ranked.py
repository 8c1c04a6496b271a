"""Packs from the ranking of files: whole blocks of the best, and the lines that hold most of the question, or prove a
relation that does, each with what belongs to it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from agents.evidence.pack import RELATION, EvidenceItem
from agents.evidence.selection import Picked, missing_of, part_of
from agents.file_ranking import File
from configs.settings import EvidenceSettings
from memory.files import WholeFiles
from memory.statements import FoundStatement
from memory.text import estimate_tokens
from memory.text.kinds import idle_lines, is_debris
from memory.text.lines import split_lines
from memory.text.units import CodeUnits, LineSpan, ProseUnits, units_of
from memory.vector.port import Chunk

_DOCUMENTS: Final = frozenset({"markdown", "rst", "asciidoc"})
_BLOCK_LINES: Final = 200
_CUT_LINES: Final = (40, 20, 8)
"""How many lines of a unit are shown that is too long for a block."""
_WIDENED: Final = 1.5
"""How much larger than elsewhere blocks may be that take what is left of the budget."""
_TRIED: Final = 4
"""Of how many lines of a chunk too long to show the surroundings are looked at."""
_LEAST_COVERAGE: Final = 0.3
"""What share of the question a relation holds whose lines are shown."""
_FIRST: Final = 0.25
"""The share of a pack that is blocks before lines have their turn."""
_FILES: Final = 20
"""In how many files lines are looked for that hold words of the question."""
_LINES: Final = 200
"""For how many of the best lines there is a place in the pack, if it has room."""
_AROUND: Final = 9
"""How many lines a line is shown with at most."""


@dataclass(frozen=True, slots=True)
class _Text:
    """A file that is what was indexed."""

    lines: Sequence[str]
    units: CodeUnits | ProseUnits
    idle: frozenset[int]

    def tokens(self, span: LineSpan) -> int:
        return estimate_tokens("\n".join(self.lines[span.first : span.last + 1]))

    def largest(self, within: LineSpan, fits: Callable[[LineSpan], bool]) -> LineSpan | None:
        """The largest unit around some lines that fits."""
        best = None
        for unit in self.units.enclosing(within):
            if not fits(unit):
                break
            best = unit
        return best

    def around(self, line: int, fits: Callable[[LineSpan], bool]) -> LineSpan:
        """The largest unit around a line that fits; of one too long, whole statements of it."""
        tried = (span for most in _CUT_LINES for span in self.units.around(line, most) if LineSpan(line, line) in span)
        return self.largest(LineSpan(line, line), fits) or next(filter(fits, tried), LineSpan(line, line))

    def piece(self, item: EvidenceItem, span: LineSpan) -> EvidenceItem:
        """The item with these lines."""
        return part_of(item, self.lines, (span.first + 1, span.last + 1))


class RankedPieces:
    """Fills a pack with blocks and proofs, as far as number and budget go.

    Args:
        files: where blocks are read; None shows the chunks as they were stored.
        settings: how large a block may be.
        query: what is asked.
        reading: what a line holds of the question; None where no one knows.
    """

    def __init__(
        self,
        files: WholeFiles | None,
        settings: EvidenceSettings,
        query: str,
        reading: Callable[[str], Mapping[int, float]] | None = None,
    ) -> None:
        self._files = files
        self._settings = settings
        self._query = query
        self._reading = reading or (lambda _: {})
        self._known: dict[File, _Text | None] = {}

    async def fill(
        self, picked: Picked, items: Sequence[EvidenceItem], statements: Sequence[FoundStatement], *, need: int = 0
    ) -> None:
        """The best blocks, then the lines that say most, then more blocks and more around each piece.

        need: how many pieces of each corpus the blocks have before anything else has its turn, where there are so many.
        """
        left = list(items)
        while (item := _next(picked, left, need)) is not None:
            left.remove(item)
            picked.offer(*await self._versions(item))
        for item, number in self._lines(items, statements):
            text = await self._text(item.chunk)
            if text is None or picked.covers(item.chunk.project, item.chunk.path, number):
                continue
            for span in text.units.around(number - 1, _AROUND):
                piece = text.piece(item, span)
                is_said = not is_debris(split_lines(piece.text))  # what stands beside an import may be another
                if is_said and not picked.join(piece, text.lines):
                    picked.offer(piece)
        for item in left:
            if picked.full:
                break
            picked.offer(*await self._versions(item))
        if self._settings.max_tokens:
            await self._widen(picked)

    def _lines(
        self, items: Sequence[EvidenceItem], statements: Sequence[FoundStatement]
    ) -> Iterator[tuple[EvidenceItem, int]]:
        """Lines of the chunks, those of most worth first: score of the chunk's place in the order, which a reranker may
        have changed · share of the question, which the line holds or a relation that it proves; an import is no line to
        read.
        """
        scores = sorted((item.score for item in items), reverse=True)
        total = math.fsum(self._reading(self._query).values()) or 1.0
        proofs: dict[tuple[File, int], FoundStatement] = {}
        for statement in statements:
            if statement.coverage >= _LEAST_COVERAGE and statement.relation.type != "IMPORTS":
                for place in statement.places:
                    proofs.setdefault(place, statement)
        best = set(list(dict.fromkeys(map(_file, items)))[:_FILES])
        found: list[tuple[float, int, int, EvidenceItem]] = []
        for rank, item in enumerate(items):
            file = _file(item)
            is_read = file in best
            for number, line in enumerate(split_lines(item.chunk.text), item.chunk.start_line):
                proof = proofs.get((file, number))
                share = math.fsum(self._reading(line).values()) / total if is_read else 0.0
                own = item
                if proof is not None and proof.coverage >= share:
                    share = proof.coverage
                    own = replace(item, retrieval_route=RELATION, reason=proof.sentence, score=round(share, 6))
                if share and not is_debris([line]):
                    found.append((-round(share * scores[rank], 6), rank, number, own))
        for _, _, number, own in sorted(found, key=lambda one: one[:3])[:_LINES]:
            yield own, number

    async def _widen(self, picked: Picked) -> None:
        """What is left of the budget shows more around the pieces, the best first."""
        for place, item in enumerate(list(picked.items)):
            text = await self._text(item.chunk)
            if text is None:
                continue
            around = [
                unit
                for unit in text.units.enclosing(LineSpan(item.start_line - 1, item.end_line - 1))
                if text.tokens(unit) <= _WIDENED * self._settings.block_tokens
            ]
            for unit in reversed(around):
                if picked.widen(place, text.lines, (unit.first + 1, unit.last + 1)):
                    break

    async def _versions(self, item: EvidenceItem) -> list[EvidenceItem]:
        """The piece as the whole block that it is part of, and as it was stored;
        of one too long, where it says most.
        """
        text = await self._text(item.chunk)
        if text is None:
            return [item]

        def fits(span: LineSpan) -> bool:
            return len(span) <= _BLOCK_LINES and text.tokens(span) <= self._settings.block_tokens

        own = LineSpan(item.start_line - 1, item.end_line - 1)
        if item.chunk.corpus == "code":
            own = _speaking(text, own, fits)
        wide = text.largest(own, fits)
        if wide is None and not fits(own):
            return [text.piece(item, self._telling(text, own, fits))]
        return [text.piece(item, span) for span in dict.fromkeys((wide or own, own))]

    def _telling(self, text: _Text, within: LineSpan, fits: Callable[[LineSpan], bool]) -> LineSpan:
        """The unit of these lines that holds most of the question, the longest of several."""
        lines = [n for n in range(within.first, within.last + 1) if text.lines[n].strip()]
        held = {n: self._reading(text.lines[n]) for n in lines}
        tried = sorted(lines, key=lambda n: (-round(math.fsum(held[n].values()), 6), n))[:_TRIED]

        def worth(span: LineSpan) -> tuple[float, int, int]:
            terms: dict[int, float] = {}
            for n in range(span.first, span.last + 1):
                terms.update(held.get(n, {}))
            return round(sum(terms.values()), 6), len(span), -span.first

        return max((text.around(n, fits) for n in tried), key=worth, default=within)

    async def _text(self, chunk: Chunk) -> _Text | None:
        """The file of a chunk, where it is what was indexed."""
        file = (chunk.project, chunk.path)
        if file not in self._known:
            lines = await self._files.file(*file) if self._files is not None and chunk.start_line > 0 else None
            self._known[file] = None if lines is None else _read(lines, chunk)
        text = self._known[file]
        own = split_lines(chunk.text)
        return text if text is not None and list(text.lines[chunk.start_line - 1 :][: len(own)]) == own else None


def _next(picked: Picked, left: Sequence[EvidenceItem], need: int) -> EvidenceItem | None:
    """What the first part takes: the best of a corpus that is short of its share, else the best; None at its end."""
    short = missing_of(picked.items, need)
    lacking = (item for item in left if item.chunk.corpus in short)
    best = None if picked.share >= _FIRST else next(iter(left), None)
    return None if picked.full else next(lacking, best)


def _file(item: EvidenceItem) -> File:
    return item.chunk.project, item.chunk.path


def _read(lines: Sequence[str], chunk: Chunk) -> _Text:
    prose = chunk.lang in _DOCUMENTS
    idle = frozenset[int]() if prose else idle_lines(tuple(lines))
    return _Text(lines, units_of(lines, prose=prose, left_out=idle, lang=chunk.lang), idle)


def _speaking(text: _Text, own: LineSpan, fits: Callable[[LineSpan], bool]) -> LineSpan:
    """Lines of code without the licence and the imports above them;
    imports alone with what follows, as far as that fits.
    """
    numbers = (n for n in range(own.first, own.last + 1) if n not in text.idle and not is_debris([text.lines[n]]))
    first = next(numbers, None)
    if first is not None:
        return LineSpan(first, own.last)
    after = next((n for n in range(own.last + 1, len(text.lines)) if text.lines[n].strip()), None)
    if after is None:
        return own
    block = next(text.units.enclosing(LineSpan(after, after)), LineSpan(after, after))
    if fits(own.joined(block)):
        return own.joined(block)
    last = block.last
    while last > block.first and not fits(LineSpan(block.first, last)):
        last -= 1
    return LineSpan(block.first, last)
