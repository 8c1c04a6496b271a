"""The real client against a server that speaks Voyage's JSON: every fault, over a socket."""

from __future__ import annotations

import logging

import anyio
import pytest

from configs.settings import HostedSettings
from memory.clock import VirtualClock
from memory.embedders.voyage import VoyageConnection
from memory.errors import ConfigError, ModelError
from tests.model_api import ANSWER, BROKEN, SLOW, TRUNCATED, ModelApi, refused_url, status

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


@pytest.fixture
def api():
    with ModelApi(key="secret") as api:
        yield api


class Voyage:
    """A connection on a clock of its own."""

    def __init__(self, url, key="secret", **settings):
        self.clock = VirtualClock()
        settings = HostedSettings(base_url=url, **settings)
        self.connection = VoyageConnection(settings, environ={"VOYAGE_API_KEY": key}, clock=self.clock)

    async def embed(self, text="a"):
        async def ask(client):
            return (await client.embed([text], "voyage-code-3", output_dimension=4)).embeddings

        return await self.connection.call("embed", ask)


@pytest.fixture
async def voyage(api):
    voyage = Voyage(api.voyage_url)
    yield voyage
    await voyage.connection.close()


def test_without_a_key_nothing_is_opened():
    with pytest.raises(ConfigError, match="VOYAGE_API_KEY is not set"):
        VoyageConnection(HostedSettings(), environ={})


async def test_the_key_and_the_question_go_over_the_wire(api, voyage):
    [vector] = await voyage.embed()
    assert len(vector) == 4
    [call] = api.seen
    assert (call.path, call.key) == ("/v1/embeddings", "secret")
    assert (call.body["input"], call.body["model"], call.body["encoding_format"]) == (["a"], "voyage-code-3", "base64")


@pytest.mark.parametrize(
    ("fault", "waited"),
    [
        (status(429), 0.5),
        (status(429, retry_after="3"), 3),
        (status(429, body=b"<html>slow down"), 0.5),
        (status(500), 0.5),
        (status(502, body=b""), 0.5),
        (status(503, retry_after="2"), 2),
        (BROKEN, 0.5),
        (TRUNCATED, 0.5),
        (status(200, body=b'{"data": [{"emb'), 0.5),
        (status(200, body=b"{}"), 0.5),
        (status(200, body=b'{"data": [{"embedding": "no base64!"}], "usage": {}}'), 0.5),
    ],
)
async def test_a_fault_that_passes(api, voyage, fault, waited, capfd):
    api.plan(fault)
    assert await voyage.embed()
    assert len(api.seen) == 2
    assert voyage.clock.seconds == waited
    assert capfd.readouterr() == ("", "")  # the client prints when it is not given whole answers


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (status(400), "could not embed: planned 400 (400)."),
        (status(401), "refuses the key in VOYAGE_API_KEY (401): planned 401."),
        (status(422), "could not embed: planned 422 (422)."),
        (status(429), "could not embed: planned 429 (429)."),
        (status(500), "could not embed: The server failed to process the request (500)."),
        (status(503), "could not embed: The server is overloaded or not ready yet (503)."),
        (BROKEN, "could not embed: Server disconnected."),
        (TRUNCATED, "could not embed: Response payload is not completed"),
        (status(200, body=b"<html>"), "could not embed: its answer is no JSON."),
        (status(200, body=b"{}"), "could not embed: its answer is not what its documentation says."),
    ],
)
async def test_a_fault_that_stays(api, fault, said):
    api.plan(fault, fault)
    voyage = Voyage(api.voyage_url, retries=1)
    with pytest.raises(ModelError) as met:
        await voyage.embed()
    assert met.value.message.startswith(f"Voyage at {api.voyage_url} {said}")
    await voyage.connection.close()


async def test_a_wrong_key(api):
    voyage = Voyage(api.voyage_url, key="another")
    with pytest.raises(ModelError, match="refuses the key") as met:
        await voyage.embed()
    assert "another" not in str(met.value)
    assert len(api.seen) == 1
    await voyage.connection.close()


async def test_a_slow_answer_is_not_waited_for(api):
    api.plan(SLOW, ANSWER)
    voyage = Voyage(api.voyage_url, timeout_ms=100)
    assert await voyage.embed()
    api.plan(SLOW, SLOW, SLOW, SLOW)
    with pytest.raises(ModelError, match="no answer within 100 ms"):
        await voyage.embed()
    await voyage.connection.close()


async def test_nobody_listens():
    url = refused_url()
    voyage = Voyage(f"{url}/v1", retries=1)
    with pytest.raises(ModelError, match="Cannot connect to host") as met:
        await voyage.embed()
    assert "hosted.base_url" in met.value.hint
    await voyage.connection.close()


async def test_a_wrong_path(api):
    voyage = Voyage(api.cohere_url)  # without /v1
    with pytest.raises(ModelError, match=r"Not Found.*\(404\)"):
        await voyage.embed()
    await voyage.connection.close()


async def test_connections_are_kept_and_can_be_opened_again(api, voyage):
    await voyage.embed("a")
    await voyage.embed("b")
    assert api.connections == 1
    await voyage.connection.close()
    await voyage.connection.close()
    await voyage.embed("c")
    assert api.connections == 2


def test_another_event_loop_has_connections_of_its_own(api):
    voyage = Voyage(api.voyage_url)

    async def once():
        await voyage.embed()
        await voyage.connection.close()

    anyio.run(once)
    anyio.run(once)
    assert len(api.seen) == 2


async def test_close_before_anything_was_asked():
    voyage = Voyage("http://127.0.0.1:1/v1")
    voyage.connection.load_ahead()
    await voyage.connection.warm_up()
    await voyage.connection.close()


async def test_what_is_asked_is_not_logged_unless_somebody_wants_it(voyage, caplog):
    caplog.set_level(logging.DEBUG)
    await voyage.embed("a confidential question")
    assert any(record.name == "voyage" for record in caplog.records)
    assert "confidential" not in caplog.text
    caplog.set_level(logging.DEBUG, logger="voyage")
    await voyage.embed("a confidential question")
    assert "confidential" in caplog.text
