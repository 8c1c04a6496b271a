"""`LocalRetrievalAgent`: the project in hand - its instructions, documents and code, and what the caller has open (001
§4.1).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import PurePosixPath
from typing import Final, Literal

from agents.candidates import Candidate
from agents.instructions import Instructions, Section
from agents.search import HybridSearch
from agents.vector import metadata_of, one_a_file, place_of
from memory.embedders.english import ENGLISH, stemmer
from memory.files import WholeFiles, is_instruction_file
from memory.observations import FRESH, RECENT, LocalObservation, Location
from memory.project_folder import ProjectFolder
from memory.query import RecentItem, TaskContext
from memory.question import ParsedQuestion, question_of
from memory.text import split_identifier
from memory.vector.filters import Condition
from memory.vector.port import Chunk

_SAYING: Final = frozenset({"say", "says", "tell", "tells"})
_NAMED = 0.5
_MOST_OF_A_FILE = 3
_FLOOR = 0.45
"""The least confidence of a section: it comes beside what all projects hold, so it has to say much of the question."""
_WORD = re.compile(r"[\w][\w.\-]*\w")


class LocalRetrievalAgent:
    """Sections of the project in hand, never whole files; never outside the project.

    `folders` are the projects' folders: instruction files that have changed since they were indexed are read from
    there, so that they are always current, or `stored` where a folder is not on this machine. Without a project in hand
    it finds nothing but recent context. Raises StoreError and ModelError of its parts.
    """

    comparable_ratings: Final = True

    def __init__(
        self,
        search: HybridSearch,
        folders: Mapping[str, ProjectFolder],
        *,
        max_observations: int,
        stored: Callable[[frozenset[str]], WholeFiles] | None = None,
        floor: float = _FLOOR,
    ) -> None:
        self._search = search
        self._folders = folders
        self._instructions = Instructions(folders, stored)
        self._max_observations = max_observations
        self._floor = floor

    async def retrieve(self, query: str, context: TaskContext) -> list[LocalObservation]:
        """Sections of the project's files and recent context, the best first."""
        question = question_of(query, context)
        observations: list[LocalObservation] = []
        if context.project is not None and context.project in context.permission:
            observations += await self._sections(question, context, context.project)
        recent = [found for item in context.recent if (found := _recent(question, item))]
        return sorted([*observations, *recent], key=lambda o: -o.relevance_score)[: self._max_observations]

    async def _sections(self, question: ParsedQuestion, context: TaskContext, project: str) -> list[LocalObservation]:
        own = frozenset({project})
        folder = self._folders.get(project)
        named = named_files(question, folder.paths) if folder else ()
        included = [await self._instructions.included(project, path) for path in named if is_instruction_file(path)]
        wanted = tuple(dict.fromkeys([*named, *(path for one in included for path in one.paths)]))
        notes = tuple(note for one in included for note in one.notes)
        changed = self._instructions.changed(project)
        first: list[Candidate] = []
        if wanted:
            first = await self._search.search(question, own, conditions=(Condition("path", any_of=wanted),))
        rest = [
            found
            for found in await self._search.search(question, context.permission, in_hand=project)
            if found.chunk.project == project
        ]
        if not rest:  # beside larger projects none of its files may be among the best of all
            rest = await self._search.search(question, own)
        taken = {candidate.chunk.id for candidate in first}
        kept = [
            (c, max(c.confidence, _NAMED * c.score, _share(question, c.chunk.text)))
            for c, _ in one_a_file(first, _MOST_OF_A_FILE)
        ]
        kept += [
            (c, c.confidence) for c, _ in one_a_file([c for c in rest if c.chunk.id not in taken], _MOST_OF_A_FILE)
        ]
        rows = [
            self._observe(c, confidence, notes if c.chunk.path in wanted else ())
            for c, confidence in kept
            if confidence / c.weight >= self._floor and c.chunk.path not in changed  # a document is no less sure
        ]
        rated: dict[tuple[str, str], float] = {}
        for c, confidence in kept:
            if c.chunk.path in changed:
                as_it_was = c.chunk.path, c.chunk.section.rpartition(" > ")[2]
                rated[as_it_was] = max(confidence, rated.get(as_it_was, 0.0))
        fresh = [
            _fresh(project, one, max(share, _NAMED * (path in wanted), rated.get((path, one.title), 0.0)))
            for path, own in changed.items()
            for one, share in _told(question, own, all_of_it=path in wanted)
        ]
        return sorted([*rows, *fresh], key=lambda o: -o.relevance_score)

    def _observe(self, candidate: Candidate, confidence: float, notes: tuple[str, ...]) -> LocalObservation:
        chunk = candidate.chunk
        return LocalObservation(
            content=chunk.text,
            source_file=chunk.path,
            section=chunk.section or chunk.symbol or None,
            relevance_score=round(min(1.0, confidence), 6),
            observation_type=_type(chunk),
            project=chunk.project,
            locations=(place_of(chunk),),
            entities_mentioned=(chunk.symbol,) if chunk.symbol else (),
            embedding=candidate.dense,
            embedding_model=candidate.model,
            metadata=metadata_of(chunk) | ({"notes": list(notes)} if notes else {}),
        )


def _type(chunk: Chunk) -> Literal["instruction", "pattern", "fact", "context"]:
    if is_instruction_file(chunk.path):
        return "instruction"
    return "fact" if chunk.corpus == "docs" else "pattern"


def named_files(question: ParsedQuestion, paths: Sequence[str]) -> tuple[str, ...]:
    """The project's files that the question names: `CLAUDE.md`, `docker-compose`, `src/app.py`."""
    words = {name.casefold() for name in (*question.paths, *(word.text for word in question.words))}
    found = []
    for path in paths:
        name = PurePosixPath(path)
        stem = name.stem.casefold()
        by_stem = stem in words and len(split_identifier(name.stem)) > 1  # `docker-compose`, but not `main`
        if name.name.casefold() in words or path.casefold() in words or by_stem:
            found.append(path)
    return tuple(found)


def _share(question: ParsedQuestion, text: str, but: AbstractSet[str] = frozenset()) -> float:
    """Share of the question's words, split and in any of their forms, that the text holds; stop words count nothing.

    but: words, split, that count nothing either.
    """
    stem = stemmer()
    parts = (part for word in question.words for part in split_identifier(word.text))
    asked = {stem(part) for part in parts if len(part) > 2 and part not in ENGLISH and part not in but}
    held = {stem(part) for word in _WORD.findall(text) for part in split_identifier(word)}
    return len(asked & held) / len(asked) if asked else 0.0


def _told(question: ParsedQuestion, sections: Sequence[Section], *, all_of_it: bool) -> Iterator[tuple[Section, float]]:
    """The sections that share words with the question, each with the share; where none does, and the question names
    the file, all of them. The file's name, and that it says something, are no words of what it says.
    """
    but = _SAYING.union(*(split_identifier(part) for section in sections for part in section.path.split("/")))
    shares = [_share(question, section.text, but) for section in sections]
    for section, share in zip(sections, shares, strict=True):
        if share or (all_of_it and not any(shares)):
            yield section, share


def _fresh(project: str, section: Section, relevance: float) -> LocalObservation:
    """A section as it is on disk, newer than the index: it stands for what was indexed wherever both were found."""
    return LocalObservation(
        content=section.text,
        source_file=section.path,
        section=section.title or None,
        relevance_score=round(min(1.0, relevance), 6),
        observation_type="instruction",
        project=project,
        locations=(Location(project, section.path, section.start_line, section.end_line),),
        metadata={
            "section": section.title,
            "chunk_kind": "doc",
            "corpus": "docs",
            "lang": "markdown",
            FRESH: True,
        },
    )


def _recent(question: ParsedQuestion, item: RecentItem) -> LocalObservation | None:
    """A recent item that shares words with the question; relevance is the share of the question's words it holds."""
    share = _share(question, f"{item.title} {item.content}")
    if not share or not item.content.strip():
        return None
    return LocalObservation(
        content=item.content,
        source_file=RECENT,
        section=item.title or None,
        relevance_score=round(share, 6),
        observation_type="context",
    )
