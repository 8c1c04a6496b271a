"""True sentences that people wrote about texts of this repository and of installed packages, each with the markers it
is cited by.

Nothing in them was made from the check they are held against: passives, pronouns, synonyms, several facts in one
sentence. A row has the text; `denies` where it says that something is not; and, where a marker is the graph's, a type
and the proving lines for each of its steps: `CALLS orders/orders/service.py:43`.
"""

from __future__ import annotations

import json
import sysconfig
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from memory.entities import Entity, Relationship, sentence
from memory.files import FakeFiles
from memory.observations import Location, NormalizedObservation
from memory.text.lines import split_lines
from synthesis.answer import parse_markers

if TYPE_CHECKING:
    from synthesis.answer import Marker

ROOT = Path(__file__).parents[1]
SENTENCES = Path(__file__).with_name("true_sentences.jsonl")
UNSEEN = tuple(sorted(Path(__file__).with_name("unseen").glob("*.jsonl"), key=lambda path: int(path.stem)))
"""Sets in the order they were written, each frozen before it was first run and looked at afterwards
(docs/decisions/0054).
"""
_FOLDERS = {"textbook": "examples/textbook/pages", "decisions": "docs/decisions"}
_WHOLE = 60
_AROUND = 20
_KINDS = {
    "PUBLISHES": "topic",
    "SUBSCRIBES": "topic",
    "EXPOSES": "endpoint",
    "READS": "config_key",
    "OWNS_TABLE": "table",
    "USES_TABLE": "table",
    "STORES_IN": "table",
    "DEPENDS_ON": "service",
}


@dataclass(frozen=True, slots=True)
class Sentence:
    """A true sentence with its markers, what was observed where they lead, and whether it denies something."""

    text: str
    observations: tuple[NormalizedObservation, ...]
    denies: bool = False


def free_sentences(path: Path = SENTENCES) -> list[Sentence]:
    """The sentences in the order of the file."""
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    return [
        Sentence(row["text"], tuple(_observed(row["text"], row.get("relations", ()))), bool(row.get("denies")))
        for row in rows
    ]


def quoted_files(sentences: list[Sentence]) -> FakeFiles:
    """The files that the sentences are about, as they are now."""
    places = {(at.project, at.path) for one in sentences for o in one.observations for at in o.locations}
    return FakeFiles({f"{project}/{path}": _file(project, path) for project, path in places})


def _file(project: str, path: str) -> str:
    """A file of this repository, or of an installed distribution at the version in `constraints.txt`."""
    own = ROOT / _FOLDERS.get(project, f"examples/shop/{project}")
    return ((own if own.is_dir() else Path(sysconfig.get_path("purelib"))) / path).read_text()


def _observed(text: str, relations: list[str]) -> list[NormalizedObservation]:
    steps = iter(relations)
    return [_related(marker, steps) if marker.kind == "graph" else _read(marker) for marker in parse_markers(text)]


def _read(marker: Marker) -> NormalizedObservation:
    """The lines of a marker with some around them, as a search finds them."""
    project, _, path = marker.path.partition("/")
    lines, (first, last) = split_lines(_file(project, path)), marker.lines or (1, 1)
    if len(lines) > _WHOLE:
        start, end = max(1, first - _AROUND), min(len(lines), last + _AROUND)
    else:
        start, end = 1, len(lines)
    return NormalizedObservation(
        content="\n".join(lines[start - 1 : end]),
        source="vector:qdrant",
        source_project=project,
        confidence=0.8,
        observation_type="code",
        id=marker.text,
        locations=(Location(project, path, start, end),),
    )


def _related(marker: Marker, steps: object) -> NormalizedObservation:
    edges = tuple(_edge(one, two, next(steps)) for one, two in pairwise(marker.names))  # type: ignore[call-overload]
    return NormalizedObservation(
        content=". ".join(sentence(edge) for edge in edges) + ".",
        source="graph:kglite",
        source_project=edges[0].source.project,
        confidence=0.9,
        observation_type="relationship",
        id=marker.text,
        locations=tuple(Location(edge.project, edge.path, line, line) for edge in edges for line in edge.lines),
        entities_mentioned=tuple(dict.fromkeys(end.name for edge in edges for end in (edge.source, edge.target))),
        relationships=edges,
    )


def _edge(source: str, target: str, step: str) -> Relationship:
    kind, _, place = step.partition(" ")
    file, _, numbers = place.rpartition(":")
    project, _, path = file.partition("/")
    ends = [Entity(label.partition("/")[2], "class", label.partition("/")[0]) for label in (source, target)]
    found = Entity(ends[1].name, _KINDS.get(kind, "class"), ends[1].project)
    lines = tuple(int(number) for number in numbers.split(","))
    return Relationship(ends[0], kind, found, project=project, path=path, lines=lines)
