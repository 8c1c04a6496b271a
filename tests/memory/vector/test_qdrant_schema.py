"""What is said of a server before anything is asked of it, over a socket."""

from __future__ import annotations

import pytest

from configs.settings import QdrantSettings
from memory.errors import ConfigError, DataFolderError
from memory.vector import DENSE_CODE, DENSE_DOCS, IMAGE, SPARSE_LEXICAL, QdrantVectorStore
from memory.vector.payload import INDEXED_KEYS, FieldMapping
from memory.vector.qdrant_schema import QdrantSchema, examine
from tests.contracts.vector_store import DIMENSION
from tests.http_server import Request
from tests.memory.vector.edge_http_front import COLLECTION, EdgeHttpFront


def test_two_models_of_different_sizes_do_not_share_a_vector():
    mapping = FieldMapping(vectors={DENSE_DOCS: "dense", DENSE_CODE: "dense"})
    with pytest.raises(ConfigError, match=r"dense_code: 8 numbers do not fit into 'dense', which has 4"):
        QdrantSchema(QdrantSettings(), mapping, {DENSE_DOCS: 4, DENSE_CODE: 8})


VECTORS = {DENSE_DOCS: DIMENSION, DENSE_CODE: DIMENSION}

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


@pytest.fixture
def front(tmp_path):
    with EdgeHttpFront(str(tmp_path / "front")) as front:
        yield front


def settings_of(front, **rest):
    return QdrantSettings(url=front.url, collection=COLLECTION, **rest)


async def opened(front, sizes=VECTORS, *, create=False, **rest):
    return await QdrantVectorStore.open(
        settings_of(front, **rest), vectors=sizes, namespace="n", create=create, environ={}
    )


async def seen(front, sizes=VECTORS, **rest):
    """Name, whether it is in order, and detail of every finding."""
    return [(f.name, f.ok, f.detail) for f in await examine(settings_of(front, **rest), sizes, {})]


@pytest.mark.specification("003 §5 collection")
async def test_the_collection_is_made_with_its_indexes_before_anything_is_written(front):
    sizes = {**VECTORS, IMAGE: 3}
    store = await opened(front, sizes, create=True)
    await store.close()
    made = [(one.method, one.path.partition("?")[0]) for one in front.seen if one.method == "PUT"]
    place = f"/collections/{COLLECTION}"
    assert made == [("PUT", place), *[("PUT", f"{place}/index")] * len(INDEXED_KEYS)]
    assert next(one.body for one in front.seen if one.method == "PUT") == {
        "vectors": {
            DENSE_DOCS: {"size": 4, "distance": "Cosine"},
            DENSE_CODE: {"size": 4, "distance": "Cosine"},
            IMAGE: {"size": 3, "distance": "Cosine"},
        },
        "sparse_vectors": {SPARSE_LEXICAL: {"modifier": "idf"}},
        "shard_number": 1,
        "replication_factor": 1,
        "hnsw_config": {"full_scan_threshold": 40_000},
    }
    indexes = [one.body for one in front.seen if one.path.startswith(f"{place}/index")]
    assert indexes[:3] == [
        {"field_name": "namespace", "field_schema": {"type": "keyword", "is_tenant": True}},
        {"field_name": "project", "field_schema": {"type": "keyword", "is_tenant": True}},
        {"field_name": "corpus", "field_schema": {"type": "keyword"}},
    ]
    front.seen.clear()
    again = await opened(front, sizes, create=True)
    await again.close()
    assert [one.path for one in front.seen if one.method == "PUT"] == []


async def test_shards_replicas_and_quantization_of_a_collection_that_is_made(front):
    names = {DENSE_DOCS: "", DENSE_CODE: "", SPARSE_LEXICAL: None}
    rest = {"shards": 6, "replicas": 2, "quantization": "scalar", "vectors": names, "payload": {"project": "team"}}
    store = await opened(front, create=True, **rest)
    await store.close()
    body = next(one.body for one in front.seen if one.method == "PUT")
    assert body == {
        "vectors": {"size": 4, "distance": "Cosine"},
        "shard_number": 6,
        "replication_factor": 2,
        "hnsw_config": {"full_scan_threshold": 40_000},
        "quantization_config": {"scalar": {"type": "int8", "quantile": 0.99, "always_ram": True}},
    }
    assert "team" in front.indexes
    assert "project" not in front.indexes
    assert ("qdrant vector (unnamed)", True, "4 dimensions, Cosine") in await seen(front, **rest)


async def test_all_in_order(front):
    store = await opened(front, create=True)
    await store.close()
    assert await seen(front) == [
        ("qdrant version", True, "1.19.0"),
        ("qdrant collection", True, f"{COLLECTION}: 0 points"),
        ("qdrant vector dense_docs", True, "4 dimensions, Cosine"),
        ("qdrant vector dense_code", True, "4 dimensions, Cosine"),
        ("qdrant sparse vector sparse_lexical", True, "with IDF"),
        ("qdrant payload indexes", True, "all 9"),
    ]


@pytest.mark.specification("003 §5 collection")
async def test_what_a_collection_of_another_model_lacks(front):
    body = {"vectors": {DENSE_DOCS: {"size": 3, "distance": "Cosine"}, "theirs": {"size": 4, "distance": "Dot"}}}
    front.answer(Request("PUT", f"/collections/{COLLECTION}", body, {}))
    sizes = {**VECTORS, "image": 4}
    rest = {"vectors": {DENSE_CODE: "theirs"}}
    found = {name: detail for name, ok, detail in await seen(front, sizes, **rest) if not ok}
    assert found == {
        "qdrant vector dense_docs": "the collection has 3 dimensions, the model 4",
        "qdrant vector theirs": "4 dimensions, Dot",
        "qdrant vector image": "missing; the collection has: dense_docs, theirs",
        "qdrant sparse vector sparse_lexical": "missing",
        "qdrant payload indexes": f"missing: {', '.join(INDEXED_KEYS)}",
    }
    with pytest.raises(DataFolderError) as caught:
        await opened(front, sizes, **rest)
    said = str(caught.value)
    assert "dense_docs: the collection has 3 dimensions, the model 4" in said
    assert "image: missing" in said
    assert said.count("or index into a new collection") == 3
    assert "payload indexes" not in said


@pytest.mark.specification("004 §1 score conversion")
@pytest.mark.parametrize("distance", ["Euclid", "Dot", "Manhattan"])
async def test_another_measure_than_cosine_is_refused(front, distance):
    front.answer(Request("PUT", f"/collections/{COLLECTION}", {"vectors": {"size": 4, "distance": distance}}, {}))
    with pytest.raises(DataFolderError) as caught:
        await opened(front, {DENSE_DOCS: 4}, vectors={DENSE_DOCS: "", SPARSE_LEXICAL: None})
    assert caught.value.message == f"qdrant vector (unnamed): 4 dimensions, {distance}."
    assert caught.value.hint == "Scores are read as cosines: index into a new collection, with the distance Cosine."


async def test_missing_payload_indexes_say_how_they_are_made(front):
    store = await opened(front, create=True)
    await store.close()
    del front.indexes["project"], front.indexes["symbol"]
    finding = (await examine(settings_of(front), VECTORS, {}))[-1]
    assert (finding.ok, finding.fatal, finding.detail) == (False, False, "missing: project, symbol")
    assert finding.hint == (
        f"Index once more, or PUT {front.url}/collections/{COLLECTION}/index with each of: "
        '{"field_name": "project", "field_schema": {"type": "keyword", "is_tenant": true}}, '
        '{"field_name": "symbol", "field_schema": "keyword"}'
    )
    await (await opened(front, create=True)).close()
    assert {"project", "symbol"} <= set(front.indexes)


async def test_a_sparse_vector_without_idf(front):
    store = await opened(front, create=True)
    await store.close()
    front.config["sparse_vectors"][SPARSE_LEXICAL] = {}
    assert ("qdrant sparse vector sparse_lexical", False, "has no IDF") in await seen(front)


async def test_an_old_server_and_one_that_is_too_old(front):
    store = await opened(front, create=True)
    await store.close()
    front.version = "1.16.3"
    version = (await examine(settings_of(front), VECTORS, {}))[0]
    assert (version.ok, version.hint) == (True, "Upgrade it to 1.19 or later.")
    assert version.detail.startswith("1.16.3, without weights of it (1.17)")
    front.version = "1.7.4"
    front.left = 2  # nothing but the version is asked for: it does not know whether a collection exists
    [(name, ok, _)] = await seen(front)
    assert (name, ok) == ("qdrant version", False)
    with pytest.raises(DataFolderError, match=r"qdrant version: 1\.7\.4, without"):
        await opened(front, create=True)


async def test_nothing_there():
    settings = QdrantSettings(url="http://127.0.0.1:1", retries=0)
    (finding,) = await examine(settings, VECTORS, {})
    assert (finding.name, finding.ok, finding.fatal) == ("qdrant server", False, True)
    assert "could not answer" in finding.detail
    assert "vector.qdrant.url" in finding.hint


async def test_no_collection(front):
    assert (await seen(front))[1] == ("qdrant collection", False, f"there is no '{COLLECTION}' on {front.url}")
