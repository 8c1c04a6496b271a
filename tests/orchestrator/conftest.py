"""Everything here runs on virtual time: a deadline of five seconds is over at once, and is still exact."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest

from configs import load_config
from indexing import IndexRequest
from orchestrator.opening import open_indexer
from orchestrator.running.virtual_time import VirtualTimeLoop


@pytest.fixture(scope="module")
def anyio_backend():
    return "asyncio", {"loop_factory": VirtualTimeLoop}


@pytest.fixture(scope="session")
def shop(tmp_path_factory):
    """A data folder with the example organisation, indexed with the real model."""
    data = tmp_path_factory.mktemp("shop") / "data"
    indexer = open_indexer(data, load_config(), profile="embedded")
    organisation = Path(__file__).parents[2] / "examples/shop"
    anyio.run(lambda: indexer.run(IndexRequest([organisation], each=True), holder="a test"))
    return data
