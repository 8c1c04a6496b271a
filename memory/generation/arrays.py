"""Numbers of a generation, kept as numpy arrays: one file a project, never pickled, linked into the next generation
where nothing changed.

vocabulary/HASH.npz holds the project's terms with their counts, and the same for each file, from which the next
generation takes what did not change.
"""

from __future__ import annotations

import io
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import numpy as np

from memory.errors import DamagedIndexError
from memory.generation.facts import ProjectFiles
from memory.vocabulary import FileTerms, ProjectTerms

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memory.disk import Disk

__all__ = ["VocabularyFolder", "read_arrays"]


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
