"""The layouts of an answer, chosen by what was found: tried in order, each that fits adds its lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from synthesis.extractive.showing import block_line, by_project, place_line
from synthesis.extractive.statements import CitedClaim, Line
from synthesis.extractive.telling import ROWS, fact_lines
from synthesis.extractive.values import value_lines

if TYPE_CHECKING:
    from collections.abc import Callable

    from synthesis.extractive.material import Material

_FAR: Final = 0.15
_NEAREST: Final = 3
_ROWS_AROUND: Final = 6
_LISTED, _LISTED_AMONG, _LEAST_LISTED = 40, 12, 3
"""How many lines a list has that is asked for, of what projects do to one another fewer, and how many at least for each
project.
"""


def _traced(material: Material) -> list[Line]:
    """A pasted failure: the blocks it points at."""
    if not material.traced:
        return []
    here = "this line:" if len(material.traced) == 1 else "these lines:"
    lead = f"The trace points at {here}" if material.asked.question.frames else "The message comes from here:"
    return [Line((CitedClaim(lead),), leads=True), *(block_line(material.asked, b) for b in material.traced)]


def _related(material: Material) -> list[Line]:
    """Relations that cover the question, in sentences."""
    if not material.answering or material.is_about_a_thing or material.instructions:
        return []
    projects = material.listed
    if not projects:
        steps = sum(fact.answers and len(fact.edges) > 1 for fact in material.answering)
        left = max(0, steps - ROWS) + material.unlisted
        more = [Line((CitedClaim(f"And {left} more."),))] if left else []
        return [*fact_lines(material.answering, material.facts), *more]
    among = all(fact.inside_target for fact in material.answering)
    rows = max(_LEAST_LISTED, (_LISTED_AMONG if among else _LISTED) // len(projects))
    lines = fact_lines(material.answering, material.facts, rows=rows, groups=len(projects))
    left = material.unlisted
    return [*lines, Line((CitedClaim(f"And {left} more: ask about one project."),))] if left else lines


def _valued(material: Material) -> list[Line]:
    """A value with its line."""
    return [] if material.instructions else value_lines(material.values)


def _blocks(material: Material) -> list[Line]:
    """The blocks, by project where they are of several; called only near where no text holds much of the question."""
    asked, blocks = material.asked, material.blocks
    if blocks and not material.answering and max(block.share for block in blocks) < _FAR:
        lead = Line((CitedClaim("No text holds much of the question. Nearest in meaning:"),), leads=True)
        return [lead, *(block_line(asked, block) for block in blocks[:_NEAREST])]
    if material.asks_several and len({block.source.project for block in blocks}) > 1:
        return by_project(asked, blocks)
    return [block_line(asked, block) for block in blocks]


def _around(material: Material) -> list[Line]:
    """What the things that are asked about are related to, beside what they are."""
    if not material.is_about_a_thing and not material.related:
        return []
    return fact_lines(material.answering or material.related, (), rows=_ROWS_AROUND)


def _further(material: Material) -> list[Line]:
    """Other places that hold something of what is asked: a line each."""
    lines = [place_line(block) for block in material.further]
    return [Line((CitedClaim("Also:"),), leads=True), *lines] if lines else []


TEMPLATES: Final[tuple[Callable[[Material], list[Line]], ...]] = (
    _traced, _related, _valued, _blocks, _around, _further
)  # fmt: skip
