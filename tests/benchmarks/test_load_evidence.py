"""The benchmark of evidence under load runs; what it measures is judged where it is run for it."""

from __future__ import annotations

import time

import anyio
import anyio.lowlevel
import numpy as np
import pytest

from agents.evidence import CataloguedProject, EvidenceCatalogue
from benchmarks import load_evidence as bench
from memory.embedders import FakeDenseEmbedder
from memory.errors import StoreError
from tests.organisation import CONFIG, index, write


@pytest.fixture
def anyio_backend():
    return "asyncio"  # the indexer works in threads


class Openable(FakeDenseEmbedder):
    """One that gets ready at once, and counts how many it has under way."""

    def __init__(self):
        super().__init__()
        self.under_way = self.most = 0

    def load_ahead(self):
        pass

    async def warm_up(self):
        pass

    async def close(self):
        pass

    async def embed_queries(self, texts):
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        await anyio.lowlevel.checkpoint()
        vectors = await super().embed_queries(texts)
        self.under_way -= 1
        return vectors


def test_questions_are_distinct_and_the_same_every_time():
    words = [f"word{number}" for number in range(12)]
    questions = bench.distinct_questions(words, 500)
    assert len(set(questions)) == 500
    assert questions == bench.distinct_questions(words, 500)
    assert questions != bench.distinct_questions(words, 500, seed=12)


async def test_all_are_asked_by_so_many_at_a_time_and_failures_are_counted():
    asked, at_once, most = [], 0, 0

    class Retriever:
        catalogue = EvidenceCatalogue("one", {"a": CataloguedProject("a")})

        async def retrieve(self, request, permission):
            nonlocal at_once, most
            at_once += 1
            most = max(most, at_once)
            await anyio.lowlevel.checkpoint()
            at_once -= 1
            asked.append(request.query)
            if request.query == "3":
                raise StoreError("It is gone.", "Look for it.")
            return type("Pack", (), {"evidence": (1, 2)})

    load = bench.Load()
    await bench.ask_all(Retriever(), map(str, range(40)), load, callers=7)
    assert (sorted(map(int, asked)), most) == (list(range(40)), 7)
    assert (len(load.latencies), load.items, load.failures) == (40, 78, ["StoreError: It is gone."])


async def test_alone_embeds_one_question_after_the_other():
    dense = Openable()
    alone = bench.Alone(dense)
    async with anyio.create_task_group() as group:
        for number in range(5):
            group.start_soon(alone.embed_queries, [str(number)])
    assert dense.most == 1
    assert np.array_equal(await alone.embed_queries(["x"]), await dense.embed_queries(["x"]))
    assert (alone.model, alone.dimension) == (dense.model, dense.dimension)


@pytest.mark.slow
async def test_it_measures(tmp_path):
    await index(tmp_path / "data", write(tmp_path / "org"), each=True)
    before = time.perf_counter()
    document = await bench.measure(tmp_path / "data", CONFIG, Openable, questions=20, calls=60)
    passed = time.perf_counter() - before
    assert (document["chunks"], document["failures"], document["failed"]) == (6, 0, [])
    assert document["cache"]["packs"] == [40, 20]  # each question three times
    assert document["cache"]["queries"] == [0, 20]  # each question once
    assert 0 < document["cold"]["together"]["p50_ms"] <= document["cold"]["together"]["p95_ms"] < passed * 1000
    assert document["memory"]["ratio"] == pytest.approx(
        document["memory"]["last_tenth_mb"] / document["memory"]["first_tenth_mb"], abs=0.01
    )
    assert document["items_a_pack"] > 0
    assert "cold together p95_ms" in bench.page(document)


async def test_an_index_is_generated(tmp_path):
    await bench.generate(tmp_path / "data", CONFIG, 50)
    chunks, words = await bench.words_of(tmp_path / "data", CONFIG)
    assert 45 <= chunks <= 60
    assert len(words) > 20
