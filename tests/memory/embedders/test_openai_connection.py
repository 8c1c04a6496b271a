from __future__ import annotations

import pytest

from configs.settings import HostedSettings
from memory.clock import VirtualClock
from memory.embedders.openai import OpenAIConnection
from memory.errors import ConfigError, ModelError
from tests.model_api import BROKEN, TRUNCATED, ModelApi, refused_url, status

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])
KEY = {"OPENAI_API_KEY": "k", "MINE": "m"}


@pytest.fixture
def api():
    with ModelApi() as api:
        yield api


@pytest.fixture
def clock():
    return VirtualClock()


@pytest.fixture
async def connection(api, clock):
    connection = OpenAIConnection(HostedSettings(base_url=api.openai_url), environ=KEY, clock=clock)
    yield connection
    await connection.close()


async def length(connection):
    return len((await connection.embed(["x"], "m", None))[0])


@pytest.mark.parametrize("environ", [{}, {"OPENAI_API_KEY": " "}])
def test_openai_itself_wants_a_key(environ):
    with pytest.raises(ConfigError, match="OPENAI_API_KEY is not set"):
        OpenAIConnection(HostedSettings(), environ=environ)
    assert OpenAIConnection(HostedSettings(), environ=KEY).url == "https://api.openai.com/v1"


async def test_a_key_of_openais_goes_to_nobody_else(api, connection):
    await length(connection)
    assert "Authorization" not in api.seen[0].headers


async def test_the_key_that_the_settings_name_is_sent(api):
    settings = HostedSettings(base_url=f"{api.openai_url}/", api_key_env="MINE")
    connection = OpenAIConnection(settings, environ=KEY)
    await length(connection)
    await connection.close()
    assert (api.seen[0].key, api.seen[0].path) == ("m", "/openai/v1/embeddings")
    with pytest.raises(ConfigError, match="MINE is not set"):
        OpenAIConnection(settings, environ={})


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("127.0.0.1:8080/v1", "no address of the web"),
        ("localhost", "no address of the web"),
        ("ftp://host/v1", "no address of the web"),
        ("http://xn--/v1", "Malformed A-label"),
        ("http://", "no address of the web"),
        ("http://[::1", "hosted.base_url"),
        ("https://user:secret@host/v1", "holds a user or a password"),
    ],
)
def test_what_is_no_address_is_refused_before_anything_is_sent(url, said):
    with pytest.raises(ConfigError, match=said) as met:
        OpenAIConnection(HostedSettings(base_url=url), environ={})
    assert "secret" not in str(met.value)


@pytest.mark.parametrize(
    ("answers", "waited"),
    [
        ([], 0.0),
        ([status(500)], 0.5),
        ([status(429), status(503), BROKEN], 0.5 + 1.0 + 2.0),
        ([status(429, retry_after="3")], 3.0),
        ([TRUNCATED], 0.5),
        ([status(200, body=b"<html>")], 0.5),
        ([status(200, body=b"[]")], 0.5),
        ([status(200, body=b'{"data": [{"index": 0}]}')], 0.5),
    ],
)
async def test_what_passes_is_tried_again_with_pauses_that_double(api, clock, connection, answers, waited):
    api.plan(*answers)
    assert await length(connection) == 1024
    assert (len(api.seen), clock.monotonic()) == (len(answers) + 1, waited)


async def test_after_the_last_retry_it_is_an_error(api, clock, connection):
    api.plan(*[status(500)] * 9)
    with pytest.raises(
        ModelError, match=rf"The embedding endpoint at {api.openai_url} could not embed: planned 500 \(500\)"
    ):
        await length(connection)
    assert (len(api.seen), clock.monotonic()) == (4, 0.5 + 1.0 + 2.0)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (status(400), r"planned 400 \(400\)"),
        (status(401), r"wants a key: planned 401 \(401\).* hosted\.api_key_env"),
        (status(404, body=b'{"error": {"message": "no such model"}}'), r"no such model \(404\)"),
        (status(404, body=b'{"error": "try pulling it first"}'), r"try pulling it first \(404\)"),
        (status(404, body=b"404 page not found"), r"404 page not found \(404\)"),
        (status(422, body=b'"no"'), r"no \(422\)"),
        (status(404, body=b"null"), r"no reason given \(404\)"),
        (status(302, body=b""), r"no reason given \(302\)"),
    ],
)
async def test_what_would_fail_again_is_not_tried_again(api, connection, answer, said):
    api.plan(answer)
    with pytest.raises(ModelError, match=said):
        await length(connection)
    assert len(api.seen) == 1


async def test_a_key_that_is_refused_names_its_variable(api):
    settings = HostedSettings(base_url=api.openai_url, api_key_env="MINE")
    connection = OpenAIConnection(settings, environ=KEY)
    api.plan(status(401))
    with pytest.raises(ModelError, match=r"refuses the key in MINE \(401\): planned 401"):
        await length(connection)
    await connection.close()


async def test_a_refused_connection_is_tried_again_too(clock):
    connection = OpenAIConnection(HostedSettings(base_url=refused_url(), retries=1), environ={}, clock=clock)
    with pytest.raises(ModelError, match=r"could not embed: .*hosted\.base_url"):
        await length(connection)
    assert clock.monotonic() == 0.5
    await connection.close()
