"""A tiny organisation whose stores are open in a thread of their own, to record on."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path

import anyio
import pytest
import yaml
from anyio.from_thread import start_blocking_portal

from indexing import IndexRequest
from memory.embedders import Bm25Sparse, FakeDenseEmbedder
from memory.generation import DataFolder
from replay import read_scenario
from tests.orchestrator.conftest import anyio_backend  # noqa: F401 - virtual time
from tests.organisation import FiledGraph, FiledStores, FiledVectors, indexer, write
from wiring.catalogue import ManifestCatalogue
from wiring.opening import Parts

QUESTION = "How does MooringDesk connect to Beacon?"


@pytest.fixture(scope="session")
def harbour(tmp_path_factory):
    """The data folder of a tiny organisation."""
    root = tmp_path_factory.mktemp("harbour")
    data = root / "data"
    request = IndexRequest([write(root / "org")], each=True)
    anyio.run(lambda: indexer(data, stores=FiledStores()).run(request, holder="a test"))
    return data


@pytest.fixture(scope="session")
def opened(harbour):
    """Opens its parts: a portal and what is live in it."""

    @contextmanager
    def opening(**parts):
        with DataFolder.open(harbour).reading() as generation, start_blocking_portal() as portal:
            live = Parts(
                catalogue=ManifestCatalogue(generation.manifest, Path("/")),
                vectors=FiledVectors(generation.vectors_path),
                graph=FiledGraph(generation.graph_path),
                dense=FakeDenseEmbedder(),
                sparse=Bm25Sparse(),
            )
            yield portal, live

    return opening


@pytest.fixture
def scenario(tmp_path):
    """Writes and reads a scenario of the given keys."""

    def writing(name="moorings", **keys):
        document = {"schema_version": "1", "id": name, "query": QUESTION, **keys}
        file = tmp_path / f"{name}.yaml"
        file.write_text(yaml.safe_dump(document), encoding="utf-8")
        return read_scenario(file)

    return writing
