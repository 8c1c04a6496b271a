"""A block of an answer: lines of one file, with what they are chosen by."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from memory.text.kinds import is_debris
from memory.text.units import LineSpan
from synthesis.extractive.weighted_question import WHOLE
from synthesis.terms import defined, terms

if TYPE_CHECKING:
    from synthesis.extractive.sources import CitedSource
    from synthesis.extractive.weighted_question import WeightedQuestion

_CLOSE, _APART = 3, 12
"""Fewer lines than these between two pieces are shown too: the middle of a thing says what both ends belong to."""
_ALIKE: Final = 0.6
_PLACE: Final = 0.7  # what only the path says counts less


@dataclass(frozen=True, eq=False)
class Block:
    """Lines of one source to show.

    spans: which of its lines, counted from 0; best: the line that says most; worth: what it is chosen by; asked: the
    question that it is chosen for; also: blocks of the same text in other files; more: further blocks of the same file,
    shown with it.
    """

    source: CitedSource
    spans: tuple[LineSpan, ...]
    best: int
    worth: float = 1.0
    asked: WeightedQuestion | None = None
    also: tuple[Block, ...] = ()
    more: tuple[Block, ...] = ()

    @property
    def length(self) -> int:
        """How many lines are shown."""
        return sum(len(span) for span in self.spans)

    @property
    def file(self) -> tuple[str, str]:
        """Where it is: project and path."""
        return self.source.file

    @cached_property
    def runs(self) -> list[list[Block]]:
        """It and what is shown with it, in the file's order, what is close together as one."""
        runs = list[list[Block]]()
        for part in sorted((self, *self.more), key=lambda part: part.lines.start):
            gap = part.lines.start - runs[-1][-1].lines.stop if runs else 0
            if runs and runs[-1][-1].goes_on(gap):
                runs[-1][-1:] = runs[-1][-1].reaching(gap).joined(part)
            else:
                runs.append([part])
        return runs

    def goes_on(self, gap: int) -> bool:
        """Whether so many lines behind it are shown too: few in any case, more where they say something."""
        behind = self.spans[-1].last + 1
        between = self.source.lines[behind : behind + max(0, gap)]
        return gap < _CLOSE or (gap < _APART and len(between) == gap and not is_debris(between))

    def joined(self, behind: Block) -> list[Block]:
        """It and the block that begins where it ends: as one where they are of the same lines in hand, without copies
        of their own.
        """
        if self.source is not behind.source or self.also or behind.also:
            return [self, behind]
        last, first = self.spans[-1], behind.spans[0]
        spans = (*self.spans[:-1], LineSpan(last.first, first.last), *behind.spans[1:])
        return [replace(self if self.worth >= behind.worth else behind, spans=spans)]

    def reaching(self, further: int) -> Block:
        """It with so many more lines."""
        last = self.spans[-1]
        return replace(self, spans=(*self.spans[:-1], LineSpan(last.first, last.last + further))) if further else self

    @cached_property
    def lines(self) -> range:
        """From where to where it reaches in its file."""
        start = self.source.location.start_line if self.source.location else 0
        return range(start + self.spans[0].first, start + self.spans[-1].last + 1)

    @cached_property
    def share(self) -> float:
        """How much of the question (0..1) its lines hold, with the names of their place, which count less."""
        if self.asked is None:
            return 1.0
        with_place = self._answers | self.source.named
        if self._is_all:
            return self.asked.share(with_place)
        in_text = self.asked.share(self._answers | terms(self.source.title))
        return in_text + _PLACE * (self.asked.share(with_place) - in_text)

    @property
    def speaks(self) -> bool:
        """Whether its lines hold anything of the question, or are of the file that is all it names."""
        return self.asked is None or self._is_all or self.asked.share(self._answers) > 0 or self.defines

    @property
    def defines(self) -> bool:
        """Whether its lines define something that the question names."""
        return self.defined > 0

    @cached_property
    def defined(self) -> float:
        """How much of the question (0..1) is the name of one thing that its lines define."""
        lines, prose = self.source.shown(self.spans), self.source.is_prose
        named = [defined(line, prose=prose) for line in lines]
        return max((self.asked.share(one) for one in named if one), default=0.0) if self.asked is not None else 0.0

    @cached_property
    def _answers(self) -> frozenset[str]:
        """The terms of the question that its lines hold."""
        assert self.asked is not None
        lines = self.source.lines
        return frozenset[str]().union(*(self.asked.held(lines[n]) or () for n in self.source.telling(self.spans)))

    @property
    def _is_all(self) -> bool:
        asked, source = self.asked, self.source
        return asked is not None and asked.names_file(source.path) and asked.share(source.named) >= WHOLE

    @cached_property
    def held(self) -> frozenset[str]:
        """The terms of its lines."""
        return frozenset().union(*map(terms, self.source.shown(self.spans)))

    @cached_property
    def text(self) -> frozenset[str]:
        """Its lines without their white space: what copies share."""
        lines = (" ".join(line.split()) for line in self.source.shown(self.spans))
        return frozenset(line for line in lines if line)

    @property
    def owners(self) -> list[str]:
        """What the lines stand in, as it is written there, the outermost first."""
        return [self.source.lines[n].strip() for n in self.source.units.owners(self.spans[0].first)]

    def resembles(self, other: Block) -> bool:
        """Whether most lines of both are the same."""
        return len(self.text & other.text) >= _ALIKE * max(len(self.text), len(other.text))

    def meets(self, other: Block) -> bool:
        """Whether both hold a line of the same file."""
        own, others = self.lines, other.lines
        return self.file == other.file and own.start < others.stop and others.start < own.stop
