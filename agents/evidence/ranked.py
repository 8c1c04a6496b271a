"""Packs from the ranking of files: whole blocks of the best, and the lines that prove the relations asked about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from agents.evidence.blocks import Blocks, Span, only_imports, without_notice
from agents.evidence.pack import RANKED, RELATION, EvidenceItem, item_of
from agents.evidence.selection import Picked, part_of
from agents.file_ranking import File
from agents.search import Candidate
from configs.settings import EvidenceSettings
from memory.files import WholeFiles
from memory.statements import FoundStatement
from memory.text import estimate_tokens
from memory.text.lines import split_lines
from memory.vector.port import Chunk, Hit

__all__ = ["RankedPieces", "spread"]

_REPEATED: Final = 0.9
"""What each further piece of one file counts, beside the one before."""
_IMPORTS: Final = 0.7
"""What imports count beside code that does something."""
_PROOF_LINES: Final = 8
_LEAST_COVERAGE: Final = 0.3
"""What share of the question a relation holds whose lines are shown."""
_FIRST: Final = 0.6
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
        empty = chunk.corpus == "code" and only_imports(split_lines(chunk.text))
        score = round(one.score * _REPEATED**before * (_IMPORTS if empty else 1.0), 6)
        scored.append((score, "" if before else one.evidence, chunk))
    scored.sort(key=lambda row: (-row[0], row[2].project, row[2].path, row[2].start_line, row[2].id))
    return [
        replace(item_of(Hit(chunk, score, routes=(RANKED,)), rank), reason=reason)
        for rank, (score, reason, chunk) in enumerate(scored, start=1)
    ]


class RankedPieces:
    """Fills a pack with blocks and proofs, as far as number and budget go.

    Args:
        files: where blocks are read; None shows the chunks as they were stored.
        settings: how large a block may be.
    """

    def __init__(self, files: WholeFiles | None, settings: EvidenceSettings) -> None:
        self._files = files
        self._block_tokens = settings.block_tokens
        self._known: dict[File, tuple[Sequence[str], Blocks] | None] = {}

    async def fill(self, picked: Picked, items: Sequence[EvidenceItem], statements: Sequence[FoundStatement]) -> None:
        """The first part is the best blocks; then come the lines that prove relations, then more blocks."""
        chunks: dict[File, list[Chunk]] = {}
        for chunk in (item.chunk for item in items):
            chunks.setdefault((chunk.project, chunk.path), []).append(chunk)
        left = iter(items)
        while picked.share < _FIRST and not picked.full and (item := next(left, None)) is not None:
            picked.offer(*await self._versions(item))
        for proof in self._proofs(statements, chunks):
            if picked.full:
                break
            if not picked.covers(proof.chunk.project, proof.chunk.path, proof.start_line):
                versions = await self._proving(proof)
                read = await self._blocks(proof.chunk)
                if not (versions and read and picked.join(versions[0], read[0])):
                    picked.offer(*versions)
        for item in left:
            if picked.full:
                break
            picked.offer(*await self._versions(item))

    async def _versions(self, item: EvidenceItem) -> list[EvidenceItem]:
        """The piece as the whole block that it is part of, and as it was stored."""
        read = await self._blocks(item.chunk)
        if read is None:
            return [item]
        lines, blocks = read
        own = (item.start_line, item.end_line)

        def fits(span: Span) -> bool:
            return (
                span[1] - span[0] < 200
                and estimate_tokens("\n".join(lines[span[0] - 1 : span[1]])) <= self._block_tokens
            )

        if item.chunk.corpus == "code":
            own = without_notice(lines, own)
            if only_imports(lines[own[0] - 1 : own[1]]):
                own = blocks.with_next(own, fits)
        wide = blocks.around(own, fits)
        return [part_of(item, lines, span) for span in dict.fromkeys((wide, own))]

    async def _proving(self, item: EvidenceItem) -> list[EvidenceItem]:
        """The statement around a line, and the line."""
        read = await self._blocks(item.chunk)
        line = item.start_line
        if read is None:
            return []
        lines, blocks = read
        if line > len(lines):
            return []
        wide = blocks.around((line, line), lambda span: span[1] - span[0] < _PROOF_LINES)
        return [part_of(item, lines, span) for span in dict.fromkeys((wide, (line, line)))]

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

    async def _blocks(self, chunk: Chunk) -> tuple[Sequence[str], Blocks] | None:
        """The file of a chunk, where it is what was indexed."""
        file = (chunk.project, chunk.path)
        if file not in self._known:
            lines = await self._files.file(*file) if self._files is not None and chunk.start_line > 0 else None
            self._known[file] = None if lines is None else (lines, Blocks(lines, chunk.lang))
        read = self._known[file]
        own = split_lines(chunk.text)
        return read if read is not None and list(read[0][chunk.start_line - 1 :][: len(own)]) == own else None
