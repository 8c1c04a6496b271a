"""Observations grounded in the files: the lines that are really there, and the relations that are really proved."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

from memory.observations import Location
from memory.text.lines import split_lines
from synthesis.answer import Citation
from synthesis.extractive.code import PROSE_SUFFIXES, code_passages
from synthesis.extractive.sentences import prose_passages
from synthesis.extractive.terms import searchable
from synthesis.markers import also_at, graph_marker, lines_marker, observed_path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memory.entities import Relationship
    from memory.files import FileText
    from memory.observations import NormalizedObservation
    from synthesis.extractive.passages import Passage

__all__ = ["Edge", "Ground", "Source", "grounded"]

_SAME: Final = 60
_READ: Final = 160
_REMEMBERED: Final = 512
_KEYED_SUFFIXES: Final = (".yaml", ".yml", ".json")
_REQUIREMENTS = re.compile(r"(?:^|/)(?:requirements|constraints)(?:[\w.-]*\.txt$|/)")
_TRIPLE = re.compile(r'"""|\'\'\'')
_METHODS = re.compile(r"^\w+\.\w+ .*\b\w+\.\w+$|^asks for [A-Z]+ /")


@dataclass(frozen=True, eq=False)
class Source:
    """An observation and its lines as the generation holds them; `location` None: its content is all there is.

    opened: the quotes of a docstring in which the lines begin, None where that is not known.
    """

    observation: NormalizedObservation
    location: Location | None
    lines: tuple[str, ...]
    opened: str | None = None

    @cached_property
    def project(self) -> str:
        """Whose lines they are."""
        return self.location.project if self.location else self.observation.source_project or ""

    @cached_property
    def path(self) -> str:
        """Where they stand."""
        return self.location.path if self.location else observed_path(self.observation)

    @cached_property
    def symbol(self) -> str:
        """The definition they hold, as far as the index knows."""
        return self._said("symbol")

    @cached_property
    def section(self) -> str:
        """The heading they stand under."""
        return self._said("section")

    def _said(self, key: str) -> str:
        """What the index knows of the observation's first lines; it says nothing of further hits in the file."""
        first = self.observation.locations[:1]
        return str(self.observation.metadata.get(key) or "") if first in {(), (self.location,)} else ""

    @cached_property
    def is_code(self) -> bool:
        """Whether they read as code; by the index's word, else by the file's name, else by the agent's type."""
        if _REQUIREMENTS.search(self.path.lower()):
            return True
        if self.path.lower().endswith(PROSE_SUFFIXES):
            return False
        corpus = self.observation.metadata.get("corpus")
        if corpus:
            return bool(corpus == "code")
        return "." in self.path.rsplit("/", 1)[-1] or self.observation.observation_type in {"code", "example"}

    @cached_property
    def is_keyed(self) -> bool:
        """Whether they are settings, where what is indented belongs to the key above it."""
        return self.path.lower().endswith(_KEYED_SUFFIXES)

    @cached_property
    def text(self) -> str:
        """What can be quoted of it, to see without parsing whether a word is there."""
        return searchable("\n".join(self.lines[:_READ]))

    def passages(self) -> tuple[Passage, ...]:
        """Everything in it that can be quoted; of a definition of many lines, in the first of them."""
        lines = self.lines[:_READ]
        if self.is_code:
            return _code_passages(lines, "" if self.is_keyed else self.symbol, self.opened, self.is_keyed)
        return _prose_passages(lines, self.section)

    def at(self, first: int, last: int) -> Location | None:
        """The location of some of its lines, counted from 0."""
        if self.location is None:
            return None
        start = self.location.start_line
        return Location(self.location.project, self.location.path, start + first, start + last)

    def citation(self, claim: str, quote: str, first: int, last: int) -> Citation:
        """A citation of some of its lines, still to be checked."""
        location = self.at(first, last)
        if self.observation.agent == "graph":
            names = self.observation.entities_mentioned
            name = names[0] if names else self.observation.id
            marker = graph_marker([f"{self.project}/{name}" if self.project else name])
        else:
            marker = lines_marker(self.observation, location)
        return Citation(marker, self.observation.id, claim, quote, location)


# One chunk is read for many questions.
@lru_cache(maxsize=_REMEMBERED)
def _code_passages(
    lines: tuple[str, ...],
    symbol: str,
    opened: str | None,
    keyed: bool,  # noqa: FBT001 - a cache's key
) -> tuple[Passage, ...]:
    return tuple(code_passages(lines, symbol, opened=opened, keyed=keyed))


@lru_cache(maxsize=_REMEMBERED)
def _prose_passages(lines: tuple[str, ...], section: str) -> tuple[Passage, ...]:
    return tuple(prose_passages(lines, context=section))


@dataclass(frozen=True, slots=True, eq=False)
class Edge:
    """A relation and the line that proves it; without a line the observation's content has to do.

    body: the lines of the definition it starts from, where they hold the proof.
    """

    observation: NormalizedObservation
    relation: Relationship
    location: Location | None
    quote: str
    body: Source | None = None

    def citation(self, marker: str, claim: str) -> Citation:
        """A row of `citations` under this marker."""
        return Citation(marker, self.observation.id, claim, self.quote, self.location)


@dataclass(frozen=True, slots=True)
class Ground:
    """What an answer may be made of, by rank."""

    sources: tuple[Source, ...]
    edges: tuple[Edge, ...]

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to answer with."""
        return not self.sources and not self.edges


async def grounded(observations: Sequence[NormalizedObservation], files: FileText) -> Ground:
    """The observations whose text stands in the files; what does not is left out (it has changed since).

    Lines that an observation of higher rank holds already are not taken again from a further hit.
    """
    reading = _Reading(files)
    sources, edges = [], dict[tuple[str, str, str], Edge]()
    for observation in observations:
        source = await _source(observation, reading)
        if source is not None:
            sources.append(source)
            listed = observation.locations[1:] if observation.metadata.get("kind") == "inventory" else ()
            further = (*also_at(observation), *listed)
            sources += [also for at in further if (also := await reading.source(observation, at))]
        for relation in observation.relationships:
            told = relation.ends in edges  # once, by the first that is proved
            edge = None if told else await _edge(observation, relation, reading)
            if edge is not None:
                edges[relation.ends] = edge
    return Ground(tuple(sources), tuple(edges.values()))


class _Reading:
    """Reads lines as sources, each with the docstring that it begins in."""

    def __init__(self, files: FileText) -> None:
        self._files = files
        self._opened: dict[tuple[str, str], tuple[int, list[tuple[int, str]]]] = {}

    async def lines(self, at: Location) -> list[str] | None:
        return await self._files.lines(at)

    async def source(self, observation: NormalizedObservation, at: Location) -> Source | None:
        lines = await self._files.lines(at)
        return Source(observation, at, tuple(lines), await self._opened_at(at)) if lines else None

    async def _opened_at(self, at: Location) -> str | None:
        """The quotes of a docstring that is open where these lines begin; None when what is above is not in hand."""
        if at.start_line == 1 or not at.path.endswith((".py", ".pyi")):
            return ""
        key = (at.project, at.path)
        read, turns = self._opened.get(key, (0, [(0, "")]))
        if read < at.start_line - 1:
            above = await self._files.lines(Location(at.project, at.path, read + 1, at.start_line - 1))
            if above is None:
                return None
            for number, line in enumerate(above, read + 1):
                if '"""' in line or "'''" in line:
                    turns.append((number, _left_open(line, turns[-1][1])))
            self._opened[key] = (at.start_line - 1, turns)
        return turns[bisect_left(turns, (at.start_line, "")) - 1][1]


def _left_open(line: str, opened: str) -> str:
    """The triple quotes still open behind a line."""
    for quotes in _TRIPLE.findall(line):
        if not opened:
            opened = quotes
        elif opened == quotes:
            opened = ""
    return opened


async def _source(observation: NormalizedObservation, reading: _Reading) -> Source | None:
    if observation.relationships:
        return None  # its lines are its edges'
    if not observation.locations:
        return Source(observation, None, tuple(split_lines(observation.content)))
    source = await reading.source(observation, observation.locations[0])
    if source is not None and observation.agent != "graph":
        said, found = " ".join(observation.content.split()), " ".join(" ".join(source.lines).split())
        if said[:_SAME] not in found and found[:_SAME] not in said:
            return None
    return source


async def _edge(observation: NormalizedObservation, relation: Relationship, reading: _Reading) -> Edge | None:
    project = relation.project or relation.source.project
    if not relation.path or not relation.lines:
        return Edge(observation, relation, None, " ".join(observation.content.split())[:200])
    for number in sorted(relation.lines, key=lambda line: not _telling(relation, line)):
        at = Location(project, relation.path, number, number)
        lines = await reading.lines(at)
        if lines and lines[0].strip():
            return Edge(
                observation, relation, at, lines[0].strip(), await _body(observation, relation, number, reading)
            )
    return None


def _telling(relation: Relationship, line: int) -> bool:
    """Whether a method meets a method or asks for an endpoint on this line: that says more than where one makes the other
    or learns its address.
    """
    says = [piece.says for piece in relation.evidence if piece.line == line and piece.path == relation.path]
    return any(_METHODS.match(said) and "__" not in said for said in says)


async def _body(
    observation: NormalizedObservation, relation: Relationship, line: int, reading: _Reading
) -> Source | None:
    start = relation.source
    if start.path != relation.path or not start.start_line <= line <= start.end_line:
        return None
    return await reading.source(observation, Location(start.project, start.path, start.start_line, start.end_line))
