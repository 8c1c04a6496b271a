"""The hub is asked whether it is there before anything is downloaded: briefly, and without a word."""

from __future__ import annotations

import socket

import pytest

from memory.embedders.hub import answers, download
from memory.errors import NoModelError
from tests.http_server import HttpServer, Reply
from tests.model_api import refused_url

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


class Hub(HttpServer):
    """One that answers each request with this status."""

    def __init__(self, status):
        self.status = status

    def reply(self, request):
        return Reply(self.status, b"")


@pytest.mark.parametrize("status", [200, 403, 404])
def test_one_that_answers_is_there_whatever_it_says(status):
    with Hub(status) as hub:
        assert answers(hub.url, 60)


def test_one_that_refuses_the_connection_is_not():
    assert not answers(refused_url(), 60)


def test_one_that_stays_silent_is_not():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        assert not answers(f"http://127.0.0.1:{silent.getsockname()[1]}", 0.05)


def test_an_address_that_is_none_is_not():
    assert not answers("no address", 60)


def test_where_it_is_not_there_nothing_is_tried(tmp_path, capfd):
    with pytest.raises(NoModelError, match="The model hub, which has some/model, can't be reached"):
        download("some/model", tmp_path, lambda: False)
    assert not list(tmp_path.iterdir())
    assert capfd.readouterr() == ("", "")


def test_a_name_that_fastembed_does_not_know(tmp_path):
    with pytest.raises(ValueError, match="nobody/nothing"):
        download("nobody/nothing", tmp_path, lambda: True)
