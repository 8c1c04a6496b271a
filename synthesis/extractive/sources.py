"""Observations grounded in the files: the lines that are really there, and the relations that are really proved."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memory.observations import Location
from memory.text.lines import split_lines
from synthesis.answer import Citation
from synthesis.extractive.code import PROSE_SUFFIXES, code_passages
from synthesis.extractive.sentences import prose_passages
from synthesis.markers import also_at, graph_marker, lines_marker, observed_path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memory.entities import Relationship
    from memory.files import FileText
    from memory.observations import NormalizedObservation
    from synthesis.extractive.passages import Passage

__all__ = ["Edge", "Ground", "Source", "grounded"]

_SAME = 60
_METHODS = re.compile(r"^\w+\.\w+ .*\b\w+\.\w+$")


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """An observation and its lines as the generation holds them; `location` None: its content is all there is."""

    observation: NormalizedObservation
    location: Location | None
    lines: tuple[str, ...]

    @property
    def project(self) -> str:
        """Whose lines they are."""
        return self.location.project if self.location else self.observation.source_project or ""

    @property
    def path(self) -> str:
        """Where they stand."""
        return self.location.path if self.location else observed_path(self.observation)

    @property
    def symbol(self) -> str:
        """The definition they hold, as far as the index knows."""
        return str(self.observation.metadata.get("symbol") or "")

    @property
    def section(self) -> str:
        """The heading they stand under."""
        return str(self.observation.metadata.get("section") or "")

    @property
    def is_code(self) -> bool:
        """Whether they read as code; by the index's word, else by the file's name, else by the agent's type."""
        if self.path.lower().endswith(PROSE_SUFFIXES):
            return False
        corpus = self.observation.metadata.get("corpus")
        if corpus:
            return bool(corpus == "code")
        return "." in self.path.rsplit("/", 1)[-1] or self.observation.observation_type in {"code", "example"}

    def passages(self) -> list[Passage]:
        """Everything in it that can be quoted."""
        if self.is_code:
            return code_passages(self.lines, self.symbol)
        return prose_passages(self.lines, context=self.section)

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
    """The observations whose text stands in the files; what does not is left out (it has changed since)."""
    sources, edges = [], list[Edge]()
    for observation in observations:
        source = await _source(observation, files)
        if source is not None:
            sources += [
                source,
                *[also for at in also_at(observation) if (also := await _lines_of(observation, at, files))],
            ]
        for relation in observation.relationships:
            edge = await _edge(observation, relation, files)
            if edge is not None and relation.id not in {known.relation.id for known in edges}:
                edges.append(edge)
    return Ground(tuple(sources), tuple(edges))


async def _source(observation: NormalizedObservation, files: FileText) -> Source | None:
    if not observation.locations:
        return (
            Source(observation, None, tuple(split_lines(observation.content)))
            if not observation.relationships
            else None
        )
    if observation.relationships:
        return None  # its lines are its edges'
    at = observation.locations[0]
    lines = await files.lines(at)
    if lines is None:
        return None
    if observation.agent != "graph":
        said, found = " ".join(observation.content.split()), " ".join(" ".join(lines).split())
        if said[:_SAME] not in found and found[:_SAME] not in said:
            return None
    return Source(observation, at, tuple(lines))


async def _edge(observation: NormalizedObservation, relation: Relationship, files: FileText) -> Edge | None:
    project = relation.project or relation.source.project
    if not relation.path or not relation.lines:
        return Edge(observation, relation, None, " ".join(observation.content.split())[:200])
    for number in sorted(relation.lines, key=lambda line: not _telling(relation, line)):
        at = Location(project, relation.path, number, number)
        lines = await files.lines(at)
        if lines and lines[0].strip():
            return Edge(observation, relation, at, lines[0].strip(), await _body(observation, relation, number, files))
    return None


def _telling(relation: Relationship, line: int) -> bool:
    """Whether a method meets a method on this line: that says more than where one object makes the other."""
    says = [piece.says for piece in relation.evidence if piece.line == line and piece.path == relation.path]
    return any(_METHODS.match(said) and "__init__" not in said for said in says)


async def _lines_of(observation: NormalizedObservation, at: Location, files: FileText) -> Source | None:
    lines = await files.lines(at)
    return Source(observation, at, tuple(lines)) if lines else None


async def _body(
    observation: NormalizedObservation, relation: Relationship, line: int, files: FileText
) -> Source | None:
    start = relation.source
    if start.path != relation.path or not start.start_line <= line <= start.end_line:
        return None
    return await _lines_of(observation, Location(start.project, start.path, start.start_line, start.end_line), files)
