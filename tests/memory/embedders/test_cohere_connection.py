from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
import threading

import pytest

from configs.settings import HostedSettings
from memory.clock import VirtualClock
from memory.embedders.cohere import CohereConnection
from memory.errors import ConfigError, ModelError
from tests.memory.unusable import UNUSABLE
from tests.model_api import BROKEN, TRUNCATED, ModelApi, refused_url, status

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])
KEY = {"COHERE_API_KEY": "k"}


@pytest.fixture
def api():
    with ModelApi(key="k") as api:
        yield api


@pytest.fixture
def clock():
    return VirtualClock()


@pytest.fixture
async def connection(api, clock):
    connection = CohereConnection(HostedSettings(base_url=api.cohere_url), environ=KEY, clock=clock)
    yield connection
    await connection.close()


def ran(program):
    return subprocess.run(  # noqa: S603 - our own interpreter and text
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )


async def length(client):
    answer = await client.embed(model="m", input_type="search_query", texts=["x"], embedding_types=["float"])
    return len(answer.embeddings.float_[0])


@pytest.mark.parametrize("environ", [{}, {"COHERE_API_KEY": " "}])
def test_without_a_key_the_variable_is_named_at_once(environ):
    with pytest.raises(ConfigError, match="COHERE_API_KEY is not set"):
        CohereConnection(HostedSettings(), environ=environ)


def test_the_settings_may_name_another_variable():
    CohereConnection(HostedSettings(api_key_env="MINE"), environ={"MINE": "k"})
    with pytest.raises(ConfigError, match="MINE is not set"):
        CohereConnection(HostedSettings(api_key_env="MINE"), environ=KEY)


@pytest.mark.specification("002 §1 retries")
@pytest.mark.parametrize(
    ("answers", "waited"),
    [
        ([], 0.0),
        ([status(500)], 0.5),
        ([status(429), status(503), BROKEN], 0.5 + 1.0 + 2.0),
        ([status(429, retry_after="3")], 3.0),
        ([status(429, retry_after="Wed, 21 Oct 2015 07:28:00 GMT")], 0.5),
        ([TRUNCATED], 0.5),
        ([status(200, body=b"<html>")], 0.5),
        ([status(200, body=b"[]")], 0.5),
    ],
)
async def test_what_passes_is_tried_again_with_pauses_that_double(api, clock, connection, answers, waited):
    api.plan(*answers)
    assert await connection.call("embed", length) == 1024
    assert (len(api.seen), clock.monotonic()) == (len(answers) + 1, waited)


@pytest.mark.specification("002 §1 retries")
async def test_after_the_last_retry_it_is_an_error(api, clock, connection):
    api.plan(*[status(500)] * 9)
    with pytest.raises(ModelError, match=rf"Cohere at {api.cohere_url} could not embed: planned 500 \(500\)"):
        await connection.call("embed", length)
    assert (len(api.seen), clock.monotonic()) == (4, 0.5 + 1.0 + 2.0)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (status(400), r"planned 400 \(400\)"),
        (status(401), r"refuses the key in COHERE_API_KEY \(401\): planned 401"),
        (status(422, body=b'"no"'), r"no \(422\)"),
        (status(404, body=b"null"), r"no reason given \(404\)"),
    ],
)
@pytest.mark.specification("002 §1 retries")
async def test_what_would_fail_again_is_not_tried_again(api, connection, answer, said):
    api.plan(answer)
    with pytest.raises(ModelError, match=said):
        await connection.call("embed", length)
    assert len(api.seen) == 1


@pytest.mark.specification("002 §1 retries")
async def test_a_refused_connection_is_tried_again_too(clock):
    connection = CohereConnection(HostedSettings(base_url=refused_url(), retries=1), environ=KEY, clock=clock)
    with pytest.raises(ModelError, match=r"could not embed: .*hosted\.base_url"):
        await connection.call("embed", length)
    assert clock.monotonic() == 0.5
    await connection.close()


@pytest.mark.parametrize("url", ["http://xn--", "http://é..x"])
async def test_an_address_that_cannot_be_read(clock, url):
    connection = CohereConnection(HostedSettings(base_url=url), environ=KEY, clock=clock)
    with pytest.raises(ModelError, match=r"could not embed: .*hosted\.base_url"):
        await connection.call("embed", length)
    await connection.close()


@pytest.mark.parametrize(("variable", "value"), UNUSABLE)
async def test_a_proxy_or_a_certificate_file_that_cannot_be_used(monkeypatch, clock, connection, variable, value):
    monkeypatch.setenv(variable, value)
    with pytest.raises(ModelError, match=r"No connection can be made: .*Correct the proxies and the certificate file"):
        await connection.call("embed", length)
    assert clock.monotonic() == 0.0


@pytest.mark.parametrize("variable", ["HTTP_PROXY", "ALL_PROXY"])
async def test_a_proxy_that_is_not_reached_is_named(monkeypatch, clock, connection, variable):
    monkeypatch.setenv(variable, refused_url())
    with pytest.raises(ModelError, match=rf"Is hosted\.base_url right\? Is {variable} right\? Or try again later"):
        await connection.call("embed", length)


async def test_a_proxy_that_is_not_for_this_address_is_not_named(monkeypatch, clock):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    connection = CohereConnection(HostedSettings(base_url=refused_url(), retries=0), environ=KEY, clock=clock)
    with pytest.raises(ModelError, match=r"Is hosted\.base_url right\? Or try again later"):
        await connection.call("embed", length)
    await connection.close()


# What a loop that has ended left open can only be dropped.
GONE = pytest.mark.filterwarnings("ignore:.*:pytest.PytestUnraisableExceptionWarning")


@GONE
def test_another_event_loop_has_connections_of_its_own(api):
    connection = CohereConnection(HostedSettings(base_url=api.cohere_url), environ=KEY)

    async def ask_and_keep_open():
        return await connection.call("embed", length)

    async def ask_and_close():
        try:
            return await connection.call("embed", length)
        finally:
            await connection.close()
            await connection.close()

    assert [asyncio.run(ask_and_keep_open()), asyncio.run(ask_and_close())] == [1024, 1024]
    gc.collect()


@GONE
def test_the_connections_of_a_loop_that_is_gone_are_let_go(api):
    connection = CohereConnection(HostedSettings(base_url=api.cohere_url), environ=KEY)

    async def ask():
        await connection.call("embed", length)

    asyncio.run(ask())
    asyncio.run(connection.close())
    assert connection._connections._clients.all() == []
    gc.collect()


async def test_the_client_is_imported_ahead_in_a_thread(connection):
    before = threading.active_count()
    connection.load_ahead()
    await connection.warm_up()
    assert threading.active_count() <= before + 2  # the worker that warmed up stays


def test_where_the_client_is_not_installed_it_says_what_to_install():
    program = """
import sys, asyncio
sys.modules["cohere"] = None
from configs.settings import HostedSettings
from memory.errors import ModelError
from memory.embedders.cohere import CohereConnection
connection = CohereConnection(HostedSettings(), environ={"COHERE_API_KEY": "k"})
connection.load_ahead()
try:
    asyncio.run(connection.warm_up())
except ModelError as error:
    print(error.hint)
"""
    done = ran(program)
    assert (done.stdout, done.stderr) == ("Install it: pip install 'hybrid-retrieval[cohere]'.\n", "")


def test_nothing_of_the_client_is_imported_before_the_first_call():
    program = """
import sys
from configs.settings import HostedSettings
from memory.embedders.cohere import CohereDense
from memory.embedders.cohere import CohereConnection
CohereDense(CohereConnection(HostedSettings(), environ={"COHERE_API_KEY": "k"}), "m", dimension=4)
print([name for name in ("cohere", "httpx", "numpy") if name in sys.modules])
"""
    done = ran(program)
    assert done.stdout == "[]\n"
