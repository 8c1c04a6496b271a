"""What an answer is laid out from: the question's weighed words, what was found for it, and the blocks that a
pasted trace points at.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from memory.files import is_instruction_file
from memory.question import QueryType
from memory.text import is_test
from memory.text.units import LineSpan
from synthesis.extractive.block import Block
from synthesis.extractive.blocks import UNIT, chosen, firsts, led
from synthesis.extractive.facts import answering, facts_of, related
from synthesis.extractive.pieces import pieces_of
from synthesis.extractive.values import values_of
from synthesis.extractive.weighted_question import WHOLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memory.query import QueryClassification
    from memory.question import ParsedQuestion
    from synthesis.extractive.facts import Fact
    from synthesis.extractive.sources import AnswerEvidence, CitedSource
    from synthesis.extractive.values import Value
    from synthesis.extractive.weighted_question import WeightedQuestion


_MOST: Final = 4
_LEAST: Final = 3
_DRIFT: Final = 3
_SEVERAL: Final = frozenset({QueryType.CROSS_PROJECT, QueryType.PATTERN, QueryType.SIMILARITY})
_BESIDE: Final = 60
"""How many lines of blocks follow where relations or a trace answer."""
_INSTRUCTIONS: Final = 2
_LEADING: Final = 3
_MOST_FURTHER: Final = 4
_LEAST_FURTHER: Final = 0.3
_BESIDE_WHOLE: Final = 0.5
"""What share of the best another file's line is worth, where a block that is shown holds the whole question."""
_BEYOND: Final = 0.2
"""From this share of the question on, a relation says more than the name of what is asked about."""
_NEAR: Final = 0.85


def pointed(question: ParsedQuestion, sources: Sequence[CitedSource]) -> list[Block]:
    """A block for each place of the trace that is in hand, in its order."""
    found = list[Block]()
    for frame in question.frames:
        for source in sources:
            at = source.location
            if at is None or not _same_file(frame.file, source.path):
                continue
            line = frame.line - at.start_line if frame.line else _of_function(frame.function, source)
            if source.focus.start - _DRIFT <= line < source.focus.stop + _DRIFT:
                found.append(_block(source, min(max(line, source.focus.start), source.focus.stop - 1)))
                break
    return found[:_MOST]


def saying(question: ParsedQuestion, sources: Sequence[CitedSource]) -> list[Block]:
    """The blocks that hold the beginning of an error's message, as many of its words as any holds, at least three."""
    words = question.thrown.casefold().split()
    for count in range(len(words), _LEAST - 1, -1):
        begun = " ".join(words[:count]).rstrip(":.,")
        found: dict[tuple[str, str], Block] = {}
        for source in sources:
            lines = [n for n in source.focus if begun in source.lines[n].casefold() and not source.is_prose]
            if lines:
                found.setdefault((source.project, source.path), _block(source, lines[0]))
        if found:
            return list(found.values())[:_MOST]
    return []


def _of_function(name: str, source: CitedSource) -> int:
    """The line that defines a function, in a trace that gives no line."""
    called = name.rpartition(".")[2]
    return next((n for n in source.focus if called and f"{called}(" in source.lines[n]), source.focus.start)


def _block(source: CitedSource, line: int) -> Block:
    return Block(source, source.units.around(line, UNIT), line)


def _same_file(named: str, path: str) -> bool:
    """Whether a trace's file may be this one: their paths end alike, in a folder and a name, or one is a name alone."""
    ours, theirs = PurePosixPath(path).parts, PurePosixPath(named).parts
    return ours[-2:] == theirs[-2:] or (ours[-1:] == theirs[-1:] and 1 in {len(ours), len(theirs)})


@dataclass(frozen=True)
class Material:
    """One question's material; each part is worked out when it is first asked for."""

    asked: WeightedQuestion
    ground: AnswerEvidence
    classification: QueryClassification | None = None

    @cached_property
    def asks_several(self) -> bool:
        """Whether the question is about several projects."""
        return bool(self._types & _SEVERAL)

    @cached_property
    def _types(self) -> frozenset[QueryType]:
        return frozenset(self.classification.query_types if self.classification else ())

    @cached_property
    def facts(self) -> list[Fact]:
        """Every relation in hand."""
        return facts_of(self.asked, self.ground.chains)

    @cached_property
    def answering(self) -> list[Fact]:
        """The relations that cover the question."""
        return answering(self.facts, self.asked.question.projects)

    @cached_property
    def listed(self) -> frozenset[str]:
        """The projects whose things are listed, where the question asks for all of a kind."""
        return frozenset(fact.source.project for fact in self.answering if fact.answers and fact.inside_source)

    @property
    def unlisted(self) -> int:
        """How many of a list are left out."""
        left = (chain[0].observation.metadata.get("unlisted") for chain in self.ground.chains)
        return max((count for count in left if isinstance(count, int)), default=0)

    @cached_property
    def related(self) -> list[Fact]:
        """Where no relation answers, those of what the question names, in the projects that are shown."""
        return [] if self.answering else related(self.facts, {block.source.project for block in self.blocks})

    @cached_property
    def is_about_a_thing(self) -> bool:
        """Whether the question is a name and nothing that relates it: what it does is stated beside what it is."""
        facts = self.answering
        return bool(facts) and all(
            not (f.asks_source and f.asks_target) and f.agrees == 0 and f.beyond < _BEYOND for f in facts
        )

    @cached_property
    def values(self) -> list[Value]:
        """The stated values whose name says what is asked, where no relation says more.

        None where projects are asked for.
        """
        if self.asks_several:
            return []
        sources = self.ground.sources
        named = [source for source in sources if self.asked.names_file(source.path)]
        found = values_of(self.asked, named or sources)
        best = max((fact.coverage for fact in self.answering), default=0.0)
        return found if found and found[0].share > best else []

    @cached_property
    def traced(self) -> list[Block]:
        """What a pasted failure points at; where that is not in hand, what holds its message."""
        question, sources = self.asked.question, self.ground.sources
        return pointed(question, sources) if question.frames else saying(question, sources)

    @cached_property
    def found(self) -> list[Block]:
        """The blocks to choose from; of a thing that is asked about, what explains or defines it before all else."""
        edges = [edge for fact in self.answering for edge in fact.edges if not self.is_about_a_thing]
        proofs = {edge.location for edge in edges if edge.location}
        blocks = pieces_of(self.asked, self.ground.sources, proofs)
        blocks = led(blocks, [block for block in blocks if self.asked.names_file(block.source.path)])
        if not self.is_about_a_thing:
            return blocks
        telling = [b for b in blocks if (b.source.is_prose or b.defines) and not is_test(b.source.path)]
        first = [b for b in blocks[:1] if b not in telling and not b.source.is_settings]
        return [*led(telling, [b for b in telling if b.defined >= WHOLE]), *first] if telling else blocks

    @cached_property
    def instructions(self) -> list[Block]:
        """The sections of the instructions of the project in hand, where none of the other files says more, nor a
        relation that the question spells out; every one that was found where the question names nothing else.
        """
        if any(fact.agrees > 0 or (fact.asks_source and fact.asks_target) for fact in self.answering):
            return []
        own = [b for b in self.found if _is_in_hand(b.source) and is_instruction_file(b.source.path)]
        if not own:
            return []
        rivals = own if QueryType.LOCAL_ONLY in self._types else self.found
        best = max(block.share for block in rivals)
        kept = [block for block in own if block.share and block.share >= _NEAR * best]
        files = dict.fromkeys(block.file for block in kept if block.source.location)
        named = [file for file in files if self.asked.asks_only_for(*file)]
        return [self._found_of(file) for file in named] or kept[:_INSTRUCTIONS]

    def _found_of(self, file: tuple[str, str]) -> Block:
        """Everything of a file that was found, in its order."""
        sources = [
            source for source in self.ground.sources if source.location and (source.project, source.path) == file
        ]
        parts = [Block(s, (LineSpan(s.focus.start, s.focus.stop - 1),), s.focus.start) for s in sources]
        shown = list[Block]()
        for part in sorted(parts, key=lambda part: (part.lines.start, -part.lines.stop)):
            if not shown or part.lines.stop > shown[-1].lines.stop:
                shown.append(part)
        return replace(shown[0], more=tuple(shown[1:]))

    @cached_property
    def blocks(self) -> list[Block]:
        """The blocks to show."""
        first = self.instructions
        if any(self.asked.asks_only_for(*block.file) or block.share >= WHOLE for block in first):
            return first
        found = [block for block in self._open if not any(map(block.meets, self.traced))]
        is_led = bool(self.traced) or (bool(self.answering) and not self.is_about_a_thing)
        if is_led:
            return chosen(self.asked, found, asks_several=self.asks_several, lines=_BESIDE)
        leading = [] if first else self._leading(found)
        return chosen(self.asked, found, leading, asks_several=self.asks_several)

    @cached_property
    def _open(self) -> list[Block]:
        """What may be shown: where instructions answer a question of the project in hand, nothing of others."""
        first = self.instructions
        found = [*first, *(block for block in self.found if block not in first)]
        if not first or QueryType.LOCAL_ONLY not in self._types:
            return found
        return [block for block in found if block.source.project == first[0].source.project]

    def _leading(self, blocks: Sequence[Block]) -> list[Block]:
        """The best block of each of the best files, in the files' order; first of those that the question names, and of
        those that define the thing it is about.
        """
        best = firsts(blocks, lambda block: block.file)
        return sorted(best, key=lambda block: (not self._is_asked_for(block), self._ranks[block.file]))[:_LEADING]

    def _is_asked_for(self, block: Block) -> bool:
        return self.asked.names_file(block.source.path) or (self.is_about_a_thing and block.defined >= WHOLE)

    @cached_property
    def _ranks(self) -> dict[tuple[str, str], int]:
        return {source.file: rank for rank, source in reversed(list(enumerate(self.ground.sources)))}

    @cached_property
    def further(self) -> list[Block]:
        """The best block of each of the best files that are not shown, for a line each, in the files' order; of shown
        projects alone, where nothing but what is similar is asked for.
        """
        shown = self.blocks
        if not shown or shown == self.instructions:
            return []
        is_whole = any(block.share >= WHOLE for block in shown)
        least = (_BESIDE_WHOLE if is_whole else _LEAST_FURTHER) * max(block.worth for block in shown)
        files = {one.file for block in (*shown, *self.traced) for one in (block, *block.also)}
        others = [b for b in self._open if b.file not in files and b.source.location and b.worth >= least]
        if self._types == {QueryType.SIMILARITY}:
            projects = {block.source.project for block in shown}
            others = [block for block in others if block.source.project in projects]
        best = firsts(others, lambda block: block.file)
        return sorted(best, key=lambda block: self._ranks[block.file])[:_MOST_FURTHER]


def _is_in_hand(source: CitedSource) -> bool:
    """Whether the local agent found it too: it searches the project in hand alone."""
    observation = source.observation
    return observation.agent == "local" or any(copy.source.startswith("local:") for copy in observation.duplicates)
