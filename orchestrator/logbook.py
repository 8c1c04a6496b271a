"""What a question leaves in the log: no text of the question or the answer unless `log_content` is set.

See docs/design.md#logging-and-imports.

What then is logged is redacted first (003 §9).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, MutableMapping
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import structlog

    from orchestrator.result import HybridResult


_SECRET_KEY = re.compile(r"(?:password|passwd|secret|api_?key|token|authorization|credentials?)$", re.IGNORECASE)
_WORD = re.compile(r"\w+")

_doors: list[Callable[[], None]] = []  # the door's way to configure structlog, until the first warning


def redacted(text: str) -> str:
    """The text without what looks like a secret, in a log or in a file, or like personal data."""
    from memory.secrets import redact as without_files_secrets  # noqa: PLC0415 - as `_shapes`

    for shape, instead in _shapes():
        text = shape.sub(instead, text)
    return without_files_secrets("", text)


def redact(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """The structlog processor: every value of the event, and whole what is under a key such as `api_key`."""
    for key, value in list(event.items()):
        event[key] = _clean(key, value)
    return event


def _clean(key: str, value: Any) -> Any:
    if isinstance(value, str):
        return "[secret]" if _SECRET_KEY.search(key) else redacted(value)
    if isinstance(value, Mapping):
        return {inner: _clean(str(inner), one) for inner, one in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(key, one) for one in value]
    return value


@cache
def _shapes() -> list[tuple[re.Pattern[str], str]]:
    """Compiled where something is logged: most questions log nothing."""
    return [
        (
            re.compile(
                r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY[- A-Z]*-----|\Z)", re.DOTALL
            ),
            "[key]",
        ),
        (re.compile(r"(?P<kept>://)[^\s/:@]+:[^\s/@]+@"), r"\g<kept>[credentials]@"),
        (re.compile(r"\beyJ[\w-]{8,}\.[\w-]{4,}\.[\w-]*"), "[token]"),
        (re.compile(r"(?P<kept>\b(?:bearer|basic)\s+)[\w+/=.~-]{8,}", re.IGNORECASE), r"\g<kept>[token]"),
        (
            re.compile(
                r"\b(?:sk|pk|rk|pa)[-_][\w-]{16,}|\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}"
                r"|\bxox[abprs]-[\w-]{10,}|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[\w-]{30,}|\bhf_\w{20,}"
            ),
            "[token]",
        ),
        (
            re.compile(
                r"(?P<kept>\b[\w-]*(?:password|passwd|pwd|secret|token|api[-_]?key|access[-_]?key|credentials?)\b[\"']?\s*[:=]\s*)"
                r"(?:\"[^\"]*\"|'[^']*'|[^\s,;&\"']+)",
                re.IGNORECASE,
            ),
            r"\g<kept>[secret]",
        ),
        (re.compile(r"\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b"), "[email]"),
        (
            re.compile(
                r"\b[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{4}){3,7}(?:[ -]?[A-Z0-9]{1,3})?\b"
                r"|\b[A-Z]{2}\d{2}(?:[ -]?\d{4}){2}[ -]?\d{3}\b"
            ),
            "[iban]",
        ),
        (
            re.compile(r"(?P<kept>\b(?:account|routing)(?: (?:number|no\.?))?[:#]? ?)\d{6,17}\b", re.IGNORECASE),
            r"\g<kept>[account]",
        ),
        (re.compile(r"\b(?:\d[ -]?){12,18}\d\b"), "[card]"),
        (re.compile(r"\b\d{3}([- ])\d{2}\1\d{4}\b"), "[ssn]"),
        (
            re.compile(
                r"(?<![\w.])\+\d{1,3}[ -]?(?:\(?\d{1,5}\)?[ /-]?){2,5}\d{2,}\b|\(\d{3}\) ?\d{3}-\d{4}\b"
                r"|\(0\d{1,4}\) ?\d{3,8}(?:[ -]\d{2,6}){0,3}\b|(?<![\w.-])0\d{2,4}(?:-\d{3,4}){2}\b(?![.-]\w)"
                r"|(?<![\w.-])(?:1[-. ])?\d{3}([-. ])\d{3}\1\d{4}\b(?![.-]\w)"
                r"|(?<![\w.-])0\d{1,4}(?:[ /-]\d{5,8}|(?: \d{2,4}){2,4})\b(?![.-]\w)"
            ),
            "[phone]",
        ),
        (re.compile(r"\b(?:\d{1,3}\.){3}\d{1,3}\b"), "[ip]"),
        (
            re.compile(
                r"(?<![\w:])(?:(?:[0-9a-f]{1,4}:{1,2}){3,7}[0-9a-f]{0,4}"
                r"|(?=[a-f]{0,3}\d)[0-9a-f]{1,4}:(?:[0-9a-f]{1,4}:)?:[0-9a-f]{1,4})(?![\w:])",
                re.IGNORECASE,
            ),
            "[ip]",
        ),
    ]


def set_up_by(configure: Callable[[], None]) -> None:
    """A door's `configure` is called before the first warning:
    importing structlog takes 0.1 s that most questions save.
    """
    _doors[:] = [configure]


def make_ready() -> None:
    """Import now what a line needs: when it has to be told that no file descriptor is left, nothing can be imported."""
    _set_up()
    redacted("")


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
        reason = {"reason": redacted(agent.reason or "")} if log_content else {}
        log.warning("agent failed", request_id=result.request_id, agent=agent.agent, status=agent.status, **reason)
    content = _content(result) if log_content else {}
    log.info(
        "question answered",
        request_id=result.request_id,
        status=result.status,
        observations=len(result.observations),
        total_ms=round(result.metrics.total_time_ms, 1),
        **content,
    )


def _content(result: HybridResult) -> dict[str, str]:
    """The question and its answer, which has no word that was replaced in the question."""
    query = redacted(result.query)
    hidden = {*_WORD.findall(result.query)} - {*_WORD.findall(query)}
    answer = _WORD.sub(lambda word: "[hidden]" if word[0] in hidden else word[0], redacted(result.answer.text))
    return {"query": query, "answer": answer}


def log_info(what: str, **fields: Any) -> None:
    """A line of something other than a question; silent as `log_result` is."""
    log = _log()
    if log is not None:
        log.info(what, **fields)


def log_warning(what: str, **details: str) -> None:
    """A warning of something beside a question, or instead of one; silent as `log_result` is."""
    _set_up()
    log = _log()
    if log is not None:
        log.warning(what, **details)


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
