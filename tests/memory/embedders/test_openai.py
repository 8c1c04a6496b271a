"""An embedding endpoint that speaks OpenAI's API: what is sent, what comes back."""

from __future__ import annotations

import numpy as np
import pytest

from configs.settings import HostedSettings
from memory.clock import VirtualClock
from memory.embedders import FakeSource, OpenAIDense, embed_bulk
from memory.embedders.openai import OpenAIConnection
from memory.errors import ModelError
from tests.contracts.dense_embedder import DenseEmbedderContract
from tests.model_api import SLOW, ModelApi, dimension, short, status

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])
MODEL = "nomic-embed-text"


@pytest.fixture
def api():
    with ModelApi(dimensions={MODEL: 768}) as api:
        yield api


@pytest.fixture
async def connection(api):
    connection = OpenAIConnection(HostedSettings(base_url=api.openai_url), environ={}, clock=VirtualClock())
    yield connection
    await connection.close()


@pytest.fixture
def dense(connection):
    return OpenAIDense(connection, MODEL, dimension=768)


def bag(numbers, *texts):
    return FakeSource(numbers).load()(texts)


class TestOpenAIDense(DenseEmbedderContract):
    @pytest.fixture
    def embedder(self, dense):
        return dense


async def test_questions_and_documents_are_asked_alike(api, dense):
    np.testing.assert_allclose(await dense.embed_documents(["def a", "b"]), bag(768, "def a", "b"), atol=1e-6)
    np.testing.assert_allclose(await dense.embed_queries(["a"]), bag(768, "a"), atol=1e-6)
    assert [(call.path, call.body) for call in api.seen] == [
        ("/openai/v1/embeddings", {"model": MODEL, "input": texts, "encoding_format": "float"})
        for texts in (["def a", "b"], ["a"])
    ]
    assert not dense.in_context


async def test_fewer_numbers_are_asked_for_where_the_settings_say_that_the_model_can(api, connection):
    dense = OpenAIDense(connection, MODEL, dimension=256, shortened=True)
    assert (await dense.embed_queries(["a"])).shape == (1, 256)
    assert api.seen[0].body["dimensions"] == 256


async def test_much_goes_in_requests_of_the_size_that_the_settings_say(api, connection):
    texts = [f"text {number}" for number in range(70)]
    for batch_size, sizes in ((32, [6, 32, 32]), (0, [70])):
        api.seen.clear()
        dense = OpenAIDense(connection, MODEL, dimension=768, batch_size=batch_size)
        found = await embed_bulk(texts, dense, files=["f"] * 70)
        np.testing.assert_allclose(found, bag(768, *texts), atol=1e-6)
        assert sorted(len(call.body["input"]) for call in api.seen) == sizes


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (dimension(5), "gives vectors of 5 numbers; the settings say 768."),
        (short(), "gives 1 vectors for 2 texts."),
        (status(400), "planned 400"),
    ],
)
async def test_faults_that_stay(api, dense, fault, message):
    api.plan(fault)
    with pytest.raises(ModelError, match=message):
        await dense.embed_chunks([["a", "b"]])
    assert len(api.seen) == 1


@pytest.mark.parametrize("body", [b"[" * 100_000, b'{"data": [{"embedding": [1], "index": 1e999}]}'])
async def test_garbage_is_no_answer(api, dense, body):
    api.plan(*[status(200, body=body)] * 9)
    with pytest.raises(ModelError, match="its answer is not what OpenAI's documentation says"):
        await dense.embed_queries(["a"])


async def test_a_fault_that_passes(api, dense):
    api.plan(status(429, retry_after="1"), status(503))
    assert (await dense.embed_queries(["a"])).shape == (1, 768)
    assert len(api.seen) == 3


async def test_a_slow_answer_is_not_waited_for(api):
    connection = OpenAIConnection(HostedSettings(base_url=api.openai_url, timeout_ms=30, retries=0), environ={})
    await connection.warm_up()
    api.plan(SLOW)
    with pytest.raises(ModelError, match="could not embed: no answer within 30 ms"):
        await OpenAIDense(connection, MODEL, dimension=768).embed_queries(["x"])
    await connection.close()


def test_one_name_at_two_addresses_is_two_models_to_the_cache():
    urls = ["http://127.0.0.1:1/v1", "http://127.0.0.1:1/v1/", "http://127.0.0.1:2/v1"]
    connections = [OpenAIConnection(HostedSettings(base_url=url), environ={}) for url in urls]
    first, same, other = (OpenAIDense(one, MODEL, dimension=8).cache_key for one in connections)
    assert first == same != other


async def test_it_gets_ready_before_it_is_asked(api, dense):
    dense.load_ahead()
    await dense.warm_up()
    await dense.close()
    assert api.seen == []
