"""Blocks as they are printed: a line that says where, then the lines themselves."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from memory.observations import Location
from synthesis.extractive.cleaning import printable
from synthesis.extractive.statements import Claim, Line
from synthesis.line_kinds import defined
from synthesis.markers import lines_marker
from synthesis.terms import terms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synthesis.answer import Citation
    from synthesis.extractive.asked import Asked
    from synthesis.extractive.blocks import Block
    from synthesis.extractive.sources import Source

__all__ = ["block_line", "by_project"]

_LONGEST: Final = 240
_LONGEST_PROSE: Final = 600
_ALSO: Final = 3
_OWNERS: Final = 3


def by_project(asked: Asked, blocks: Sequence[Block]) -> list[Line]:
    """The blocks under the names of their projects, the project of the best first."""
    lines = list[Line]()
    for project in dict.fromkeys(block.source.project for block in blocks):
        lines.append(Line((Claim(f"{project}:"),), leads=True))
        lines += [block_line(asked, block) for block in blocks if block.source.project == project]
    return lines


def block_line(asked: Asked, block: Block, said: str = "") -> Line:
    """Where a block stands, in what, and where else; and the block.

    Args:
        asked: what a long line is cut around.
        block: the lines.
        said: what goes in front.
    """
    inside = _inside(block)
    first = Claim(said + _where(block) + (f", in {inside}" if inside else ""), _citations(block))
    also = [(_place(other.source), _citations(other)) for other in block.also]
    also += [(f"{at.project}/{at.path}", (_copied(block, at),)) for at in block.source.copies]
    claims = [Claim(f"also in {place}", cited) for place, cited in dict(also).items()]
    more = [Claim(f"and in {len(claims) - _ALSO} more files")] if len(claims) > _ALSO else []
    return Line((first, *claims[:_ALSO], *more), block=_shown(asked, block))


def _copied(block: Block, at: Location) -> Citation:
    """A citation of the same lines in a copy, which stands at a place of the same observation."""
    source = block.source
    own = _citations(block)[0]
    start = at.start_line + (own.location.start_line - source.found.start_line if own.location and source.found else 0)
    last = start + (own.location.end_line - own.location.start_line if own.location else 0)
    location = Location(at.project, at.path, start, last)
    return replace(own, marker=lines_marker(source.observation, location), location=location)


def _citations(block: Block) -> tuple[Citation, ...]:
    """One for each span that holds lines that were found; what is claimed is the line that says most."""
    source = block.source
    found = [s for s in block.spans if s.first < source.focus.stop and s.last >= source.focus.start]
    best = [block.best if s.first <= block.best <= s.last else max(s.first, source.focus.start) for s in found]
    claims = [" ".join(source.lines[line].split()) for line in best]
    return tuple(source.citation(claim, s.first, s.last) for claim, s in zip(claims, found, strict=True))


def _where(block: Block) -> str:
    source = block.source
    place = _place(source)
    if source.location is None:
        return place
    start = source.location.start_line
    first, last = start + block.spans[0].first, start + block.spans[-1].last
    return f"{place}:{first}-{last}" if first < last else f"{place}:{first}"


def _place(source: Source) -> str:
    return f"{source.project}/{source.path}" if source.project and source.path else source.path or source.project


def _inside(block: Block) -> str:
    """The definition, the keys or the heading that a block stands in, where it does not show them itself."""
    source = block.source
    if source.is_settings:
        keys = [o.partition(":")[0].strip("\"' ") for o in block.owners if ":" in o and o[0] not in "-}])"]
        return " > ".join(f"`{key}`" for key in keys[-_OWNERS:] if key and len(key) <= 60)
    span, held = block.spans[0], terms(" ".join(block.owners))
    opens = any(defined(line, prose=False) for line in source.lines[span.first : span.first + 3])
    if source.title and (source.is_prose or not opens or terms(source.title) & held):
        return source.title if source.is_prose else f"`{source.title}`"
    return "" if source.is_prose or opens or not block.owners else f"`{_clipped(block.owners[-1].rstrip('{: '), 80)}`"


def _shown(asked: Asked, block: Block) -> str:
    """The lines: a document's as a quotation, code between fences."""
    source, pieces = block.source, list[str]()
    for number, span in enumerate(block.spans):
        own = [printable(line).rstrip() for line in source.lines[span.first : span.last + 1]]
        pieces += ["…"] if number and span.first > block.spans[number - 1].last + 1 else []
        pieces += own
    if source.is_prose:
        return "".join(f"\n> {_around(asked, line, _LONGEST_PROSE)}".rstrip() for line in pieces)
    margin = min((len(p) - len(p.lstrip()) for p in pieces if p.strip() and p != "…"), default=0)
    cut = [_around(asked, piece if piece == "…" else piece[margin:], _LONGEST) for piece in pieces]
    fence = "````" if any("```" in piece for piece in cut) else "```"
    return "\n".join(["", fence + PurePosixPath(source.path).suffix.removeprefix("."), *cut, fence])


def _around(asked: Asked, line: str, longest: int) -> str:
    """A line, or of a very long one the part around the words that are asked about."""
    if len(line) <= longest:
        return line
    steps = range(0, len(line) - longest // 2, longest // 4)
    start = max(steps, key=lambda at: (asked.mass(terms(line[at : at + longest])), -at))
    if start:
        start = line.find(" ", start) + 1 or start
    return ("… " if start else "") + _clipped(line[start:], longest)


def _clipped(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest].rsplit(' ', 1)[0]} …"
