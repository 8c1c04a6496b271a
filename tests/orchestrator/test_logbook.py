"""What a log must not hold, and what it may."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import structlog

from configs import HybridRetrievalConfig
from interfaces.cli.options import configure_logs
from orchestrator import HybridRetrievalOrchestrator, logbook
from orchestrator.logbook import redact, redacted
from orchestrator.running.fakes import FakeAgent, found

ROOT = Path(__file__).parents[2]
HIDDEN = [
    ("mail ada.l+x@mail.example.org now", "mail [email] now"),
    ("call +49 30 901820-11 today", "call [phone] today"),
    ("call (212) 555-0100", "call [phone]"),
    ("call (020) 7946 0958, (089) 12345678 or 0123-456-789", "call [phone], [phone] or [phone]"),
    ("card 4111 1111 1111 1111.", "card [card]."),
    ("ssn 078-05-1120", "ssn [ssn]"),
    ("iban DE89 3704 0044 0532 0130 00", "iban [iban]"),
    ("NO93-8601-1117-947, GB29-NWBK-6016-1331-9268-19", "[iban], [iban]"),
    ("routing 021000021, account number: 12345678", "routing [account], account number: [account]"),
    ("call 212-555-0100, or 030 9018200", "call [phone], or [phone]"),
    ("ask 212-555-0199.", "ask [phone]."),
    ("ask 0171 5551234. Or 1-212-555-0199, 0800 123 4567, 06 12 34 56 78", "ask [phone]. Or [phone], [phone], [phone]"),
    ("iban NO93 8601 1117 947, ssn 078 05 1120", "iban [iban], ssn [ssn]"),
    ("at 2001:db8::1 and fe80::1", "at [ip] and [ip]"),
    ("from 10.1.2.3", "from [ip]"),
    ("at fe80::1ff:fe23:4567:890a", "at [ip]"),
    ("npm_aBcDeFgH1jKlMnOpQrStUvWxYz0123456789", "(redacted)"),
    ("password: hunter2, else", "password: [secret], else"),
    ('{"api_key": "abc def"}', '{"api_key": [secret]}'),
    ("DB_PASSWORD='x y' next", "DB_PASSWORD=[secret] next"),
    ("Authorization: Bearer abcdefgh12345", "Authorization: Bearer [token]"),
    ("postgres://me:pw@db:5432/x", "postgres://[credentials]@db:5432/x"),
    ("key sk-abcdefghijklmnop1234", "key [token]"),
    ("ghp_abcdefghijklmnopqrstuv", "[token]"),
    ("AKIAABCDEFGHIJKLMNOP", "[token]"),
    ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx.c2ln", "[token]"),
    ("-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY----- end", "[key] end"),
]


@pytest.mark.specification("003 §9 redaction")
@pytest.mark.parametrize(("text", "shown"), HIDDEN)
def test_what_has_the_shape_of_a_secret_or_of_personal_data(text, shown):
    assert redacted(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "How does OrderService connect to PaymentGateway?",
        "retry 3 times within 1500 ms, version 1.19.0",
        "src/token/reader.py:12-40",
        "what does the password reset do",
        "from 2024-02-06 to 2025-01-01",
        "commit 5a10e40b78cb5ceb866c586e6fbb5251",
        "at 2024-02-06T10:20:30, std::chrono::hours, and 12:30:45",
        "issue 12-345-6789 in 2024.10.12",
        "on 01-02-2024, account 12 of crm",
    ],
)
def test_what_people_ask_stays(text):
    assert redacted(text) == text


def test_the_processor_reaches_into_what_is_nested():
    event = {"event": "x", "api_key": "k", "who": ["a@b.org", {"token": "t", "n": 3}], "ms": 1.5}
    assert redact(None, "info", event) == {
        "event": "x",
        "api_key": "[secret]",
        "who": ["[email]", {"token": "[secret]", "n": 3}],
        "ms": 1.5,
    }


@pytest.mark.specification("003 §9 redaction")
def test_the_command_line_s_log_goes_through_it(capsys):
    try:
        configure_logs(as_json=True, quiet=False)
        logbook._doors.pop()()
        structlog.get_logger().warning("asked by ada@example.org", password="x")
    finally:
        structlog.reset_defaults()
        logbook._doors.clear()
    line = json.loads(capsys.readouterr().err)
    assert (line["event"], line["password"]) == ("asked by [email]", "[secret]")


@pytest.fixture(autouse=True)
def untouched():
    logbook._doors.clear()
    structlog.reset_defaults()
    yield
    structlog.reset_defaults()


async def ask(query="How often do retries happen, secret?", says="Retries happen three times.", **settings):
    parts = {
        "graph": FakeAgent([found(says)]),
        "vector": FakeAgent(error=OSError("of the secret")),
    }
    async with HybridRetrievalOrchestrator(config=HybridRetrievalConfig(**settings), **parts) as orchestrator:
        await orchestrator.retrieve(query)


async def test_failures_are_warnings_and_text_stays_out():
    with structlog.testing.capture_logs() as lines:
        await ask()
    warning, info = lines
    assert (warning["log_level"], warning["agent"], warning["status"]) == ("warning", "vector", "error")
    assert (info["event"], info["status"], info["observations"]) == ("question answered", "partial", 1)
    assert "secret" not in str(lines)


async def test_log_content_lets_it_in():
    with structlog.testing.capture_logs() as lines:
        await ask(log_content=True)
    assert "OSError" in lines[0]["reason"]
    assert lines[1]["query"] == "How often do retries happen, secret?"


async def test_the_answer_has_no_word_that_was_replaced_in_the_question():
    with structlog.testing.capture_logs() as lines:
        await ask("Where is password=hunter2secret?", "The word hunter2secret stands at the gate.", log_content=True)
    assert "hunter2secret" not in str(lines)
    assert "The word [hidden] stands at the gate" in lines[-1]["answer"]


async def test_nothing_is_printed_where_no_door_has_configured_it(capsys):
    await ask()
    assert capsys.readouterr() == ("", "")


async def test_a_door_is_asked_to_configure_it_when_there_is_something_to_warn_of(capsys):
    configure_logs(as_json=True, quiet=False)
    assert not structlog.is_configured()
    await ask()
    line = json.loads(capsys.readouterr().err)
    assert (line["event"], line["agent"], line["level"]) == ("agent failed", "vector", "warning")


async def test_quiet_leaves_warnings_out(capsys):
    configure_logs(as_json=True, quiet=True)
    await ask()
    assert capsys.readouterr() == ("", "")


LAST = """
import logging, os, resource, sys
from interfaces.cli.options import configure_logs
from interfaces.cli.serve import _ToStructlog
from orchestrator.logbook import make_ready
configure_logs(as_json=False, quiet=False, verbose="-v" in sys.argv)
logging.basicConfig(level=logging.WARNING, handlers=[_ToStructlog()])
make_ready()
resource.setrlimit(resource.RLIMIT_NOFILE, (3, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
logging.getLogger("asyncio").error("socket.accept() out of system resource")
"""


@pytest.mark.parametrize("more", [(), ("-v",)])
def test_a_line_is_told_where_no_file_can_be_opened(more):
    done = subprocess.run([sys.executable, "-c", LAST, *more], capture_output=True, text=True, check=False, cwd=ROOT)  # noqa: S603 - our own code
    assert (done.returncode, done.stderr.count("\n")) == (0, 1), done.stderr
    assert "socket.accept() out of system resource" in done.stderr
