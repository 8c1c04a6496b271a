"""Logging is configured here, at the door, and nowhere else: structlog to standard error.

See docs/design.md#logging-and-imports.
"""

from __future__ import annotations

import logging
import sys
from functools import partial
from typing import TYPE_CHECKING

from orchestrator import logbook
from orchestrator.logbook import redact

if TYPE_CHECKING:
    import structlog

__all__ = ["configure_logs"]


def configure_logs(*, as_json: bool, quiet: bool, verbose: bool = False) -> None:
    """Warnings and errors to standard error; as JSON lines where that was asked for. Takes effect with the first one.

    verbose: and a line for each question answered, which takes effect at once.
    """
    level = logging.ERROR if quiet else logging.INFO if verbose else logging.WARNING
    if verbose:
        _configure(as_json=as_json, level=level)
    else:
        logbook.set_up_by(partial(_configure, as_json=as_json, level=level))


def _configure(*, as_json: bool, level: int) -> None:
    import structlog  # noqa: PLC0415 - 0.1 s, and most questions have nothing to log

    renderer: structlog.typing.Processor
    renderer = structlog.processors.JSONRenderer() if as_json else structlog.dev.ConsoleRenderer(colors=False)
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            redact,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
