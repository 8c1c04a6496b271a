"""Observations grounded in the files: the lines that are really there, and the relations that are really proved."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from memory.files import WholeFiles
from memory.observations import Location
from memory.text.kinds import debris_lines, idle_lines
from memory.text.lines import split_lines
from memory.text.units import units_of
from synthesis.answer import Citation, also_at, graph_marker, lines_marker, observed_path
from synthesis.terms import terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memory.entities import Relationship
    from memory.files import FileText
    from memory.observations import NormalizedObservation
    from memory.text.units import CodeUnits, LineSpan, ProseUnits

_SAME: Final = 60
_MOST_LINES: Final = 400
_AROUND: Final = 30
_PROSE: Final = frozenset({".md", ".mdx", ".markdown", ".rst", ".adoc", ".asciidoc", ".txt"})
_CODE_NAMES: Final = ("requirements", "constraints", "cmakelists", "makefile", "dockerfile")
_CALL: Final = "calls"
"""The rule by which whoever calls what does something does it too."""
_METHODS: Final = re.compile(r"^\w+\.\w+ .*\b\w+\.\w+$|^asks for [A-Z]+ /")


@dataclass(frozen=True, eq=False)
class CitedSource:
    """Lines of an observation as the generation holds them, and those around them; without a location its content is
    all.

    location: where `lines` stand; focus: which of them were found, counted from 0; first: whether these are the
    observation's own, rather than a further hit's in the same file.
    """

    observation: NormalizedObservation
    location: Location | None
    lines: tuple[str, ...]
    focus: range
    first: bool = True

    @cached_property
    def project(self) -> str:
        """Whose lines they are."""
        return self.location.project if self.location else self.observation.source_project or ""

    @cached_property
    def path(self) -> str:
        """Where they stand."""
        return self.location.path if self.location else observed_path(self.observation)

    @cached_property
    def file(self) -> tuple[str, str]:
        """Project and path; the observation itself in place of a path that is not known."""
        return self.project, self.path or self.observation.id

    @cached_property
    def title(self) -> str:
        """The definition or the section they hold, as far as the index knows; it knows nothing of further hits."""
        metadata = self.observation.metadata if self.first else {}
        return str(metadata.get("symbol") or metadata.get("section") or "")

    @cached_property
    def named(self) -> frozenset[str]:
        """The terms of its place: project, path and title."""
        return terms(f"{self.project} {self.path} {self.title}".replace("/", " "))

    @cached_property
    def idle(self) -> frozenset[int]:
        """Its lines that say nothing of what it does: notices, and the lists of names that are imported."""
        return frozenset() if self.is_prose else idle_lines(self.lines)

    @cached_property
    def debris(self) -> frozenset[int]:
        """Its lines that say nothing: imports, notices, brackets and blanks."""
        return debris_lines(self.lines)

    def telling(self, spans: Iterable[LineSpan]) -> list[int]:
        """The numbers of those lines of these spans that say anything."""
        return [n for span in spans for n in range(span.first, span.last + 1) if n not in self.debris]

    @cached_property
    def units(self) -> CodeUnits | ProseUnits:
        """What of its lines belongs together."""
        return units_of(self.lines, prose=self.is_prose, left_out=self.idle)

    @cached_property
    def is_prose(self) -> bool:
        """Whether they read as a document; by the file's name, else by the agent's type."""
        by_name = _is_prose(self.path)
        return self.observation.observation_type not in {"code", "example"} if by_name is None else by_name

    @cached_property
    def is_settings(self) -> bool:
        """Whether what is indented belongs to the key above it."""
        return self.path.lower().endswith((".yaml", ".yml", ".json"))

    def shown(self, spans: Iterable[LineSpan]) -> list[str]:
        """The lines of these spans."""
        return [line for span in spans for line in self.lines[span.first : span.last + 1]]

    @property
    def found(self) -> Location | None:
        """The lines that were found."""
        return self.at(self.focus.start, self.focus.stop - 1)

    @property
    def copies(self) -> list[Location]:
        """Where else the same was found."""
        observation = self.observation if self.first else None
        if observation is None or self.location is None or observation.kind == "graph":
            return []
        copies = (copy.location for copy in observation.duplicates if copy.location)
        places = [*observation.locations[1:], *also_at(observation), *copies]
        return [at for at in places if (at.project, at.path) != (self.project, self.path)]

    def at(self, first: int, last: int) -> Location | None:
        """The location of some of its lines, counted from 0."""
        if self.location is None:
            return None
        start = self.location.start_line
        return Location(self.location.project, self.location.path, start + first, start + last)

    def citation(self, claim: str, first: int, last: int) -> Citation:
        """A citation of those of these lines that were found, still to be checked; it quotes the lines themselves."""
        first, last = max(first, self.focus.start), min(last, self.focus.stop - 1)
        location, quote = self.at(first, last), "\n".join(self.lines[first : last + 1]).strip()
        if self.observation.kind == "graph":
            names = self.observation.entities_mentioned
            name = names[0] if names else self.observation.id
            marker = graph_marker([f"{self.project}/{name}" if self.project else name])
        else:
            marker = lines_marker(self.observation, location)
        return Citation(marker, self.observation.id, claim, quote, location)


@lru_cache(maxsize=32_768)
def _is_prose(path: str) -> bool | None:
    """Whether a file of this name reads as a document; None where the name does not say."""
    name = PurePosixPath(path.lower())
    if name.name.startswith(_CODE_NAMES):
        return False
    return name.suffix in _PROSE if name.suffix else None


@dataclass(frozen=True, slots=True, eq=False)
class CitedEdge:
    """A relation and the line that proves it; without a line the observation's content has to do."""

    observation: NormalizedObservation
    relation: Relationship
    location: Location | None
    quote: str

    @property
    def does(self) -> str:
        """The relation's type; CREATES of a call that makes an object of its target, and does nothing else with it."""
        edge = self.relation
        says = [piece.says for piece in edge.own_evidence if piece.line in edge.lines]
        return "CREATES" if edge.type == "CALLS" and says and all(" creates " in one for one in says) else edge.type

    @property
    def is_by_call(self) -> bool:
        """Whether its line is a call of what does it, and no more."""
        edge, line = self.relation, self.location.start_line if self.location else 0
        here = [piece for piece in edge.own_evidence if piece.line == line]
        by_call = [piece for piece in here if piece.rule == _CALL or piece.says.startswith(f"{_CALL} ")]
        return edge.type != "CALLS" and bool(here) and by_call == here

    def citation(self, marker: str, claim: str) -> Citation:
        """A row of `citations` under this marker."""
        return Citation(marker, self.observation.id, claim, self.quote, self.location)


@dataclass(frozen=True, slots=True)
class AnswerEvidence:
    """What an answer may be made of, by rank. `chains` are the relations of each graph observation, in its order."""

    sources: tuple[CitedSource, ...]
    chains: tuple[tuple[CitedEdge, ...], ...]


async def grounded(observations: Sequence[NormalizedObservation], files: FileText) -> AnswerEvidence:
    """The observations whose text is in the files; the others are left out (it has changed since)."""
    whole = files if isinstance(files, WholeFiles) else None
    if whole is not None:
        await whole.read_ahead(_places(observations))
    sources, chains = list[CitedSource](), list[tuple[CitedEdge, ...]]()
    for observation in observations:
        if observation.relationships:  # its lines are its relations'
            edges = [await _edge(observation, relation, files) for relation in observation.relationships]
            chains.append(tuple(edge for edge in edges if edge is not None))
            continue
        source = await _source(observation, files, whole)
        if source is not None:
            sources.append(source)
            further = [await _around(observation, at, files, whole, first=False) for at in _further(observation)]
            sources += [source for source in further if source is not None]
    return AnswerEvidence(tuple(sources), tuple(chain for chain in chains if chain))


def _places(observations: Sequence[NormalizedObservation]) -> dict[tuple[str, str], None]:
    """The files of what was found, by project and path."""
    edges = [edge for observation in observations for edge in observation.relationships]
    files = [(edge.project or edge.source.project, edge.path) for edge in edges if edge.path and edge.lines]
    texts = [observation for observation in observations if not observation.relationships]
    files += [(at.project, at.path) for observation in texts for at in observation.locations[:1]]
    return dict.fromkeys(files)


def _further(observation: NormalizedObservation) -> list[Location]:
    """Further places of an observation: hits in the same file; copies of it elsewhere are not read again."""
    own = observation.locations[:1]
    return [at for at in also_at(observation) if own and (at.project, at.path) == (own[0].project, own[0].path)]


async def _source(observation: NormalizedObservation, files: FileText, whole: WholeFiles | None) -> CitedSource | None:
    if not observation.locations:
        lines = tuple(split_lines(observation.content))
        return CitedSource(observation, None, lines, range(len(lines)))
    source = await _around(observation, observation.locations[0], files, whole, first=True)
    if source is not None and observation.kind != "graph":
        lines = source.lines[source.focus.start : source.focus.stop]
        content, found = " ".join(observation.content.split()), " ".join(" ".join(lines).split())
        if content[:_SAME] not in found and found[:_SAME] not in content:
            return None
    return source


async def _around(
    observation: NormalizedObservation, at: Location, files: FileText, whole: WholeFiles | None, *, first: bool
) -> CitedSource | None:
    """The lines of a place, and as far as whole files can be had those before and after."""
    if whole is None:
        lines = await files.lines(at)
        return CitedSource(observation, at, tuple(lines), range(len(lines)), first) if lines else None
    text = await whole.file(at.project, at.path)
    if text is None or not 1 <= at.start_line <= at.end_line <= len(text):
        return None
    start, end = max(at.start_line - _AROUND, 1), min(at.end_line, at.start_line + _MOST_LINES)
    lines = text[start - 1 : min(end + _AROUND, len(text))]
    location = Location(at.project, at.path, start, start + len(lines) - 1)
    return CitedSource(observation, location, tuple(lines), range(at.start_line - start, end - start + 1), first)


async def _edge(observation: NormalizedObservation, relation: Relationship, files: FileText) -> CitedEdge | None:
    project = relation.project or relation.source.project
    if not relation.path or not relation.lines:
        return CitedEdge(observation, relation, None, " ".join(observation.content.split())[:200])
    for number in sorted(relation.lines, key=lambda line: not _telling(relation, line)):
        at = Location(project, relation.path, number, number)
        lines = await files.lines(at)
        if lines and lines[0].strip():
            return CitedEdge(observation, relation, at, lines[0].strip())
    return None


def _telling(relation: Relationship, line: int) -> bool:
    """Whether a method meets a method or asks for an endpoint on this line: that says more than where one makes the
    other or learns its address.
    """
    says = [piece.says for piece in relation.own_evidence if piece.line == line]
    return any(_METHODS.match(statement) and "__" not in statement for statement in says)
