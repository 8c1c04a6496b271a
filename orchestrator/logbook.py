"""What a question leaves in the log: no text of the question or the answer unless `log_content` is set (design §11)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import structlog

if TYPE_CHECKING:
    from orchestrator.result import HybridResult

__all__ = ["log_result"]

_LOG: structlog.stdlib.BoundLogger = structlog.get_logger("hybrid_retrieval")


def log_result(result: HybridResult, *, log_content: bool) -> None:
    """One line for the question, and a warning for each agent that was late or broke.

    Silent until a door has configured structlog, whose own default would print to standard output.
    """
    if not structlog.is_configured():
        return
    for agent in result.coverage.agents:
        if agent.failed:
            said = {"reason": agent.reason} if log_content else {}
            _LOG.warning("agent failed", request_id=result.request_id, agent=agent.agent, status=agent.status, **said)
    content: dict[str, Any] = {"query": result.query, "answer": result.answer.text} if log_content else {}
    _LOG.info(
        "question answered",
        request_id=result.request_id,
        status=result.status,
        observations=len(result.observations),
        total_ms=round(result.metrics.total_time_ms, 1),
        **content,
    )
