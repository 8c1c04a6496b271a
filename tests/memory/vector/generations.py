"""What each generation's reader sees of the next one's making (decision record 0024); `opened(namespace, number)` opens one."""

from __future__ import annotations

import uuid
from dataclasses import replace

import pytest

from memory.errors import StoreError
from memory.vector import DENSE_DOCS, SPARSE_LEXICAL
from tests.contracts.vector_store import (
    BILLING,
    BOTH,
    EMAIL,
    KEY,
    UUID,
    dense,
    everything,
    fuse,
    make_chunk,
    make_point,
    sparse,
)

ONE, TWO, THREE = make_chunk(start=1), make_chunk(start=10), make_chunk(path="other.md", start=20)


async def published(opened):
    """Generation 1, which is published, and 2 in the making."""
    namespace = uuid.uuid4().hex
    old, new = await opened(namespace, 1), await opened(namespace, 2)
    await old.upsert([make_point(chunk, {KEY: 1.0}, docs=[1, chunk.start_line, 0, 0]) for chunk in (ONE, TWO, THREE)])
    return old, new


async def starts(store):
    """The lines that each kind of search finds."""
    queries = [everything(), sparse(KEY, EMAIL), dense([1, 0, 0, 0]), fuse(sparse(KEY, EMAIL), dense([1, 0, 0, 0]))]
    found = [{hit.chunk.start_line for hit in hits} for hits in await store.query_batch(queries, permission=BOTH)]
    assert await store.count(permission=BOTH) == len(found[0])
    return found


class GenerationContract:
    @pytest.fixture
    async def pair(self, opened):
        old, new = await published(opened)
        yield old, new
        await old.close()
        await new.close()

    async def test_nobody_sees_the_next_generation_before_it_is_asked_for(self, pair):
        old, new = pair
        before = await starts(old)
        scores = await old.query_batch([sparse(KEY)], permission=BILLING)
        await new.delete_files("billing", ["other.md"])
        changed, added = replace(ONE, commit="beef"), make_chunk(path="new.md", start=30)
        await new.upsert([make_point(changed, {EMAIL: 1.0}, docs=[0, 1, 0, 0]), make_point(added, docs=[1, 1, 0, 0])])
        assert await starts(old) == before == [{1, 10, 20}] * 4
        assert await old.query_batch([sparse(KEY)], permission=BILLING) == scores  # its IDF too
        [chunk] = [one for one in await old.file_chunks("billing", [ONE.path], permission=BOTH) if one.start_line == 1]
        assert chunk.commit == "c0ffee"
        assert 20 not in (await starts(new))[0]
        assert 30 in (await starts(new))[0]

    async def test_settling_after_it_was_published_and_after_it_was_not(self, pair):
        old, new = pair
        await new.delete_project("billing")
        await new.upsert([make_point(make_chunk(path="new.md", start=30), docs=[1, 0, 0, 0])])
        await new.settle(current=1, oldest=1)  # a killed run
        assert await starts(old) == await starts(new) == [{1, 10, 20}] * 4
        await new.delete_files("billing", [ONE.path])
        await new.settle(current=2, oldest=1)  # published, and somebody reads the first one
        assert ((await starts(old))[0], (await starts(new))[0]) == ({1, 10, 20}, {20})
        await new.settle(current=2, oldest=2)
        assert ((await starts(old))[0], (await starts(new))[0]) == ({20}, {20})

    async def test_vectors_for_a_published_point_are_a_new_point_s(self, pair):
        old, new = pair
        late, own = make_chunk(path="late.md", start=40), make_chunk(path="own.md", start=50)
        beside = {"made": "then"}
        await old.upsert([replace(make_point(late, {UUID: 2.0}), extra=beside)])
        await new.upsert([make_point(own, {UUID: 1.0})])
        before = await starts(old)
        await new.set_dense({late.id: {DENSE_DOCS: [2, 0, 0, 0]}, own.id: {DENSE_DOCS: [3, 4, 0, 0]}})
        assert await starts(old) == before
        query = dense([1, 0, 0, 0], 1, with_vectors=(DENSE_DOCS, SPARSE_LEXICAL))
        [[hit]] = await new.query_batch([query], permission=BOTH)
        assert (hit.chunk, hit.score, hit.sparse.values, hit.extra) == (late, 1.0, (2.0,), beside)
        assert (await starts(new))[0] == {1, 10, 20, 40, 50}

    async def test_more_vectors_than_one_request_holds(self, pair):
        old, new = pair
        chunks = [make_chunk(path="many.md", start=number) for number in range(100, 350)]
        await old.upsert([make_point(chunk) for chunk in chunks])
        await new.set_dense({chunk.id: {DENSE_DOCS: [1, 0, 0, 0]} for chunk in chunks})
        assert await new.count(permission=BOTH) == 253
        assert await old.count(permission=BOTH) == 253

    async def test_what_is_not_there_is_named(self, pair):
        _, new = pair
        gone = make_chunk(path="gone.md")
        with pytest.raises(StoreError, match=f"no point for 1 of the chunks, such as {gone.id}"):
            await new.set_dense({ONE.id: {DENSE_DOCS: [1, 0, 0, 0]}, gone.id: {DENSE_DOCS: [1, 0, 0, 0]}})
