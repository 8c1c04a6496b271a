"""What a rule reads, pieces of an observation, and what it makes of them (docs/design.md#conflicts).

A claim is a value stated for a property. Pieces that state something: files by their notation, fenced blocks, table
summaries.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from memory.observations import Location, NormalizedObservation


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of an observation in one notation: a file's lines, a fenced block of a document, a graph's summary.

    `path` names the file the notation belongs to: for a fenced block the file that the document says it shows, or ''.
    `notation` is its lower-case suffix (`yaml`, `sql`, `md`, `summary` …); `first_line` is 1 where the file begins.
    """

    project: str
    path: str
    notation: str
    text: str
    first_line: int = 1
    section: str = ""
    where: Location | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """`subject`'s `property` is `value`, says this place.

    Claims meet only where project, `unit`, subject and property are the same; `unit` keeps apart what one project holds
    several times, such as the packages of a monorepo. `where` is None when the claim has no place of its own.
    """

    project: str
    subject: str
    property: str
    value: str
    unit: str = ""
    where: Location | None = None

    def key(self) -> tuple[str, str, str, str]:
        """What it is about."""
        return self.project, self.unit, self.subject, self.property


class ClaimRule(Protocol):
    """Reads one kind of statement. Conservative: what is not certain is not claimed."""

    notations: frozenset[str]

    def claims(self, passage: Passage) -> Iterator[Claim]:
        """The claims of a passage in one of its notations."""
        ...


_NOTATIONS = {
    "yml": "yaml",
    "yaml": "yaml",
    "toml": "toml",
    "json": "json",
    "ini": "ini",
    "cfg": "ini",
    "conf": "ini",
    "env": "env",
    "properties": "env",
    "sql": "sql",
    "md": "md",
    "markdown": "md",
    "txt": "txt",
}

_DOCUMENTS = frozenset({"md"})

_ASIDE = re.compile(
    r"tests?|testing|testdata|fixtures|examples?|samples?|demo|migrations?|migrate|alembic|versions"
    r"|vendor|third_party|node_modules|archive|legacy|old|backup"
)

"""Folders whose files state what holds elsewhere, once, or for a test."""

_UNITS = re.compile(r"services|packages|apps|libs|modules|projects|components|plugins|crates")

"""Folders whose sub-folders are things of their own."""

_FENCE = re.compile(
    r"^(?P<mark>`{3,}|~{3,})[ \t]*(?P<language>[\w+-]*)[^\n]*\n(?P<body>.*?)^(?P=mark)[ \t]*$", re.MULTILINE | re.DOTALL
)

_NAMED_FILE = re.compile(r"`(?P<path>[\w./-]+\.\w+)`")


def passages(observation: NormalizedObservation) -> Iterable[Passage]:
    """The observation's passages, in each file that has its text; none for prose outside documents, for code, and for
    folders set aside.

    The graph's is what its tables are, where it does not say which file its text is of.
    """
    if observation.kind == "graph" and "source_file" not in observation.metadata:
        return _summaries(observation.metadata.get("entities", ()))
    return (
        passage
        for where, path in _places(observation)
        if (notation := _notation(path)) and not _set_aside(path)
        for passage in _in_file(observation, where, path, notation)
    )


def notation_of(observation: NormalizedObservation) -> str:
    """The notation of the file that it was read from, by the file's suffix; '' where none is known."""
    return _notation(_places(observation)[0][1])


def _notation(path: str) -> str:
    return _NOTATIONS.get(path.rpartition(".")[2].lower(), "")


def _places(observation: NormalizedObservation) -> list[tuple[Location | None, str]]:
    """The places that have its text, the one that it was read from first, each with its path."""
    return [(at, at.path) for at in observation.locations] or [(None, str(observation.metadata.get("source_file", "")))]


def unit_of(path: str) -> str:
    """`services/billing` for what lies there, '' where the project is one unit."""
    parts = path.split("/")
    return "/".join(parts[:2]) if len(parts) > 2 and _UNITS.fullmatch(parts[0]) else ""


def _in_file(observation: NormalizedObservation, where: Location | None, path: str, notation: str) -> Iterator[Passage]:
    """In one of the files that have this text."""
    project = (where.project if where else observation.source_project) or ""
    section = str(observation.metadata.get("section") or "")
    if notation in _DOCUMENTS:
        for fence in _FENCE.finditer(observation.content):
            language = _NOTATIONS.get(fence["language"].lower(), "")
            yield Passage(
                project, _file_before(observation.content, fence.start()), language, fence["body"], where=where
            )
    first_line = where.start_line if where else 1
    yield Passage(project, path, notation, observation.content, first_line, section, where)


def _set_aside(path: str) -> bool:
    return any(_ASIDE.fullmatch(part) for part in path.lower().split("/")[:-1])


def _file_before(document: str, position: int) -> str:
    """The file named in backticks in the last line of text before a fenced block."""
    line = document[:position].rstrip().rpartition("\n")[2]
    named = _NAMED_FILE.findall(line)
    return named[0] if len(named) == 1 else ""


def _summaries(entities: Iterable[Mapping[str, Any]]) -> Iterator[Passage]:
    for entity in entities:
        if entity["kind"] == "table" and entity["summary"] and not _set_aside(entity["path"]):
            project, path = entity["project"], entity["path"]
            where = Location(project, path, entity["start_line"], entity["end_line"]) if path else None
            yield Passage(project, path, "summary", entity["summary"], section=entity["name"], where=where)
