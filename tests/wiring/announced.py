"""An index that is announced, and folders elsewhere that follow it.

announced.py ROOT URL    one run of the indexer, in a process that a test can kill
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import anyio
import qdrant_edge as edge

from memory.embedders import FakeDenseEmbedder
from memory.generation.announcing import announce, follow
from memory.vector.qdrant_depot import QdrantDepot
from tests.memory.vector.edge_http_front import COLLECTION
from tests.organisation import opened, plain
from tests.wiring.test_qdrant_stores import ALL, QUESTION, Place
from wiring.evidence import open_evidence


class Announced(Place):
    """As `Place`, with servers that follow. graph: where the graph is, the data folder where none is given."""

    graph = None

    @property
    def config(self):
        vector = super().config.vector
        config = replace(super().config, vector=replace(vector, qdrant=replace(vector.qdrant, followers_s=1.0)))
        return replace(config, graph=self.graph) if self.graph else config

    @property
    def server(self):
        """The folder of one server."""
        return self.data.with_name("server")

    async def with_depot(self, call):
        depot = QdrantDepot.of(self.config.vector.qdrant)
        try:
            return await call(depot)
        finally:
            await depot.close()

    async def follow(self):
        return await self.with_depot(lambda depot: follow(self.server, depot))

    async def announce(self, now, namespace):
        return await self.with_depot(lambda depot: announce(self.data, namespace, depot, now))

    async def ask_there(self, question=QUESTION, context=None):
        async with opened(self.server, config=self.config) as orchestrator:
            return plain((await orchestrator.retrieve(question, context)).to_dict())

    async def evidence(self, data, request):
        async with open_evidence(data, config=self.config, dense=FakeDenseEmbedder()) as retriever:
            return (await retriever.retrieve(request, ALL)).to_dict()

    @property
    def pieces(self):
        """How many points the collection of pieces has."""
        return self.front.pieces.shard.count(edge.CountRequest(exact=True))

    def sent(self, seen):
        """How many pieces these requests wrote."""
        writes = [one for one in seen if one.path.startswith(f"/collections/{COLLECTION}_generations/points?")]
        return sum("data" in point["payload"] for one in writes for point in one.body["points"])


if __name__ == "__main__":
    place = Announced(Path(sys.argv[1]), SimpleNamespace(url=sys.argv[2], seen=[]))
    anyio.run(place.index)
