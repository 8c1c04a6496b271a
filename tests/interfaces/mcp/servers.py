"""Servers on standard input and output that need no model; test_stdio.py runs them.

servers.py hanging    the vector agent never ends by itself
servers.py DATA_DIR   a real index, made with the embedder that needs no model
"""

from __future__ import annotations

import sys
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace

import anyio

from configs import HybridRetrievalConfig
from interfaces.mcp.index import Opened, open_served
from interfaces.mcp.server import build_server, run_stdio
from interfaces.mcp.tools import Tools
from memory.embedders import FakeDenseEmbedder
from memory.graph import FakeGraphStore
from orchestrator import HybridRetrievalOrchestrator
from orchestrator.running.fakes import FakeAgent
from tests.organisation import CONFIG


class Hanging(FakeAgent):
    """Says when it is asked and when it is ended."""

    async def retrieve(self, query, context, scope=None):
        print("asked", flush=True)  # noqa: T201 - what a library prints must not meet the protocol
        try:
            await anyio.sleep_forever()
        finally:
            print("ended", file=sys.stderr, flush=True)  # noqa: T201 - read by the test


class Questions:
    """Always open."""

    @asynccontextmanager
    async def use(self):
        config = HybridRetrievalConfig(agent_timeout_ms=60_000, total_timeout_ms=60_000)
        async with HybridRetrievalOrchestrator(vector=Hanging(), config=config) as orchestrator:
            yield Opened(orchestrator, FakeGraphStore())


async def serve(what):
    if what == "hanging":
        tools = Tools(SimpleNamespace(questions=Questions()), most_chars=4_000)
        await run_stdio(build_server(tools))
    else:
        async with open_served(Path(what), "embedded", CONFIG, dense=FakeDenseEmbedder()) as index:
            await run_stdio(build_server(Tools(index, most_chars=4_000)))


if __name__ == "__main__":
    anyio.run(serve, sys.argv[1])
