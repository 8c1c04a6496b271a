from __future__ import annotations

import pytest

from memory.vector import DENSE_DOCS, FakeVectorStore
from tests.contracts.vector_store import BILLING, KEY, VectorStoreContract, make_chunk, make_point, sparse
from wiring.qdrant_stores import StagedPoints


class TestStagedPoints(VectorStoreContract):
    """Whatever store it is that is opened."""

    @pytest.fixture
    async def store(self):
        async def opening():
            return FakeVectorStore()

        store = StagedPoints(opening)
        yield store
        await store.close()


async def test_the_store_is_opened_with_the_first_call_and_once():
    opened = []

    async def opening():
        opened.append(FakeVectorStore())
        return opened[-1]

    staged = StagedPoints(opening)
    await staged.close()
    assert opened == []
    chunk = make_chunk()
    await staged.upsert([make_point(chunk)])
    await staged.set_dense({chunk.id: {DENSE_DOCS: [1, 0, 0, 0]}})
    assert await staged.count(permission=BILLING) == 1
    [[hit]] = await staged.query_batch([sparse(KEY)], permission=BILLING)
    assert hit.chunk == chunk
    assert len(opened) == 1
