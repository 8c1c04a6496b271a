"""What a generation keeps as numpy arrays: one file a project, never pickled, linked into the next generation where
nothing changed.

vocabulary/HASH.npz holds the project's terms with their counts, and the same for each file, from which the next
generation takes what did not change. statements/HASH.npz holds the postings of one project's statements and each
statement as a line of JSON. A statement belongs to the project whose file proves it, and names every project it speaks
of.
"""

from __future__ import annotations

import io
import json
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from zipfile import BadZipFile

import numpy as np

from memory.entities import Relationship, sentence
from memory.errors import DamagedIndexError
from memory.generation.facts import ProjectFiles
from memory.graph.queries import relation_row
from memory.statements import LENGTH_WEIGHT, SATURATION, Segment
from memory.text import is_test
from memory.vocabulary import FileTerms, ProjectTerms

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memory.disk import Disk

_ARRAYS: Final = ("terms", "starts", "rows", "weights", "audience", "audiences", "test", "offsets", "lines")
_AVERAGE_LENGTH = 24.0  # terms; fixed, so that a statement's weight depends on nothing but itself


def read_arrays(file: Path, names: Sequence[str]) -> Mapping[str, NDArray[Any]] | None:
    """These arrays of a file; None where there is none. Raises DamagedIndexError where it is damaged."""
    try:
        with np.load(io.BytesIO(file.read_bytes()), allow_pickle=False) as arrays:
            return {name: arrays[name] for name in names}
    except FileNotFoundError:
        return None
    except (BadZipFile, zlib.error, KeyError, ValueError, OSError, EOFError, RuntimeError, MemoryError) as error:
        raise DamagedIndexError(file, f"can't be read: {error}") from error


@dataclass(frozen=True, slots=True)
class VocabularyFolder(ProjectFiles):
    """The vocabulary of one generation. Reading raises DamagedIndexError where a file is damaged."""

    ending = ".npz"

    def write(self, disk: Disk, project: str, files: Mapping[str, FileTerms]) -> None:
        """Put the terms of a project's files in place of what there was. Raises OSError."""
        self.path.mkdir(mode=0o700, exist_ok=True)
        total = ProjectTerms.of(files.values())
        order = sorted(files)
        counted = [sorted(files[path].counts.items()) for path in order]
        packed = io.BytesIO()
        np.savez(
            packed,
            terms=total.terms,
            counts=total.counts,
            chunks=np.array([files[path].chunks for path in order], dtype=np.int32),
            paths=np.frombuffer(json.dumps(order).encode(), dtype=np.uint8),
            starts=np.cumsum([0, *map(len, counted)], dtype=np.int64),
            file_terms=np.array([term for one in counted for term, _ in one], dtype=np.int64),
            file_counts=np.array([count for one in counted for _, count in one], dtype=np.int32),
        )
        disk.write_bytes(self._file(project), packed.getvalue())

    def project(self, name: str) -> ProjectTerms:
        """One project's terms; none where it has no file."""
        found = read_arrays(self._file(name), ("terms", "counts", "chunks"))
        if found is None:
            return ProjectTerms(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int32), 0)
        return ProjectTerms(found["terms"], found["counts"], int(found["chunks"].sum()))

    def files(self, name: str) -> dict[str, FileTerms]:
        """The terms of each of a project's files."""
        found = read_arrays(self._file(name), ("chunks", "paths", "starts", "file_terms", "file_counts"))
        if found is None:
            return {}
        starts, terms, counts = found["starts"].tolist(), found["file_terms"].tolist(), found["file_counts"].tolist()
        return {
            path: FileTerms(
                chunks, dict(zip(terms[starts[n] : starts[n + 1]], counts[starts[n] : starts[n + 1]], strict=True))
            )
            for n, (path, chunks) in enumerate(
                zip(json.loads(bytes(found["paths"])), found["chunks"].tolist(), strict=True)
            )
        }


@dataclass(frozen=True, slots=True)
class StatementsFolder(ProjectFiles):
    """The statements of one generation. Reading raises DamagedIndexError where a file is damaged."""

    ending = ".npz"

    def write(
        self, disk: Disk, project: str, edges: Iterable[Relationship], terms: Callable[[str], Sequence[int]]
    ) -> None:
        """Put a project's statements in place of what there was.

        Args:
            disk: how files are written.
            project: whose files prove the relations.
            edges: its relations; candidates and definitions are left out.
            terms: the term ids of a text, repeated as often as they occur.

        Raises:
            OSError: the disk is full or refuses.
        """
        self.path.mkdir(mode=0o700, exist_ok=True)
        stated = sorted(
            (edge for edge in edges if edge.status == "confirmed" and edge.type != "DEFINES"), key=lambda edge: edge.id
        )
        disk.write_bytes(self._file(project), _packed(stated, terms))

    def segment(self, project: str) -> Segment:
        """One project's statements; none where it has no file."""
        found = read_arrays(self._file(project), _ARRAYS)
        if found is None:
            return Segment.empty()
        audiences = tuple(map(frozenset, json.loads(bytes(found["audiences"]))))
        given: dict[str, Any] = {**found, "audiences": audiences, "lines": bytes(found["lines"])}
        return Segment(**given)

    def inside(self, project: str) -> list[Relationship]:
        """The stated relations that both start and end in a project, with the evidence that is there."""
        segment, own = self.segment(project), frozenset({project})
        return [segment.relation(row, own) for row in np.flatnonzero(segment.visible(own)).tolist()]


def _packed(edges: Sequence[Relationship], terms: Callable[[str], Sequence[int]]) -> bytes:
    """The file's bytes: postings by term, then what each statement is."""
    postings: dict[int, list[tuple[int, float]]] = {}
    audiences: dict[tuple[str, ...], int] = {}
    audience, lines, offsets, tests = [], [], [0], []
    for row, edge in enumerate(edges):
        ids = terms(sentence(edge))
        norm = SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * len(ids) / _AVERAGE_LENGTH)
        for term, count in Counter(ids).items():
            postings.setdefault(term, []).append((row, count * (SATURATION + 1) / (count + norm)))
        audience.append(audiences.setdefault(_audience(edge), len(audiences)))
        tests.append(_is_of_tests(edge))
        line = json.dumps(_stored(edge), ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
        lines.append(line)
        offsets.append(offsets[-1] + len(line))
    ordered = sorted(postings)
    counts = [len(postings[term]) for term in ordered]
    pairs = [pair for term in ordered for pair in postings[term]]
    packed = io.BytesIO()
    np.savez(
        packed,
        terms=np.array(ordered, dtype=np.int64),
        starts=np.cumsum([0, *counts], dtype=np.int64),
        rows=np.array([row for row, _ in pairs], dtype=np.int32),
        weights=np.array([weight for _, weight in pairs], dtype=np.float32),
        audience=np.array(audience, dtype=np.int32),
        audiences=np.frombuffer(json.dumps(list(audiences), ensure_ascii=True).encode(), dtype=np.uint8),
        test=np.array(tests, dtype=bool),
        offsets=np.array(offsets, dtype=np.int64),
        lines=np.frombuffer(b"".join(lines), dtype=np.uint8),
    )
    return packed.getvalue()


def _audience(edge: Relationship) -> tuple[str, ...]:
    return tuple(sorted({edge.source.project, edge.target.project, edge.project}))


def _is_of_tests(edge: Relationship) -> bool:
    """Whether nothing but tests proves it, as everybody sees it who may see the relation."""
    seen = set(_audience(edge))
    return is_test(edge.path) and all(is_test(piece.path) for piece in edge.evidence if piece.project in seen)


def _stored(edge: Relationship) -> dict[str, Any]:
    """The columns that `memory.graph.queries.relation_from` reads."""
    relation = relation_row(edge)
    row = {f"r_{key}": relation[key] for key in ("id", "type", "project", "file", "lines", "status", "evidence")}
    for prefix, end in (("a", edge.source), ("b", edge.target)):
        row |= {f"{prefix}_{name}": getattr(end, name) for name in end.__slots__}
    return row
