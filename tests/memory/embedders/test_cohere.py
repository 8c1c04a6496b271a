from __future__ import annotations

import numpy as np
import pytest

from configs.settings import HostedSettings
from memory.clock import VirtualClock
from memory.embedders import FakeSource
from memory.embedders.cohere import CohereConnection, CohereDense
from memory.errors import ModelError
from tests.contracts.dense_embedder import DenseEmbedderContract
from tests.model_api import SLOW, ModelApi, dimension, short, status

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])
MODEL = "multilingual-22-12"


@pytest.fixture
def api():
    with ModelApi(key="k", dimensions={MODEL: 768}) as api:
        yield api


@pytest.fixture
async def dense(api):
    connection = CohereConnection(
        HostedSettings(base_url=api.cohere_url), environ={"COHERE_API_KEY": "k"}, clock=VirtualClock()
    )
    dense = CohereDense(connection, MODEL, dimension=768)
    await dense.warm_up()
    yield dense
    await dense.close()


def bag(*texts):
    return FakeSource(768).load()(texts)


class TestCohereDense(DenseEmbedderContract):
    @pytest.fixture
    def embedder(self, dense):
        return dense


async def test_a_question_is_one_request_of_its_own_input_type(api, dense):
    found = await dense.embed_queries(["What is a digital twin?"])
    assert found.shape == (1, 768)
    np.testing.assert_allclose(found, bag("What is a digital twin?"), atol=1e-6)
    [call] = api.seen
    assert (call.path, call.key) == ("/v2/embed", "k")
    assert call.body == {
        "model": MODEL,
        "input_type": "search_query",
        "texts": ["What is a digital twin?"],
        "embedding_types": ["float"],
    }


@pytest.mark.specification("002 §1 input type")
async def test_documents_have_theirs_and_go_ninety_six_a_request(api, dense):
    texts = [f"page {number}" for number in range(100)]
    np.testing.assert_allclose(await dense.embed_documents(texts), bag(*texts), atol=1e-6)
    assert [call.body["input_type"] for call in api.seen] == ["search_document"] * 2
    assert [len(call.body["texts"]) for call in api.seen] == [96, 4]


async def test_many_questions_go_ninety_six_a_request_too(api, dense):
    questions = [f"question {number}" for number in range(100)]
    np.testing.assert_allclose(await dense.embed_queries(questions), bag(*questions), atol=1e-6)
    assert [len(call.body["texts"]) for call in api.seen] == [96, 4]


async def test_a_question_is_remembered_unless_none_are(api, dense):
    await dense.embed_queries(["again"])
    await dense.embed_queries(["again"])
    assert len(api.seen) == 1
    connection = CohereConnection(HostedSettings(base_url=api.cohere_url), environ={"COHERE_API_KEY": "k"})
    forgetful = CohereDense(connection, MODEL, dimension=768, remembered=0)
    await forgetful.embed_queries(["again"])
    await forgetful.embed_queries(["again"])
    await forgetful.close()
    assert len(api.seen) == 3


async def test_a_wrong_dimension_names_both(api, dense):
    api.plan(dimension(1024))
    with pytest.raises(ModelError, match="vectors of 1024 numbers; the settings say 768"):
        await dense.embed_queries(["x"])
    assert len(api.seen) == 1


async def test_a_vector_too_few_is_told(api, dense):
    api.plan(short())
    with pytest.raises(ModelError, match="0 vectors for 1 texts"):
        await dense.embed_queries(["x"])


async def test_embeddings_of_another_kind_are_none(api, dense):
    api.plan(status(200, body=b'{"id": "0", "embeddings": {"int8": [[1]]}, "texts": ["x"]}'))
    with pytest.raises(ModelError, match="0 vectors for 1 texts"):
        await dense.embed_queries(["x"])


async def test_a_slow_answer_is_not_waited_for(api):
    settings = HostedSettings(base_url=api.cohere_url, timeout_ms=30, retries=0)
    connection = CohereConnection(settings, environ={"COHERE_API_KEY": "k"})
    await connection.warm_up()
    api.plan(SLOW)
    with pytest.raises(ModelError, match="could not embed: no answer within 30 ms"):
        await CohereDense(connection, MODEL, dimension=768).embed_queries(["x"])
    await connection.close()
