"""BM25 over windows of lines, by the library bm25s with its defaults; a file ranks as its best window."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bm25s

from benchmarks.crossrepo.systems.port import Found, Lines
from benchmarks.crossrepo.systems.windows import Window, read_windows

_DEPTH = 100
_SHOWN = 5


class Bm25:
    """Words alone. It never says that nothing was found, unless no word of the question occurs."""

    def __init__(self) -> None:
        self.windows: list[Window] = []
        self._index: Any = None

    async def index(self, trees: Path) -> None:
        """Read a folder whose subfolders are the projects."""
        self.windows = list(read_windows(trees))
        self._index = bm25s.BM25()
        texts = [f"{window.file}\n{window.text}" for window in self.windows]
        self._index.index(bm25s.tokenize(texts, show_progress=False), show_progress=False)

    def best(self, query: str) -> list[int]:
        """The numbers of the windows that hold a word of the question, the best first."""
        asked = bm25s.tokenize(query, show_progress=False)
        depth = min(_DEPTH, len(self.windows))
        found, scores = self._index.retrieve(asked, k=depth, show_progress=False)
        return [int(number) for number, score in zip(found[0], scores[0], strict=True) if score > 0]

    async def search(self, query: str, project: str | None) -> Found:  # noqa: ARG002 - searches all projects alike
        """Answer one question."""
        return ranked_files([self.windows[number] for number in self.best(query)])

    async def close(self) -> None:
        """Nothing is open."""


def ranked_files(windows: list[Window]) -> Found:
    """Files by their best window; the five best windows are what a reader sees."""
    shown = [Lines(window.file, window.start, window.end) for window in windows[:_SHOWN]]
    return Found(tuple(dict.fromkeys(window.file for window in windows)), shown)
