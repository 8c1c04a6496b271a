"""Points are read once: what was read stays at hand until the shard is written to, for the permission that saw it."""

from __future__ import annotations

from uuid import UUID

import pytest

from memory.vector import DENSE_DOCS, SPARSE_LEXICAL, EdgeVectorStore, VectorQuery
from memory.vector.edge_files import Room
from memory.vector.edge_points import REMEMBERED, EdgePoints
from memory.vector.edge_reading import load_to_read
from memory.vector.edge_searches import permitted_only
from memory.vector.filters import Condition
from tests.contracts.vector_store import make_chunk, make_point

MINE, ALL = frozenset({"billing"}), frozenset({"auth", "billing"})
CHUNKS = (make_chunk(), make_chunk(start=20), make_chunk("auth"))
VECTORS = (DENSE_DOCS, SPARSE_LEXICAL)


@pytest.fixture
async def shard(tmp_path):
    store = EdgeVectorStore.create(tmp_path / "v", vectors={DENSE_DOCS: 4}, namespace="n")
    await store.upsert([make_point(chunk, docs=[1, 0, 0, 0]) for chunk in CHUNKS])
    await store.close()
    shard = load_to_read(tmp_path / "v", Room())
    yield shard
    shard.close()


def asked(*ids):
    return VectorQuery("", None, 10, (Condition("id", any_of=ids),), VECTORS)


@pytest.mark.parametrize("spelled", [str, str.upper])
async def test_a_listed_point_is_one_object_and_its_numbers_take_four_bytes(shard, spelled):
    points, id_ = EdgePoints(shard, REMEMBERED), CHUNKS[0].id
    [first] = points.by_id(asked(spelled(id_)), ALL, ())
    assert (first.chunk, first.dense[DENSE_DOCS].itemsize) == (CHUNKS[0], 4)
    assert points.by_id(asked(spelled(id_), id_, "no id"), ALL, ())[0].chunk is first.chunk
    points.forget()
    assert points.by_id(asked(id_), ALL, ())[0].chunk is not first.chunk


async def test_what_one_permission_has_read_no_other_is_given(shard):
    points, ids = EdgePoints(shard, REMEMBERED), sorted(chunk.id for chunk in CHUNKS)
    assert [hit.chunk.id for hit in points.by_id(asked(*ids), ALL, ())] == ids
    seen = points.by_id(asked(*ids), MINE, permitted_only("n", MINE))
    assert {hit.chunk.project for hit in seen} == {"billing"}
    assert points.by_id(asked(*ids), MINE, permitted_only("n", MINE)) == seen


async def test_more_than_is_remembered_is_read_again(shard):
    points, ids = EdgePoints(shard, 2), [UUID(chunk.id).int for chunk in CHUNKS]
    assert [hit.chunk.id for hit in points.known(ids)] == [chunk.id for chunk in CHUNKS]
    assert points.known(ids[:1])[0].chunk == CHUNKS[0]
