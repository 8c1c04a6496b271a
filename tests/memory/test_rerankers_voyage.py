from __future__ import annotations

import pytest

from configs.settings import HostedSettings
from memory.clock import VirtualClock
from memory.embedders.voyage import VoyageConnection
from memory.errors import ModelError
from memory.rerankers import VoyageReranker
from tests.model_api import ModelApi, short, status

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


@pytest.fixture
def api():
    with ModelApi() as api:
        yield api


@pytest.fixture
async def reranker(api):
    settings = HostedSettings(base_url=api.voyage_url)
    connection = VoyageConnection(settings, environ={"VOYAGE_API_KEY": "k"}, clock=VirtualClock())
    yield VoyageReranker(connection, "rerank-2.5")
    await connection.close()


async def test_scores_stand_in_the_order_of_the_texts(api, reranker):
    texts = ["nothing", "retries of payments", "payments"]
    assert await reranker.rerank("payments retries", texts) == [0, 1, 0.5]  # of two words: none, both, one
    [call] = api.seen
    assert (call.path, call.body["model"], call.body["documents"]) == ("/v1/rerank", "rerank-2.5", texts)
    assert call.body["query"] == "payments retries"


async def test_nothing_to_rerank_asks_nobody(api, reranker):
    assert await reranker.rerank("q", []) == []
    assert api.seen == []


async def test_too_few_scores(api, reranker):
    api.plan(short())
    with pytest.raises(ModelError, match=r"rerank-2.5 gives 1 scores for 2 texts."):
        await reranker.rerank("a", ["a", "b"])


async def test_a_fault_that_passes_and_one_that_stays(api, reranker):
    api.plan(status(503))
    assert await reranker.rerank("a", ["a"]) == [1]
    api.plan(status(400))
    with pytest.raises(ModelError, match="could not rerank: planned 400"):
        await reranker.rerank("a", ["a"])
