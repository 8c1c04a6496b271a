from __future__ import annotations

import base64
import hashlib
import zlib
from uuid import UUID

import pytest
import qdrant_edge as edge

from configs.settings import QdrantSettings
from memory.errors import StoreError
from memory.vector.qdrant_depot import QdrantDepot
from tests.memory.vector.edge_http_front import COLLECTION, EdgeHttpFront

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


@pytest.fixture(scope="module")
def anyio_backend():
    return "asyncio"


@pytest.fixture
def front(tmp_path):
    with EdgeHttpFront(str(tmp_path / "front")) as front:
        yield front


@pytest.fixture
async def depot(front):
    depot = QdrantDepot.of(QdrantSettings(url=front.url, collection=COLLECTION, retries=0))
    yield depot
    await depot.close()


def named(*contents):
    return {hashlib.sha256(content).hexdigest(): content for content in contents}


async def test_pieces_come_back_and_those_that_are_kept_stay(depot):
    assert await depot.pointer() is None
    await depot.make()
    await depot.make()
    pieces = named(b"one", b"", bytes(2**19))
    await depot.put(pieces)
    await depot.point({"number": 1})
    await depot.point({"number": 2})
    assert await depot.pointer() == {"number": 2}
    assert await depot.fetch(pieces) == pieces
    other = named(b"other")
    assert await depot.lacks([*pieces, *other]) == frozenset(other)
    [first, *rest] = pieces
    await depot.keep([first])
    assert await depot.lacks(pieces) == frozenset(rest)
    assert await depot.pointer() == {"number": 2}


async def test_pieces_have_as_many_replicas_as_the_points(front):
    depot = QdrantDepot.of(QdrantSettings(url=front.url, collection=COLLECTION, replicas=3, retries=0))
    await depot.make()
    await depot.close()
    [made] = [one.body for one in front.seen if one.method == "PUT"]
    assert made["replication_factor"] == 3


@pytest.mark.parametrize(
    "payload",
    [
        {},
        {"data": 3},
        {"data": "no base 64"},
        {"data": base64.b64encode(b"not packed").decode()},
        {"data": base64.b64encode(zlib.compress(b"another")).decode()},
        {"data": base64.b64encode(zlib.compress(bytes(2**28))).decode()},  # 256 MB, of which a little is unpacked
    ],
)
async def test_what_is_not_the_piece_is_damage(depot, front, payload):
    await depot.make()
    pieces = named(b"one")
    await depot.put(pieces)
    one = edge.Point(UUID(next(iter(pieces))[:32]), {}, payload)
    front.pieces.shard.update(edge.UpdateOperation.upsert_points([one]))
    with pytest.raises(StoreError, match=r"is damaged: it has a piece that does not hold.*Remove that collection"):
        await depot.fetch(pieces)
