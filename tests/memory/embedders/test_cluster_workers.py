"""What a task on a cluster is given to embed; `tests/indexing/test_on_cluster.py` has a cluster that embeds it."""

from __future__ import annotations

from collections import deque

import numpy as np

from memory.embedders import FakeSource
from memory.embedders.cluster_workers import ClusterWorkers, _batch

PIECES = [{"a": "x" * 50, "b": "x" * 50}, {"c": "x" * 30}, {"d": "x" * 20}, {"e": "x" * 20}]


class Here:
    """A cluster of one core, which is this process. calls: how many texts each task was given."""

    at_once = 2

    def __init__(self):
        self.calls = []

    async def join(self):
        """It is there."""

    async def call(self, function, source, texts):
        self.calls.append(len(texts))
        return function(source, texts)


def test_a_batch_is_whole_pieces_up_to_so_many_characters_and_at_least_one():
    pieces = deque(PIECES)
    assert [list(_batch(pieces, 50)), list(_batch(pieces, 50)), list(_batch(pieces, 50))] == [
        ["a", "b"],
        ["c", "d"],
        ["e"],
    ]
    assert not pieces


async def test_every_text_comes_back_and_the_work_is_shared():
    cluster, kept = Here(), {}
    async with ClusterWorkers(cluster) as workers:
        await workers.embed(
            deque(PIECES), FakeSource(4), lambda keys, found: kept.update(zip(keys, found, strict=True))
        )
        await workers.embed(deque(), FakeSource(4), lambda *_: None)
    assert cluster.calls == [2, 1, 1, 1]  # of what is left, half each time, but a whole piece
    texts = {key: text for piece in PIECES for key, text in piece.items()}
    assert list(kept) == list(texts)
    assert np.array_equal(list(kept.values()), FakeSource(4).load()(list(texts.values())))
