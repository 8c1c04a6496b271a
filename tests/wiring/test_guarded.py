"""A store that is opened with the first call, whose port it has."""

from __future__ import annotations

import pytest

from memory.vector import DENSE_DOCS, FakeVectorStore
from tests.contracts.vector_store import BILLING, KEY, VectorStoreContract, make_chunk, make_point, sparse
from wiring.breaking import Guarded


class TestGuarded(VectorStoreContract):
    """Without a breaker: whatever store it is that is opened."""

    @pytest.fixture
    async def store(self):
        async def opening():
            return FakeVectorStore()

        store = Guarded(None, opening)
        yield store
        await store.close()


async def test_the_store_is_opened_with_the_first_call_and_once():
    opened = []

    async def opening():
        opened.append(FakeVectorStore())
        return opened[-1]

    guarded = Guarded(None, opening)
    await guarded.close()
    assert opened == []
    chunk = make_chunk()
    await guarded.upsert([make_point(chunk)])
    await guarded.set_dense({chunk.id: {DENSE_DOCS: [1, 0, 0, 0]}})
    assert await guarded.count(permission=BILLING) == 1
    [[hit]] = await guarded.query_batch([sparse(KEY)], permission=BILLING)
    assert hit.chunk == chunk
    assert len(opened) == 1
