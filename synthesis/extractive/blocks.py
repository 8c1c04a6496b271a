"""The blocks of an answer: of each of the best files the unit that holds most of the question."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from synthesis.line_kinds import defined, is_debris, is_history, notice_lines
from synthesis.terms import terms
from synthesis.units import Span, units_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from memory.observations import Location
    from synthesis.extractive.asked import Asked
    from synthesis.extractive.sources import Source

__all__ = ["Block", "blocks_of", "chosen"]

MOST_LINES: Final = 15
"""How long a block may be."""
_TRIED: Final = 4
_ENOUGH: Final = 8
_LONG: Final = 300
_FILES: Final = 9
_PLACES: Final = 2
_LIKELY: Final = 0.8
_SHOWN: Final = 5
_ALL_LINES: Final = 60
_NEAR: Final = 0.62
_NEAR_FIRST: Final = 0.4
_NEAR_OF_PROJECT: Final = 0.5
_HISTORY: Final = 0.6
_DEFINES: Final = 0.5
_PROVES: Final = 0.65
"""What proves a relation that answers says as much as one that holds so much of the question."""
_PLACE: Final = 0.7
"""What only the path says counts less."""
_ALIKE: Final = 0.6


@dataclass(frozen=True, eq=False)
class Block:
    """Lines of one source to show.

    spans: which of its lines, counted from 0; best: the line that says most; share: how much of the question (0..1) the
    lines and the names of their place hold; own: how much the lines alone; defines: whether it defines something that the
    question names; owners: what the lines stand in, as it is
    written there; also: blocks of the same text in other files.
    """

    source: Source
    spans: tuple[Span, ...]
    best: int
    share: float
    own: float
    defines: bool = False
    owners: tuple[str, ...] = ()
    also: tuple[Block, ...] = ()

    @property
    def length(self) -> int:
        """How many lines are shown."""
        return sum(len(span) for span in self.spans)

    @cached_property
    def text(self) -> frozenset[str]:
        """Its lines without their white space: what copies share."""
        lines = (
            " ".join(line.split()) for span in self.spans for line in self.source.lines[span.first : span.last + 1]
        )
        return frozenset(line for line in lines if line)


def blocks_of(asked: Asked, sources: Sequence[Source], proofs: AbstractSet[Location] = frozenset()) -> list[Block]:
    """One block for each of the best-ranked files, by rank and by what it holds; copies fold into the first.

    Args:
        asked: the question.
        sources: where to look, best first.
        proofs: lines that prove a relation which answers: a file that has one is shown there.
    """
    files: dict[tuple[str, str], list[_Place]] = {}
    for source in sources:
        files.setdefault((source.project, source.path or source.observation.id), []).append(
            _place(asked, source, proofs)
        )
    best = sorted(files.values(), key=lambda own: -round(max(place.promise for place in own), 6))
    found = list[Block]()
    for own in best[:_FILES]:
        own.sort(key=lambda place: -place.promise)
        near = [place for place in own[:_PLACES] if place.promise >= _LIKELY * own[0].promise]
        blocks = [best_block(asked, place.source, place.mass, place.proofs) for place in near]
        block = max((block for block in blocks if block), key=lambda block: block.share, default=None)
        if block is None:
            continue
        like = next((n for n, other in enumerate(found) if _is_copy(asked, other, block)), None)
        if like is None:
            found.append(block)
        else:
            found[like] = replace(found[like], also=(*found[like].also, block))
    return sorted(found, key=lambda block: -round(block.share * block.source.observation.score, 6))


def chosen(
    blocks: Sequence[Block], *, projects_first: bool = False, asks_several: bool = False, shown: int = _SHOWN
) -> list[Block]:
    """The blocks to show: none that holds far less of the question than the best does, and no more than can be read.

    Args:
        blocks: the best first.
        projects_first: whether each project has its best one before any has its second.
        asks_several: whether the question is about several projects, so that one that says less is shown too.
        shown: how many at most.
    """
    best = max((block.share for block in blocks), default=0.0)
    kept = [b for n, b in enumerate(blocks) if b.share >= (_NEAR if n else _NEAR_FIRST) * best]
    if projects_first:
        firsts: dict[str, Block] = {}
        for block in blocks:
            if block in kept or (asks_several and block.share >= _NEAR_OF_PROJECT * best):
                firsts.setdefault(block.source.project, block)
        kept = [*firsts.values(), *(block for block in kept if block not in firsts.values())]
    picked, lines = list[Block](), 0
    for block in kept:
        if len(picked) < shown and lines + block.length <= _ALL_LINES:
            picked.append(block)
            lines += block.length
    return picked


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a block may be found: the lines that hold something of the question, with how much, and by rank and by what all
    of them hold how much can be hoped for.
    """

    source: Source
    mass: Mapping[int, float]
    promise: float
    proofs: AbstractSet[int]


def _place(asked: Asked, source: Source, proofs: AbstractSet[Location]) -> _Place:
    lines = [n for n in source.focus if asked.touches(source.lines[n])]
    lines = [n for n in lines if source.is_prose or len(source.lines[n]) <= _LONG] or lines
    held = {n: terms(source.lines[n]) & asked.terms for n in lines}
    mass = {n: asked.mass(own) for n, own in held.items() if own and not is_debris([source.lines[n]])}
    share = asked.share(frozenset().union(*(held[n] for n in mass), source.named))
    proving = {n for n in source.focus if source.at(n, n) in proofs} if proofs else set()
    return _Place(source, mass, share * source.observation.score, proving)


def best_block(
    asked: Asked, source: Source, mass: Mapping[int, float], proofs: AbstractSet[int] = frozenset()
) -> Block | None:
    """The unit of a source that holds most of the question; None where nothing of it says anything.

    Args:
        asked: the question.
        source: where to look.
        mass: how much its lines hold of the question, for those that do.
        proofs: the lines that prove a relation which answers.
    """
    notice = frozenset() if source.is_prose else notice_lines(source.lines)
    units = units_of(source.lines, prose=source.is_prose, left_out=notice)
    telling = [n for n in mass if n not in notice]
    tried = [*sorted(proofs), *sorted(telling, key=lambda n: (-mass[n], n))[:_TRIED]]
    tried += [n for n in telling if defined(source.lines[n], prose=source.is_prose) & asked.terms][:2]
    if not tried:
        tried = [n for n in source.focus if n not in notice and not is_debris([source.lines[n]])][:1]
    found = list[Block]()
    for line in dict.fromkeys(tried):
        if not any(span.first <= line <= span.last for block in found for span in block.spans):
            block = _block(asked, source, units.around(line, MOST_LINES), line)
            found += [block] if block else []
    best = max(
        found,
        key=lambda b: (b.best in proofs, round(b.own, 6), min(b.length, _ENOUGH), -b.best),
        default=None,
    )
    if best is None:
        return None
    owners = tuple(source.lines[n].strip() for n in units.owners(best.spans[0].first))
    share = max(best.share, _PROVES) if best.best in proofs else best.share
    return replace(best, owners=owners, share=share)


def _block(asked: Asked, source: Source, spans: Iterable[Span], line: int) -> Block | None:
    spans = tuple(spans)
    lines = [text for span in spans for text in source.lines[span.first : span.last + 1]]
    if is_debris(lines):
        return None
    held = frozenset().union(*(terms(text) for text in lines if asked.touches(text) and not is_debris([text])))
    held &= asked.terms
    told = asked.share(held | terms(source.title))
    share = told + _PLACE * (asked.share(held | source.named) - told)
    named = asked.share(frozenset().union(*(defined(text, prose=source.is_prose) for text in lines)))
    own = asked.share(held) + _DEFINES * named
    return Block(source, spans, line, share * (_HISTORY if is_history(source.path) else 1.0), own, named > 0)


def _is_copy(asked: Asked, one: Block, other: Block) -> bool:
    """Whether two blocks are the same but for a few lines, none of which holds a word of the question."""
    alike = len(one.text & other.text) >= _ALIKE * max(len(one.text), len(other.text))
    return alike and not any(terms(line) & asked.terms for line in one.text ^ other.text)
