"""The blocks of an answer: of each of the best files the unit that holds most of the question."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from synthesis.extractive.line_kinds import defined, is_debris, is_history, notice_lines
from synthesis.extractive.units import Span, units_of
from synthesis.terms import terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from synthesis.extractive.asked import Asked
    from synthesis.extractive.sources import Source

__all__ = ["Block", "blocks_of", "chosen"]

MOST_LINES: Final = 15
"""How long a block may be."""
_TRIED: Final = 8
_FILES: Final = 14
_SHOWN: Final = 5
_ALL_LINES: Final = 60
_NEAR: Final = 0.62
_NEAR_FIRST: Final = 0.4
_HISTORY: Final = 0.6
_DEFINES: Final = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Lines of one source to show.

    spans: which of its lines, counted from 0; best: the line that says most; share: how much of the question (0..1) the
    lines and the names of their place hold; own: how much the lines alone; owners: what the lines stand in, as it is
    written there; also: blocks of the same text in other files.
    """

    source: Source
    spans: tuple[Span, ...]
    best: int
    share: float
    own: float
    owners: tuple[str, ...] = ()
    also: tuple[Block, ...] = ()

    @property
    def length(self) -> int:
        """How many lines are shown."""
        return sum(len(span) for span in self.spans)

    @property
    def defines(self) -> bool:
        """Whether its first lines define something that its source is known for."""
        span = self.spans[0]
        return any(defined(line) & self.source.named for line in self.source.lines[span.first : span.first + 4])

    @property
    def text(self) -> str:
        """Its lines without their white space: what copies share."""
        return " ".join(" ".join(self.source.lines[s.first : s.last + 1]) for s in self.spans).strip()


def blocks_of(asked: Asked, sources: Sequence[Source]) -> list[Block]:
    """One block for each of the best-ranked files, in rank order; copies fold into the first."""
    files: dict[tuple[str, str], list[Source]] = {}
    for source in sources:
        if source.observation.metadata.get("kind") != "inventory":
            files.setdefault((source.project, source.path or source.observation.id), []).append(source)
    found: dict[str, Block] = {}
    for own in list(files.values())[:_FILES]:
        block = max(
            (block for source in own if (block := best_block(asked, source)) is not None),
            key=lambda block: block.share,
            default=None,
        )
        if block is None:
            continue
        text = " ".join(block.text.split())
        if text in found:
            found[text] = replace(found[text], also=(*found[text].also, block))
        else:
            found[text] = block
    return list(found.values())


def chosen(blocks: Sequence[Block], *, projects_first: bool, shown: int = _SHOWN) -> list[Block]:
    """The blocks to show: none that holds far less of the question than the best does, and no more than can be read.

    Args:
        blocks: in rank order.
        projects_first: whether each project has its best one before any has its second.
        shown: how many at most.
    """
    best = max((block.share for block in blocks), default=0.0)
    kept = [b for n, b in enumerate(blocks) if b.share >= (_NEAR if n else _NEAR_FIRST) * best]
    if projects_first:
        seen = set[str]()
        firsts = [b for b in kept if b.source.project not in seen and not seen.add(b.source.project)]  # type: ignore[func-returns-value]
        kept = [*firsts, *(b for b in kept if b not in firsts)]
    picked, lines = list[Block](), 0
    for block in kept:
        if len(picked) < shown and lines + block.length <= _ALL_LINES:
            picked.append(block)
            lines += block.length
    return picked


def best_block(asked: Asked, source: Source) -> Block | None:
    """The unit of a source that holds most of the question; None where nothing of it says anything."""
    notice = frozenset() if source.is_prose else notice_lines(source.lines)
    units = units_of(source.lines, prose=source.is_prose, left_out=notice)
    weighed = [(asked.mass(terms(line)), n) for n, line in enumerate(source.lines) if n not in notice]
    hits = sorted(((mass, n) for mass, n in weighed if mass > 0), key=lambda hit: (-hit[0], hit[1]))
    tried = [n for _, n in hits[:_TRIED]]
    tried += [n for n, line in enumerate(source.lines) if n not in notice and defined(line) & asked.weights.keys()][:2]
    if not tried:
        tried = [n for n, line in enumerate(source.lines) if n not in notice and not is_debris([line])][:1]
    found = [block for n in dict.fromkeys(tried) if (block := _block(asked, source, units.around(n, MOST_LINES), n))]
    best = max(found, key=lambda block: (round(block.own, 6), -block.length, -block.best), default=None)
    if best is None:
        return None
    owners = tuple(source.lines[n].strip() for n in units.owners(best.spans[0].first))
    return replace(best, owners=owners)


def _block(asked: Asked, source: Source, spans: Iterable[Span], line: int) -> Block | None:
    spans = tuple(spans)
    lines = [text for span in spans for text in source.lines[span.first : span.last + 1]]
    if is_debris(lines):
        return None
    held = frozenset().union(*(terms(text) for text in lines))
    own = asked.share(held)
    share = asked.share(held | source.named)
    for text in lines:
        own += _DEFINES * asked.share(defined(text))
    return Block(source, spans, line, share * (_HISTORY if is_history(source.path) else 1.0), own)
