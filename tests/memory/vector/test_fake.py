from __future__ import annotations

import math

import pytest

from memory.vector import FakeVectorStore
from memory.vector.fake import idf
from tests.contracts.vector_store import BILLING, VectorStoreContract, everything, make_chunk, make_point


class TestFakeVectorStore(VectorStoreContract):
    @pytest.fixture
    def store(self):
        return FakeVectorStore()

    async def test_it_counts_the_reads_that_got_past_the_permission(self, store):
        await store.upsert([make_point(make_chunk())])
        await store.query_batch([everything()], permission=frozenset())
        assert store.calls == 0
        await store.query_batch([everything(), everything()], permission=BILLING)
        assert store.calls == 1


def test_idf_is_the_logarithm_of_the_odds_plus_one():
    assert idf(4, 1) == math.log(3.5 / 1.5 + 1)
    assert idf(4, 4) == math.log(0.5 / 4.5 + 1)
    assert idf(10, 0) == math.log(10.5 / 0.5 + 1)
