"""Retries, deadlines and errors, over a socket: the answers are planned in `EdgeHttpFront`."""

from __future__ import annotations

import threading

import pytest

from configs.settings import QdrantSettings
from memory.clock import VirtualClock
from memory.errors import ConfigError, DataFolderError, StoreError
from memory.vector import QdrantVectorStore
from memory.vector.qdrant_calls import ServerVersion, api_key, connect
from tests.contracts.vector_store import BOTH, VECTORS, dense, make_chunk, make_point
from tests.memory.unusable import UNUSABLE
from tests.memory.vector.edge_http_front import COLLECTION


@pytest.mark.parametrize(
    ("text", "number", "queries", "idf", "lacks"),
    [
        ("1.19.0", (1, 19), True, True, 0),
        ("v1.18.2-dev", (1, 18), True, False, 1),
        ("1.16.0", (1, 16), True, False, 2),
        ("1.10.1", (1, 10), True, False, 3),
        ("1.9.7", (1, 9), False, False, 3),
        ("2.0", (2, 0), True, True, 0),
        ("unknown", (0, 0), False, False, 3),
    ],
)
def test_what_a_version_has(text, number, queries, idf, lacks):
    version = ServerVersion(text)
    assert (version.number, version.answers_queries, version.idf_corpus) == (number, queries, idf)
    assert len(version.lacks) == lacks


@pytest.mark.parametrize(
    ("text", "k", "weighted", "fuses"),
    [
        ("1.15.0", 60, False, False),
        ("1.15.0", 2, False, True),
        ("1.15.0", 2, True, False),
        ("1.16.0", 60, False, True),
        ("1.16.0", 60, True, False),
        ("1.17.0", 60, True, True),
    ],
)
def test_which_fusion_a_version_can_do(text, k, weighted, fuses):
    assert ServerVersion(text).fuses(k, weighted=weighted) is fuses


def test_the_key_comes_from_the_variable_that_the_settings_name():
    assert api_key(QdrantSettings(), {"QDRANT_API_KEY": "x"}) is None
    assert api_key(QdrantSettings(api_key_env="TEAM"), {"TEAM": " x\n"}) == "x"
    with pytest.raises(ConfigError, match="TEAM is not set"):
        api_key(QdrantSettings(api_key_env="TEAM"), {})
    with pytest.raises(ConfigError, match="TEAM has a letter"):
        api_key(QdrantSettings(api_key_env="TEAM"), {"TEAM": "a…z"})


def test_an_address_is_named_without_its_password():
    settings = QdrantSettings(url="http://ann:secret1@h:abc", api_key_env="TEAM")
    for environ in ({}, {"TEAM": "x"}):
        with pytest.raises(ConfigError) as met:
            connect(settings, environ)
        assert "secret1" not in str(met.value)


def test_without_an_environment_it_is_this_process_s():
    with pytest.raises(ConfigError, match="HYBRID_RETRIEVAL_TEST_NO_SUCH_KEY"):
        api_key(QdrantSettings(api_key_env="HYBRID_RETRIEVAL_TEST_NO_SUCH_KEY"))


pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


@pytest.fixture
def clock():
    return VirtualClock()


async def opened(front, clock, environ=None, **settings):
    settings = QdrantSettings(url=front.url, collection=COLLECTION, **settings)
    store = await QdrantVectorStore.open(
        settings, vectors=VECTORS, namespace="n", create=True, environ=environ or {}, clock=clock
    )
    front.seen.clear()
    return store


@pytest.fixture
async def store(front, clock):
    store = await opened(front, clock)
    yield store
    front.planned.clear()
    await store.close()


LATER = (503, {}, b'{"status": {"error": "loading"}}')


@pytest.mark.parametrize(
    ("planned", "waited"),
    [
        ([LATER], 0.1),
        ([LATER, (502, {}, b""), (504, {}, b"<html>")], 0.1 + 0.2 + 0.4),
        ([(429, {"Retry-After": "2"}, b'{"status": {"error": "slow down"}}')], 2.0),
        ([(429, {}, b'{"status": {"error": "slow down"}}')], 0.1),
        ([(429, {"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"}, b"")], 0.1),
        ([(503, {"Retry-After": "1"}, b"")], 1.0),
        ([(200, {}, None)], 0.1),
        ([(200, {"Content-Length": "500"}, b'{"result": [{"po')], 0.1),
    ],
)
async def test_what_passes_is_tried_again(store, front, clock, planned, waited):
    front.planned[:] = planned
    assert await store.query_batch([dense([1, 0, 0, 0])], permission=BOTH) == [[]]
    assert clock.seconds == pytest.approx(waited)
    assert len(front.seen) == len(planned) + 1


async def test_it_gives_up_after_its_retries_and_says_what_the_server_said(store, front, clock):
    front.planned[:] = [LATER] * 4
    with pytest.raises(
        StoreError, match=r"Qdrant at http://127.0.0.1:\d+ could not count: loading \(503\)\. Try again"
    ):
        await store.count(permission=BOTH)
    assert clock.seconds == pytest.approx(0.1 + 0.2 + 0.4)
    assert front.planned == []


async def test_what_would_not_be_over_before_the_deadline_is_not_waited_for(store, front, clock):
    front.planned[:] = [(429, {"Retry-After": "60"}, b'{"status": {"error": "slow down"}}')]
    with pytest.raises(StoreError, match="slow down"):
        await store.query_batch([dense([1, 0, 0, 0])], permission=BOTH)
    assert clock.seconds == 0
    front.planned[:] = [(429, {"Retry-After": "50"}, b"")]
    await store.upsert([make_point(make_chunk())])  # a write has a minute
    assert clock.seconds == 50
    await store.delete_project("billing")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ((500, {}, b'{"status": {"error": "Service internal error: no\\n luck"}}'), r"error: no luck \(500\)"),
        ((400, {}, b"not JSON"), r"Bad Request \(400\)"),
        ((400, {}, b'{"status": "no"}'), r"Bad Request \(400\)"),
        ((200, {}, b'{"result": [{"points": 1}]}'), "could not search: .*points"),
        ((200, {}, b'{"result": null}'), "could not search: its answer has no result"),
        ((200, {}, b'{"result": []}'), "answered 0 of 1 searches"),
        ((200, {}, b'{"resu'), "could not search: its answer is no JSON"),
        ((200, {}, b"[" * 100_000), "could not search: its answer is no JSON"),
        ((400, {}, b"[" * 100_000), "could not search: Bad Request"),
    ],
)
async def test_what_does_not_pass_is_told_at_once(store, front, clock, answer, said):
    front.planned[:] = [answer]
    with pytest.raises(StoreError, match=said):
        await store.query_batch([dense([1, 0, 0, 0])], permission=BOTH)
    assert (len(front.seen), clock.seconds) == (1, 0)


async def test_a_server_that_does_not_answer_meets_the_deadline(front, clock):
    store = await opened(front, clock, timeout_ms=200)
    release, answer = threading.Event(), front.answer
    front.answer = lambda request: (release.wait(10), answer(request))[1]
    try:
        with pytest.raises(StoreError, match=r"did not count within 200 ms\. .*vector.qdrant.timeout_ms"):
            await store.count(permission=BOTH)
    finally:
        release.set()
        front.answer = answer
        await store.close()


async def test_nobody_is_there(clock):
    settings = QdrantSettings(url="http://127.0.0.1:1", retries=1)
    with pytest.raises(StoreError, match=r"could not answer: .*Is it running, and is vector.qdrant.url right"):
        await QdrantVectorStore.open(settings, vectors=VECTORS, namespace="n", clock=clock)
    assert clock.seconds == 0.1


async def test_a_collection_that_went_away(store, front):
    front.config, kept = None, front.config
    try:
        with pytest.raises(StoreError, match=rf"no collection '{COLLECTION}' on http.*Index your projects"):
            await store.count(permission=BOTH)
    finally:
        front.config = kept


async def test_the_key_is_sent_and_its_variable_named_where_it_is_refused(front, clock):
    front.key = "secret"
    try:
        store = await opened(front, clock, {"TEAM_KEY": "secret"}, api_key_env="TEAM_KEY")
        assert await store.count(permission=BOTH) == 0
        assert front.seen[0].headers["api-key"] == "secret"
        await store.close()
        with pytest.raises(ConfigError, match=r"refuses the key in TEAM_KEY\. Correct TEAM_KEY") as caught:
            await opened(front, clock, {"TEAM_KEY": "guess"}, api_key_env="TEAM_KEY")
        assert "guess" not in str(caught.value)
        with pytest.raises(ConfigError, match=r"api_key_env: it wants an API key"):
            await opened(front, clock)
    finally:
        front.key = None


async def test_a_key_that_is_not_set_is_told_before_anything_is_sent(front, clock):
    front.seen.clear()
    with pytest.raises(ConfigError, match=r"TEAM_KEY is not set\. Put the API key of http"):
        await opened(front, clock, {"TEAM_KEY": " "}, api_key_env="TEAM_KEY")
    assert front.seen == []


@pytest.mark.parametrize("url", ["ftp://here", "http://xn--", "http://é..x"])
async def test_an_address_that_is_none(clock, url):
    with pytest.raises(ConfigError, match=rf"vector\.qdrant\.url: no connection to '{url}' can be made: .*Correct it"):
        await QdrantVectorStore.open(QdrantSettings(url=url), vectors=VECTORS, namespace="n", clock=clock)


@pytest.mark.parametrize(("variable", "value"), UNUSABLE)
def test_a_proxy_or_a_certificate_file_that_cannot_be_used(monkeypatch, variable, value):
    monkeypatch.setenv(variable, value)
    with pytest.raises(ConfigError, match=r"can be made: .* or the proxies and the certificate file"):
        connect(QdrantSettings())


async def test_there_is_no_collection_yet(front, clock):
    settings = QdrantSettings(url=front.url, collection="other")
    with pytest.raises(DataFolderError, match=r"there is no 'other' on http.*Index your projects into it"):
        await QdrantVectorStore.open(settings, vectors=VECTORS, namespace="n", environ={}, clock=clock)
