"""Where a server may listen."""

from __future__ import annotations

import pytest

from interfaces.mcp.listening import check_place, is_loopback, listen
from memory.errors import InvalidInputError

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


@pytest.mark.parametrize(
    ("host", "here"),
    [
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),  # noqa: S104 - a text
        ("::", False),
        ("192.168.0.7", False),
        ("example.org", False),
        ("localhost.example.org", False),
        ("", False),
    ],
)
def test_only_this_machine_is_served_without_a_policy(host, here):
    assert is_loopback(host) is here
    check_place(host, has_policy=True)
    if here:
        check_place(host, has_policy=False)
    else:
        with pytest.raises(InvalidInputError, match="Give --policy FILE"):
            check_place(host, has_policy=False)


@pytest.mark.enable_socket
def test_a_port_that_is_taken():
    with listen("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with pytest.raises(InvalidInputError, match=f"Nothing can listen at 127.0.0.1, port {port}: .*in use"):
            listen("127.0.0.1", port)
    with listen("127.0.0.1", port) as again:  # no wait after the last one
        assert again.getsockname()[1] == port


@pytest.mark.enable_socket
def test_a_host_that_is_not_this_machine():
    with pytest.raises(InvalidInputError, match="another --host"):
        listen("192.0.2.1", 0)
