"""What is logged, and that no question's text is."""

from __future__ import annotations

import json

import pytest
import structlog

from configs import HybridRetrievalConfig
from interfaces.cli.logs import configure_logs
from orchestrator import HybridRetrievalOrchestrator, logbook
from orchestrator.running.fakes import FakeAgent, found


@pytest.fixture(autouse=True)
def untouched():
    logbook._doors.clear()
    structlog.reset_defaults()
    yield
    structlog.reset_defaults()


async def ask(**settings):
    parts = {
        "graph": FakeAgent([found("Retries happen three times.")]),
        "vector": FakeAgent(error=OSError("of the secret")),
    }
    async with HybridRetrievalOrchestrator(config=HybridRetrievalConfig(**settings), **parts) as orchestrator:
        await orchestrator.retrieve("How often do retries happen, secret?")


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
