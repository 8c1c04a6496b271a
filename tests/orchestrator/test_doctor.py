"""Each part that is not in order says why and what to do; the others are examined all the same."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from memory.generation import DataFolder
from orchestrator.doctor import examine
from tests.organisation import CONFIG, index, write


@pytest.fixture(scope="module")
def anyio_backend():
    return "asyncio"  # stores work in threads, which virtual time does not wait for


@pytest.fixture
async def data(tmp_path):
    await index(tmp_path / "data", write(tmp_path / "org"), each=True)
    return tmp_path / "data"


async def checks(data, config=CONFIG):
    """The stores' and the index's; the model's is another test's, which needs a real one."""
    config = replace(config, vector=replace(config.vector, dense_model_path=str(data)))
    return {check.name: check for check in await examine(data, config)}


def generation(data):
    return DataFolder.open(data).root / "generations" / "1"


async def test_in_order(data):
    found = await checks(data)
    assert [name for name, check in found.items() if not check.ok] == ["model"]
    assert "qdrant-edge-py" in found["packages"].detail
    assert found["data folder"].detail == f"{data}, generation 1"
    assert found["index"].detail == "2 projects, 9 entities, 5 relations"
    assert found["vector store"].detail == "Qdrant Edge, 6 chunks"
    assert found["graph store"].detail == "kglite, 9 entities"


async def test_a_model_that_is_not_there(data):
    found = (await checks(data))["model"]
    assert "lacks model.onnx" in found.detail
    assert "make setup" in found.hint


async def test_no_index(tmp_path):
    found = await checks(tmp_path)
    assert list(found) == ["packages", "model", "data folder"]
    assert "index PATH" in found["data folder"].hint


async def test_another_model(data):
    found = await checks(data, replace(CONFIG, vector=replace(CONFIG.vector, dimension=32)))
    assert not found["index"].ok
    assert "64 dimensions" in found["index"].detail
    assert found["vector store"].ok


async def test_stores_that_hold_something_else_than_the_manifest_says(data):
    path = generation(data) / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["entities"] = 4
    manifest["projects"][0]["files"].pop()
    path.write_text(json.dumps(manifest))
    found = await checks(data)
    assert found["vector store"].detail == "The store holds 6 chunks, the manifest 5."
    assert found["graph store"].detail == "The store holds 9 entities, the manifest 4."
    assert not found["vector store"].ok
    assert not found["graph store"].ok


async def test_stores_that_cannot_be_opened(data):
    (generation(data) / "vectors/edge_config.json").unlink()
    (generation(data) / "graph.kgl").write_bytes(b"nonsense")
    found = await checks(data)
    assert not found["vector store"].ok
    assert found["vector store"].hint == "Index your projects first."
    assert "cannot be opened" in found["graph store"].detail
