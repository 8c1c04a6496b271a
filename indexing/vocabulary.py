"""The terms of what is being stored, file by file, until their project is written down."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping

from memory.vector.port import Point
from memory.vocabulary import FileTerms

__all__ = ["CountedTerms"]


class CountedTerms:
    """Counts, by project and path, how many chunks hold a term. A file's chunks come in one run."""

    def __init__(self) -> None:
        self._counts: defaultdict[str, defaultdict[str, Counter[int]]] = defaultdict(lambda: defaultdict(Counter))
        self._chunks: Counter[tuple[str, str]] = Counter()

    def add(self, points: Iterable[Point]) -> None:
        """Count what is stored now."""
        for point in points:
            chunk = point.chunk
            self._counts[chunk.project][chunk.path].update(point.sparse.indices)
            self._chunks[chunk.project, chunk.path] += 1

    def take(self, project: str, before: Mapping[str, FileTerms], kept: Collection[str]) -> dict[str, FileTerms]:
        """A project's files as they are now, which are forgotten here.

        Args:
            project: its name.
            before: the terms of its files as they were.
            kept: the paths that are still there; one that was not counted anew has the terms it had.
        """
        counted: Mapping[str, Counter[int]] = self._counts.pop(project, {})
        now = {path: before[path] for path in kept if path in before and path not in counted}
        return now | {path: FileTerms(self._chunks.pop((project, path)), counts) for path, counts in counted.items()}
