"""The tools on a real index that was made with the embedder that needs no model."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import replace

import anyio
import pytest

from memory.embedders import FakeDenseEmbedder
from tests.organisation import CONFIG, index, write


class Heard:
    """Stands for the request's context: keeps the progress that was reported."""

    def __init__(self):
        self.lines = []

    async def report_progress(self, done, total, message):
        self.lines.append(message)


@pytest.fixture(scope="session")
def harbours(tmp_path_factory):
    """A data folder with the made-up organisation."""
    org = write(tmp_path_factory.mktemp("tools") / "org")
    anyio.run(lambda: index(org.parent / "data", org, each=True))
    return org.parent / "data"


@asynccontextmanager
async def served(data, most_chars=16_000):
    """This data folder, opened for tools."""
    from interfaces.mcp.index import open_served  # noqa: PLC0415 - takes a second

    config = replace(CONFIG, mcp=replace(CONFIG.mcp, max_chars=most_chars))
    async with open_served(data, "embedded", config, dense=FakeDenseEmbedder()) as index:
        yield index


@asynccontextmanager
async def tools(data, most_chars=16_000, **more):
    """The tools on this data folder."""
    from interfaces.mcp.tools import Tools  # noqa: PLC0415 - takes a second

    async with served(data, most_chars) as index:
        yield Tools(index, most_chars=most_chars, **more)
