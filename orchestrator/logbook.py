"""What a question leaves in the log: no text of the question or the answer unless `log_content` is set.

See docs/design.md#logging-and-imports.

What then is logged is redacted first (003 §9).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from orchestrator.redaction import redacted

if TYPE_CHECKING:
    import structlog

    from orchestrator.result import HybridResult

__all__ = ["log_info", "log_result", "log_warning", "set_up_by"]

_doors: list[Callable[[], None]] = []  # the door's way to configure structlog, until the first warning


def set_up_by(configure: Callable[[], None]) -> None:
    """A door's `configure` is called before the first warning: importing structlog takes 0.1 s that most questions save."""
    _doors[:] = [configure]


def log_result(result: HybridResult, *, log_content: bool) -> None:
    """One line for the question, and a warning for each agent that was late or broke.

    Silent until somebody has configured structlog, whose own default would print to standard output.
    """
    failed = [agent for agent in result.coverage.agents if agent.failed]
    if failed:
        _set_up()
    log = _log()
    if log is None:
        return
    for agent in failed:
        said = {"reason": redacted(agent.reason or "")} if log_content else {}
        log.warning("agent failed", request_id=result.request_id, agent=agent.agent, status=agent.status, **said)
    said_of = {"query": redacted(result.query), "answer": redacted(result.answer.text)}
    content: dict[str, Any] = said_of if log_content else {}
    log.info(
        "question answered",
        request_id=result.request_id,
        status=result.status,
        observations=len(result.observations),
        total_ms=round(result.metrics.total_time_ms, 1),
        **content,
    )


def log_info(what: str, **fields: Any) -> None:
    """A line of something other than a question; silent as `log_result` is."""
    log = _log()
    if log is not None:
        log.info(what, **fields)


def log_warning(what: str, **said: str) -> None:
    """A warning of something beside a question, or instead of one; silent as `log_result` is."""
    _set_up()
    log = _log()
    if log is not None:
        log.warning(what, **said)


def _set_up() -> None:
    if _doors:
        _doors.pop()()


def _log() -> structlog.stdlib.BoundLogger | None:
    """The log, where structlog is imported and configured."""
    if "structlog" not in sys.modules:
        return None
    import structlog  # noqa: PLC0415 - it is there

    log: structlog.stdlib.BoundLogger = structlog.get_logger("hybrid_retrieval")
    return log if structlog.is_configured() else None
