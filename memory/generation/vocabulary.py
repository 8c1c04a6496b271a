"""The vocabulary of a generation on disk: one file a project, linked into the next generation where nothing changed.

vocabulary/HASH.npz holds the project's terms with their counts, and the same for each file, from which the next generation
takes what did not change.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from memory.generation.arrays import array_file, keep_files, read_arrays
from memory.vocabulary.vocabulary import FileTerms, ProjectTerms

if TYPE_CHECKING:
    from pathlib import Path

    from memory.disk import Disk

__all__ = ["VocabularyFolder"]


@dataclass(frozen=True, slots=True)
class VocabularyFolder:
    """The vocabulary of one generation. Reading raises DamagedIndexError where a file is damaged."""

    path: Path

    def write(self, disk: Disk, project: str, files: Mapping[str, FileTerms]) -> None:
        """Put the terms of a project's files in place of what there was. Raises OSError."""
        self.path.mkdir(mode=0o700, exist_ok=True)
        total = ProjectTerms.of(files.values())
        order = sorted(files)
        packed = io.BytesIO()
        np.savez(
            packed,
            terms=total.terms,
            counts=total.counts,
            chunks=np.array([files[path].chunks for path in order], dtype=np.int32),
            paths=np.frombuffer(json.dumps(order).encode(), dtype=np.uint8),
            starts=np.cumsum([0, *(len(files[path].counts) for path in order)], dtype=np.int64),
            file_terms=np.array([term for path in order for term in sorted(files[path].counts)], dtype=np.int64),
            file_counts=np.array(
                [files[path].counts[term] for path in order for term in sorted(files[path].counts)], dtype=np.int32
            ),
        )
        disk.write_bytes(array_file(self.path, project), packed.getvalue())

    def keep(self, disk: Disk, projects: Iterable[str], before: VocabularyFolder) -> None:
        """Link to another generation's files of these projects, but for those written here. Raises OSError."""
        keep_files(disk, self.path, projects, before.path)

    def project(self, name: str) -> ProjectTerms:
        """One project's terms; none where it has no file."""
        found = read_arrays(self.path, name, ("terms", "counts", "chunks"))
        if found is None:
            return ProjectTerms(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int32), 0)
        return ProjectTerms(found["terms"], found["counts"], int(found["chunks"].sum()))

    def files(self, name: str) -> dict[str, FileTerms]:
        """The terms of each of a project's files."""
        found = read_arrays(self.path, name, ("chunks", "paths", "starts", "file_terms", "file_counts"))
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
