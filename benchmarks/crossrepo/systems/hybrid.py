"""Plain hybrid: BM25 and the vectors of a small model over the same windows, fused by reciprocal rank (k = 60).

Source: Cormack, Clarke, Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning Methods",
2009.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.crossrepo.systems.bm25 import Bm25, ranked_files
from benchmarks.crossrepo.systems.port import Found
from configs import load_config
from memory.embedders import LocalDense
from wiring.models import dense_source

_K = 60
_DEPTH = 100
_BATCH = 64


class PlainHybrid:
    """What most people build first."""

    def __init__(self) -> None:
        self._words = Bm25()
        self._dense = LocalDense(dense_source(load_config("embedded").vector))
        self._vectors: NDArray[np.float32] = np.empty((0, 0), np.float32)

    async def index(self, trees: Path) -> None:
        """Read a folder whose subfolders are the projects."""
        await self._words.index(trees)
        await self._dense.warm_up()
        texts = [window.text for window in self._words.windows]
        parts = [await self._dense.embed_documents(texts[n : n + _BATCH]) for n in range(0, len(texts), _BATCH)]
        self._vectors = np.asarray([vector for part in parts for vector in part], np.float32)

    async def search(self, query: str, project: str | None) -> Found:  # noqa: ARG002 - searches all projects alike
        """Answer one question."""
        (asked,) = await self._dense.embed_queries([query])
        near = np.argsort(-(self._vectors @ np.asarray(asked, np.float32)), kind="stable")[:_DEPTH]
        fused: defaultdict[int, float] = defaultdict(float)
        for ranking in (self._words.best(query), near.tolist()):
            for rank, number in enumerate(ranking, 1):
                fused[number] += 1 / (_K + rank)
        order = sorted(fused, key=lambda number: (-fused[number], number))
        return ranked_files([self._words.windows[number] for number in order])

    async def close(self) -> None:
        """Let go of the model."""
        await self._dense.close()
