"""The layouts of an answer, chosen by what was found: tried in order, each that matches adds its lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, Protocol

from synthesis.extractive.showing import block_line, by_project, place_line
from synthesis.extractive.statements import CitedClaim, Line
from synthesis.extractive.telling import fact_lines
from synthesis.extractive.values import value_lines

if TYPE_CHECKING:
    from synthesis.extractive.material import Material

_FAR: Final = 0.15
_NEAREST: Final = 3
_ROWS_AROUND: Final = 6
_LISTED, _LISTED_AMONG, _LEAST_LISTED = 40, 12, 3
"""How many lines a list has that is asked for, of what projects do to one another fewer, and how many at least for each
project.
"""


class AnswerTemplate(Protocol):
    """One layout. ends: nothing follows what it lays out."""

    ends: ClassVar[bool]

    def matches(self, material: Material) -> bool:
        """Whether what was found can be laid out so."""
        ...

    def lines(self, material: Material) -> list[Line]:
        """The lines, each with its citations."""
        ...


class Traced:
    """A pasted failure: the blocks it points at."""

    ends: ClassVar[bool] = False

    def matches(self, material: Material) -> bool:
        return bool(material.traced)

    def lines(self, material: Material) -> list[Line]:
        frames = material.asked.question.frames
        here = "this line:" if len(material.traced) == 1 else "these lines:"
        lead = f"The trace points at {here}" if frames else "The message comes from here:"
        return [Line((CitedClaim(lead),), leads=True), *(block_line(material.asked, b) for b in material.traced)]


class Related:
    """Relations that cover the question, in sentences."""

    ends: ClassVar[bool] = False

    def matches(self, material: Material) -> bool:
        return bool(material.answering) and not material.is_about_a_thing and not material.instructions

    def lines(self, material: Material) -> list[Line]:
        projects = material.listed
        if not projects:
            return fact_lines(material.answering, material.facts)
        among = all(fact.inside_target for fact in material.answering)
        rows = max(_LEAST_LISTED, (_LISTED_AMONG if among else _LISTED) // len(projects))
        lines = fact_lines(material.answering, material.facts, rows=rows, groups=len(projects))
        left = material.unlisted
        return [*lines, Line((CitedClaim(f"And {left} more: ask about one project."),))] if left else lines


class Valued:
    """A value with its line."""

    ends: ClassVar[bool] = False

    def matches(self, material: Material) -> bool:
        return bool(material.values) and not material.instructions

    def lines(self, material: Material) -> list[Line]:
        return value_lines(material.values)


class ShownBlocks:
    """The blocks, by project where they are of several; called only near where no text holds much of the question."""

    ends: ClassVar[bool] = False

    def matches(self, material: Material) -> bool:
        return bool(material.blocks)

    def lines(self, material: Material) -> list[Line]:
        asked, blocks = material.asked, material.blocks
        if not material.answering and max(block.share for block in blocks) < _FAR:
            lead = Line((CitedClaim("No text holds much of the question. Nearest in meaning:"),), leads=True)
            return [lead, *(block_line(asked, block) for block in blocks[:_NEAREST])]
        if material.asks_several and len({block.source.project for block in blocks}) > 1:
            return by_project(asked, blocks)
        return [block_line(asked, block) for block in blocks]


class Further:
    """Other places that hold something of what is asked: a line each."""

    ends: ClassVar[bool] = False

    def matches(self, material: Material) -> bool:
        return bool(material.further)

    def lines(self, material: Material) -> list[Line]:
        return [Line((CitedClaim("Also:"),), leads=True), *(place_line(block) for block in material.further)]


class Around:
    """What the things that are asked about are related to, beside what they are."""

    ends: ClassVar[bool] = False

    def matches(self, material: Material) -> bool:
        return material.is_about_a_thing or bool(material.related)

    def lines(self, material: Material) -> list[Line]:
        return fact_lines(material.answering or material.related, (), rows=_ROWS_AROUND)


TEMPLATES: Final[tuple[AnswerTemplate, ...]] = (Traced(), Related(), Valued(), ShownBlocks(), Around(), Further())
