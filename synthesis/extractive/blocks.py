"""Which pieces an answer shows: the best of each of the best files, then those of most worth until their lines fill it,
several of a file under one heading; what room is left lets each grow to the unit around it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from synthesis.extractive.block import Block
from synthesis.terms import terms

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from synthesis.extractive.weighted_question import WeightedQuestion

MOST_SHOWN: Final = 120
"""How many lines are shown, headings among them, but for those between pieces that are close together."""
UNIT: Final = 15
"""How many lines of the unit around a line are shown where there is room for it."""
_HEADING: Final = 4
"""What a file's heading, fences and blank line cost, in lines."""
_NEAR, _NEAR_OF_SEVERAL = 0.4, 0.55
"""How much of the best a piece is worth that is shown; and the best of a project, where several are asked about."""


def chosen(
    asked: WeightedQuestion,
    pieces: Sequence[Block],
    leads: Sequence[Block] = (),
    *,
    asks_several: bool = False,
    lines: int = MOST_SHOWN,
) -> list[Block]:
    """What to show of these pieces, a block a file: none that is worth far less than the best, no more than can be
    read.

    Args:
        asked: the question.
        pieces: those of most worth first.
        leads: those of them that are shown before all others.
        asks_several: whether the question is about several projects: each has its best piece before any has its second,
            for which half as many lines more may be shown.
        lines: how many lines at most, headings among them.
    """
    best = max((piece.worth for piece in pieces), default=0.0)
    kept = [piece for piece in pieces if piece.worth >= _NEAR * best]
    each = list[Block]()
    if asks_several:
        each = [one for one in firsts(kept, _project_of) if one.worth >= _NEAR_OF_SEVERAL * best]
        projects = set(map(_project_of, each))
        kept = [*each, *(piece for piece in kept if _project_of(piece) in projects)]
    leading = [lead for lead in leads if lead in kept]
    picked, room = list[Block](), lines
    for piece in dict.fromkeys([*leading, *kept[:1], *_of_clauses(asked, kept), *kept]):
        like = next((n for n, other in enumerate(picked) if _is_copy(asked, other, piece)), None)
        if like is not None and picked[like].file != piece.file:
            picked[like] = replace(picked[like], also=(*picked[like].also, piece))
        own = sum(other.file == piece.file for other in picked)
        cost = piece.length + (1 if own else _HEADING)
        more = lines // 2 if piece in each else 0
        if like is None and cost <= room + more and not any(map(piece.meets, picked)):
            picked.append(piece)
            room -= cost
    files: dict[tuple[str, str], list[Block]] = {}
    for piece in _grown(picked, room):
        files.setdefault(piece.file, []).append(piece)
    return [replace(own[0], more=tuple(own[1:])) for own in files.values()]


def _project_of(piece: Block) -> str:
    return piece.source.project


def firsts(pieces: Sequence[Block], of: Callable[[Block], Hashable]) -> list[Block]:
    """The first piece of each file, or of whatever else `of` distinguishes."""
    found: dict[Hashable, Block] = {}
    for piece in pieces:
        found.setdefault(of(piece), piece)
    return list(found.values())


def _of_clauses(asked: WeightedQuestion, pieces: Sequence[Block]) -> list[Block]:
    """For each question of a compound one the piece that is worth most for it."""
    found = list[Block]()
    for clause in asked.clauses.values():
        worth = {piece: piece.worth * clause.share(piece.held) for piece in pieces}
        best = max(pieces, key=lambda piece: worth[piece], default=None)
        found += [best] if best and worth[best] else []
    return found


def _grown(picked: Sequence[Block], room: int) -> list[Block]:
    """The pieces, each as large as the unit around it while there is room, the first before all others."""
    grown = list(picked)
    for most in (UNIT, 2 * UNIT):
        for number, piece in enumerate(grown):
            larger = replace(piece, spans=tuple(piece.source.units.around(piece.best, most)))
            others = [*grown[:number], *grown[number + 1 :]]
            if 0 < larger.length - piece.length <= room and not any(map(larger.meets, others)):
                room -= larger.length - piece.length
                grown[number] = larger
    return grown


def _is_copy(asked: WeightedQuestion, one: Block, other: Block) -> bool:
    """Whether two blocks are the same but for a few lines, none of which holds a word of the question."""
    return one.resembles(other) and not any(terms(line) & asked.terms for line in one.text ^ other.text)


def led(blocks: list[Block], named: Sequence[Block]) -> list[Block]:
    """The blocks of files that the question names first, the best of each file worth as much as the best of all."""
    most = max((block.worth for block in blocks), default=0.0)
    best = {block.file: block.worth for block in reversed(named)}
    first = [replace(block, worth=most * block.worth / (best[block.file] or 1.0)) for block in named]
    return [*first, *(block for block in blocks if block not in named)]
