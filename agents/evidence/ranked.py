"""Packs from the ranking of files: whole blocks of the best, and the lines that prove the relations asked about."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from agents.evidence.pack import RANKED, RELATION, EvidenceItem, item_of
from agents.evidence.selection import Picked, missing_of, part_of
from agents.file_ranking import File
from agents.search import Candidate
from configs.settings import EvidenceSettings
from memory.files import WholeFiles
from memory.statements import FoundStatement
from memory.text import estimate_tokens
from memory.text.kinds import idle_lines, is_debris
from memory.text.lines import split_lines
from memory.text.units import CodeUnits, LineSpan, ProseUnits, units_of
from memory.vector.port import Chunk, Hit

_DOCUMENTS: Final = frozenset({"markdown", "rst", "asciidoc"})
_BLOCK_LINES: Final = 200
_CUT_LINES: Final = (40, 20, 8)
"""How many lines of a unit are shown that is too long for a block."""
_WIDENED: Final = 1.5
"""How much larger than elsewhere blocks may be that take what is left of the budget."""
_REPEATED: Final = 0.9
"""What each further piece of one file counts, beside the one before."""
_IMPORTS: Final = 0.7
"""What imports count beside code that does something."""
_TRIED: Final = 4
"""Of how many lines of a chunk too long to show the surroundings are looked at."""
_PROOF_LINES: Final = 8
_LEAST_COVERAGE: Final = 0.3
"""What share of the question a relation holds whose lines are shown."""
_FIRST: Final = 0.5
"""The share of a pack, by pieces or by tokens, that is blocks before relations have their turn."""


def spread(candidates: Sequence[Candidate]) -> list[EvidenceItem]:
    """The chunks as items ranked from 1: by score, the further ones of a file a little later than that.

    The first of a file carries the relation for which the file was found.
    """
    counts: dict[File, int] = {}
    scored = []
    for one in candidates:
        chunk = one.chunk
        before = counts.get((chunk.project, chunk.path), 0)
        counts[chunk.project, chunk.path] = before + 1
        empty = chunk.corpus == "code" and is_debris(split_lines(chunk.text))
        score = round(one.score * _REPEATED**before * (_IMPORTS if empty else 1.0), 6)
        scored.append((score, "" if before else one.evidence, chunk))
    scored.sort(key=lambda row: (-row[0], row[2].project, row[2].path, row[2].start_line, row[2].id))
    return [
        replace(item_of(Hit(chunk, score, routes=(RANKED,)), rank), reason=reason)
        for rank, (score, reason, chunk) in enumerate(scored, start=1)
    ]


def behind(candidates: Sequence[Candidate], further: Sequence[Candidate]) -> list[Candidate]:
    """The further chunks that are not among the candidates, in their order, each scored below all of those."""
    known, least = {one.chunk.id for one in candidates}, min((one.score for one in candidates), default=1.0)
    return [replace(one, score=round(one.score * least, 6)) for one in further if one.chunk.id not in known]


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
        reading: what a line holds of the question; None where no one knows.
    """

    def __init__(
        self,
        files: WholeFiles | None,
        settings: EvidenceSettings,
        reading: Callable[[str], Mapping[int, float]] | None = None,
    ) -> None:
        self._files = files
        self._settings = settings
        self._reading = reading or (lambda _: {})
        self._known: dict[File, _Text | None] = {}

    async def fill(
        self, picked: Picked, items: Sequence[EvidenceItem], statements: Sequence[FoundStatement], *, need: int = 0
    ) -> None:
        """The first part is the best blocks; then come the lines that prove relations, then more blocks.

        need: how many pieces of each corpus the first part has before anything else has its turn, where there are so
        many.
        """
        chunks: dict[File, list[Chunk]] = {}
        for chunk in (item.chunk for item in items):
            chunks.setdefault((chunk.project, chunk.path), []).append(chunk)
        left = list(items)
        while (item := _next(picked, left, need)) is not None:
            left.remove(item)
            picked.offer(*await self._versions(item))
        for proof in self._proofs(statements, chunks):
            if picked.full:
                break
            if not picked.covers(proof.chunk.project, proof.chunk.path, proof.start_line):
                versions = await self._proving(proof)
                text = await self._text(proof.chunk)
                if not (versions and text and picked.join(versions[0], text.lines)):
                    picked.offer(*versions)
        for item in left:
            if picked.full:
                break
            picked.offer(*await self._versions(item))
        if self._settings.max_tokens:
            await self._widen(picked)

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

    async def _proving(self, item: EvidenceItem) -> list[EvidenceItem]:
        """The statement around a line, and the line; none where the line is an import."""
        text = await self._text(item.chunk)
        line = item.start_line - 1
        if text is None or line >= len(text.lines) or is_debris([text.lines[line]]):
            return []
        wide = text.around(line, lambda span: len(span) <= _PROOF_LINES)
        return [text.piece(item, span) for span in dict.fromkeys((wide, LineSpan(line, line)))]

    def _proofs(
        self, statements: Sequence[FoundStatement], chunks: Mapping[File, Sequence[Chunk]]
    ) -> Iterator[EvidenceItem]:
        """The lines of the relations, each once, in files that were found; an import is no line to read."""
        seen: set[tuple[File, int]] = set()
        for statement in statements:
            if statement.coverage < _LEAST_COVERAGE or statement.relation.type == "IMPORTS":
                continue
            for file, line in statement.places:
                if file not in chunks or line < 1 or (file, line) in seen:
                    continue
                seen.add((file, line))
                own = chunks[file]
                chunk = next((one for one in own if one.start_line <= line <= one.end_line), own[0])
                score = round(statement.coverage, 6)
                yield EvidenceItem(chunk, score, 0, line, line, "", RELATION, reason=statement.sentence)

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


def _read(lines: Sequence[str], chunk: Chunk) -> _Text:
    prose = chunk.lang in _DOCUMENTS
    idle = frozenset[int]() if prose else idle_lines(lines)
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
