"""Voyage's models over a socket: which endpoint, what is sent, what comes back."""

from __future__ import annotations

import numpy as np
import pytest

from configs.settings import HostedSettings
from memory.clock import VirtualClock
from memory.embedders import FakeSource, VoyageDense, embed_bulk
from memory.embedders.voyage import VoyageConnection
from memory.errors import ModelError
from tests.contracts.dense_embedder import DenseEmbedderContract
from tests.model_api import ModelApi, dimension, short, status

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

CONTEXT, CODE = "voyage-context-3", "voyage-code-3"


@pytest.fixture
def api():
    with ModelApi() as api:
        yield api


@pytest.fixture
async def connection(api):
    settings = HostedSettings(base_url=api.voyage_url)
    connection = VoyageConnection(settings, environ={"VOYAGE_API_KEY": "k"}, clock=VirtualClock())
    yield connection
    await connection.close()


def bag(dimension, *texts):
    return FakeSource(dimension).load()(texts)


class TestVoyageDense(DenseEmbedderContract):
    @pytest.fixture(params=[CONTEXT, CODE])
    def embedder(self, connection, request):
        return VoyageDense(connection, request.param, dimension=64)


async def test_code_text_by_text(api, connection):
    dense = VoyageDense(connection, CODE, dimension=2048)
    np.testing.assert_allclose(await dense.embed_documents(["def a", "b"]), bag(2048, "def a", "b"), atol=1e-6)
    np.testing.assert_allclose(await dense.embed_queries(["a"]), bag(2048, "a"), atol=1e-6)
    assert [(call.path, call.body["input"], call.body["input_type"]) for call in api.seen] == [
        ("/v1/embeddings", ["def a", "b"], "document"),
        ("/v1/embeddings", ["a"], "query"),
    ]
    assert {(call.body["model"], call.body["output_dimension"]) for call in api.seen} == {(CODE, 2048)}
    assert not dense.in_context


async def test_documents_in_the_context_of_their_file(api, connection):
    dense = VoyageDense(connection, CONTEXT, dimension=64)
    found = await embed_bulk(["one word", "two words", "other"], dense, files=["a.md", "a.md", "b.md"])
    alone = bag(64, "one word", "two words", "other")
    leaning = alone[:2] + 0.1 * alone[:2].mean(axis=0)
    expected = [*(leaning / np.linalg.norm(leaning, axis=1, keepdims=True)), alone[2]]
    np.testing.assert_allclose(found, expected, atol=1e-6)
    np.testing.assert_allclose(await dense.embed_queries(["word"]), bag(64, "word"), atol=1e-6)
    assert [(call.path, call.body["inputs"], call.body["input_type"]) for call in api.seen] == [
        ("/v1/contextualizedembeddings", [["one word", "two words"], ["other"]], "document"),
        ("/v1/contextualizedembeddings", [["word"]], "query"),
    ]


async def test_what_is_much_goes_in_requests_that_the_api_takes(api, connection):
    texts = [f"text {number}" for number in range(300)]
    for model in (CODE, CONTEXT):
        found = await embed_bulk(texts, VoyageDense(connection, model, dimension=8), files=["f"] * 300)
        assert found.shape == (300, 8)
    sizes = [len(call.body.get("input") or [t for one in call.body["inputs"] for t in one]) for call in api.seen]
    assert sorted(sizes) == [44, 44, 128, 128, 128, 128]


@pytest.mark.parametrize("model", [CODE, CONTEXT])
@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (dimension(5), "gives vectors of 5 numbers; the settings say 8."),
        (short(), "gives 1 vectors for 2 texts."),
        (status(400), "planned 400"),
    ],
)
async def test_faults_that_stay(api, connection, model, fault, message):
    api.plan(fault)
    with pytest.raises(ModelError, match=message):
        await VoyageDense(connection, model, dimension=8).embed_chunks([["a", "b"]])
    assert len(api.seen) == 1


@pytest.mark.parametrize("model", [CODE, CONTEXT])
async def test_a_fault_that_passes(api, connection, model):
    api.plan(status(429, retry_after="1"))
    assert (await VoyageDense(connection, model, dimension=8).embed_queries(["a"])).shape == (1, 8)
    assert len(api.seen) == 2


async def test_it_gets_ready_before_it_is_asked(connection):
    dense = VoyageDense(connection, CODE, dimension=8)
    dense.load_ahead()
    await dense.warm_up()
    await dense.close()
