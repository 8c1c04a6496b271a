"""What suites of several folders share."""

from __future__ import annotations

import fcntl
import gc
import os
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest
from hypothesis import settings

from configs import load_config
from indexing import IndexRequest
from tests.neo4j_server import Server, server
from wiring.opening import open_indexer

settings.register_profile("repeatable", derandomize=True)
settings.load_profile("repeatable")  # a check of one commit has one result; `make fuzz` looks for new cases


def pytest_collection_finish():
    gc.freeze()  # thousands of tests that live until the end: no collection of garbage walks them again


@pytest.fixture(scope="session")
def neo4j_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A Neo4j server with an empty database; tests that ask for it are skipped where there is none."""
    with server(tmp_path_factory.mktemp("neo4j")) as one:
        yield one


@pytest.fixture
def reachable(tmp_path):
    """`tmp_path`, with every folder above it open to somebody who owns none of them."""
    for folder in (tmp_path, *tmp_path.parents):
        if not folder.stat().st_mode & 0o001:
            folder.chmod(0o755)
    return tmp_path


@pytest.fixture
def nobody(reachable):
    """Somebody who owns nothing here; root may do everything, so it steps down for the time of a `with`."""

    class Nobody:
        def __enter__(self):
            if os.getuid() == 0:
                os.seteuid(65534)

        def __exit__(self, *_):
            if os.getuid() == 0:
                os.seteuid(0)

    return Nobody()


@pytest.fixture(scope="session")
def shop(tmp_path_factory, worker_id):
    """A data folder with the example organisation, indexed with the real model: one for all workers, to be read alone."""
    own = tmp_path_factory.getbasetemp()
    data = (own if worker_id == "master" else own.parent) / "shop"
    with data.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # the first makes it
        if not data.exists():
            indexer = open_indexer(data, load_config(), profile="embedded")
            organisation = Path(__file__).parents[1] / "examples/shop"
            anyio.run(lambda: indexer.run(IndexRequest([organisation], each=True), holder="a test"))
    return data
