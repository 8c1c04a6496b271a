"""Each part that is not in order says why and what to do; the others are examined all the same."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from configs import load_config
from configs.settings import QdrantSettings, VectorSettings
from memory.generation import DataFolder
from memory.vector import DENSE_CODE, DENSE_DOCS, QdrantVectorStore
from tests.memory.vector.edge_http_front import COLLECTION, EdgeHttpFront
from tests.model_api import ModelApi, dimension, refused_url, status
from tests.organisation import CONFIG, index, write
from tests.resealing import reseal
from wiring.doctor import examine


@pytest.fixture(scope="module")
def anyio_backend():
    return "asyncio"  # stores work in threads, which virtual time does not wait for


@pytest.fixture
async def data(tmp_path):
    await index(tmp_path / "data", write(tmp_path / "org"), each=True)
    return tmp_path / "data"


async def checks(data, config=CONFIG):
    """The stores' and the index's; the model's is another test's, which needs a real one."""
    return {check.name: check for check in await examine(data, config)}


def hosted(api, **vector):
    """The settings of profile voyage, but at this address and with the sparse model that needs no weights."""
    config = load_config("voyage")
    settings = replace(config.hosted, base_url=api.voyage_url, retries=0)
    return replace(
        config, hosted=settings, vector=replace(config.vector, dimension=8, **{"sparse_model": "Qdrant/bm25"} | vector)
    )


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


async def test_with_projects_allowed_it_does_not_tell_whether_there_are_others(data):
    """The manifest counts relations over all projects together: the number stands for who may see all."""
    for allowed in (["harbour"], ["harbour", "lighthouse"]):
        found = {check.name: check for check in await examine(data, CONFIG, allowed)}
        assert "relations" not in found["index"].detail


async def test_a_model_that_is_not_there(data):
    vector = VectorSettings(dense_model_path=str(data))
    found = (await checks(data, replace(CONFIG, vector=vector)))["model"]
    assert "lacks model.onnx" in found.detail
    assert found.hint == "Set vector.dense_model_path to a folder with model.onnx and its tokenizer."


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
    reseal(data)
    found = await checks(data)
    assert found["vector store"].detail == "The store holds 6 chunks, the manifest 5."
    assert found["graph store"].detail == "The store holds 9 entities, the manifest 4."
    assert not found["vector store"].ok
    assert not found["graph store"].ok


async def test_stores_that_cannot_be_opened(data):
    (generation(data) / "vectors/edge_config.json").unlink()
    (generation(data) / "graph/partitions.json").write_bytes(b"nonsense")
    reseal(data)
    found = await checks(data)
    assert not found["vector store"].ok
    assert found["vector store"].hint == "Index your projects first."
    assert "cannot be opened" in found["graph store"].detail


async def test_a_key_that_is_missing_is_named_and_nobody_is_asked(tmp_path, monkeypatch):
    monkeypatch.delenv("VOYAGE_API_KEY", raising=False)
    found = await checks(tmp_path, load_config("voyage"))
    assert list(found) == ["packages", "key", "data folder"]
    assert found["key"].detail == "environment: hosted.api_key_env: VOYAGE_API_KEY is not set."
    assert "Put your Voyage API key there" in found["key"].hint


@pytest.mark.allow_hosts(["127.0.0.1"])
async def test_each_hosted_model_is_asked_once(tmp_path, monkeypatch):
    monkeypatch.setenv("VOYAGE_API_KEY", "k")
    with ModelApi() as api:
        found = await checks(tmp_path, hosted(api))
        assert found["model for documents"].detail == "voyage-context-3, 8 dimensions"
        assert found["model for code"].detail == "voyage-code-3, 8 dimensions"
        assert found["reranker"].detail == "rerank-2.5"
        assert api.paths() == ["contextualizedembeddings", "embeddings", "rerank"]


@pytest.mark.allow_hosts(["127.0.0.1"])
async def test_a_sparse_model_that_is_not_there(tmp_path, monkeypatch):
    monkeypatch.setenv("VOYAGE_API_KEY", "k")
    with ModelApi() as api:
        config = hosted(api, sparse_model="prithivida/Splade_PP_en_v1", sparse_model_path=str(tmp_path))
        found = (await checks(tmp_path, config))["sparse model"]
    assert not found.ok
    assert "Splade_PP_en_v1" in found.detail


@pytest.mark.allow_hosts(["127.0.0.1"])
async def test_what_is_wrong_with_a_hosted_model(tmp_path, monkeypatch):
    monkeypatch.setenv("VOYAGE_API_KEY", "k")
    with ModelApi() as api:
        api.plan(status(401), dimension(5), status(503))
        found = await checks(tmp_path, hosted(api))
    assert "refuses the key in VOYAGE_API_KEY" in found["model for documents"].detail
    assert found["model for code"].hint.startswith("Set vector.dimension to 5")
    assert "could not rerank" in found["reranker"].detail
    assert not any(found[name].ok for name in ("model for documents", "model for code", "reranker"))


@pytest.mark.allow_hosts(["127.0.0.1"])
async def test_one_hosted_model_for_both_and_no_reranker(tmp_path, monkeypatch):
    monkeypatch.setenv("VOYAGE_API_KEY", "k")
    with ModelApi() as api:
        found = await checks(tmp_path, hosted(api, dense_code_model=None, reranker_model=None))
    assert list(found) == ["packages", "model", "data folder"]
    assert found["model"].detail == "voyage-context-3, 8 dimensions"


def on_qdrant(**settings):
    return replace(CONFIG, vector=replace(CONFIG.vector, store="qdrant", qdrant=QdrantSettings(**settings)))


@pytest.mark.allow_hosts(["127.0.0.1"])
async def test_a_qdrant_server_before_and_after_its_collection_is_made(data, tmp_path):
    with EdgeHttpFront(str(tmp_path / "shard"), version="1.15.3") as front:
        config = on_qdrant(url=front.url, collection=COLLECTION)
        found = await checks(data, config)
        assert "1.15.3, without k of its reciprocal rank fusion" in found["qdrant version"].detail
        assert found["qdrant collection"].detail == f"there is no '{COLLECTION}' on {front.url}"
        assert (found["qdrant collection"].ok, found["qdrant collection"].hint) == (
            False,
            "Index your projects into it.",
        )
        sizes = dict.fromkeys((DENSE_DOCS, DENSE_CODE), 64)
        store = await QdrantVectorStore.open(config.vector.qdrant, vectors=sizes, namespace="n", create=True)
        await store.close()
        del front.indexes["repo"]
        found = await checks(data, config)
    assert found["qdrant collection"].ok
    assert found["qdrant vector dense_docs"].ok
    assert found["qdrant payload indexes"].detail == "missing: repo, chunk, since, until"  # it holds no index of ours
    assert "PUT" in found["qdrant payload indexes"].hint


@pytest.mark.allow_hosts(["127.0.0.1"])
async def test_a_qdrant_server_out_of_reach_or_without_its_key(data):
    found = await checks(data, on_qdrant(url=refused_url(), retries=0))
    assert not found["qdrant server"].ok
    assert "are in the data folder" in found["vector store"].detail
    found = await checks(data, on_qdrant(url="http://127.0.0.1:1", api_key_env="NOBODY_HAS_SET_THIS"))
    assert "NOBODY_HAS_SET_THIS is not set" in found["qdrant server"].detail
