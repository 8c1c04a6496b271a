"""What is logged, and that no question's text is."""

from __future__ import annotations

import logging

import structlog

from configs import HybridRetrievalConfig
from orchestrator import HybridRetrievalOrchestrator
from orchestrator.running.fakes import FakeAgent, found


async def logged(caplog, **settings):
    parts = {
        "graph": FakeAgent([found("Retries happen three times.")]),
        "vector": FakeAgent(error=OSError("of the secret question")),
    }
    with caplog.at_level(logging.INFO, "hybrid_retrieval"), structlog.testing.capture_logs() as lines:
        async with HybridRetrievalOrchestrator(config=HybridRetrievalConfig(**settings), **parts) as orchestrator:
            await orchestrator.retrieve("How often do retries happen, secret?")
    return lines


async def test_failures_are_warnings_and_text_stays_out(caplog):
    warning, info = await logged(caplog)
    assert (warning["log_level"], warning["agent"], warning["status"]) == ("warning", "vector", "error")
    assert (info["event"], info["status"], info["observations"]) == ("question answered", "partial", 1)
    assert "secret" not in str([warning, info])


async def test_log_content_lets_it_in(caplog):
    warning, info = await logged(caplog, log_content=True)
    assert "OSError" in warning["reason"]
    assert info["query"] == "How often do retries happen, secret?"
