"""Personal data and secrets out of what is logged (003 §9): by shape, so that no list of values is needed.

What is found is replaced by its kind in brackets. A name or an address of a street has no shape, which is why questions
are not logged at all unless `log_content` is set.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, MutableMapping
from functools import cache
from typing import Any

__all__ = ["redact", "redacted"]

_SECRET_KEY = re.compile(r"(?:password|passwd|secret|api_?key|token|authorization|credentials?)$", re.IGNORECASE)


def redacted(text: str) -> str:
    """The text without what looks like a secret or like personal data."""
    for shape, instead in _shapes():
        text = shape.sub(instead, text)
    return text


def redact(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """The structlog processor: every value of the event, and whole what stands under a key such as `api_key`."""
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
        (re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b"), "[iban]"),
        (re.compile(r"\b(?:\d[ -]?){12,18}\d\b"), "[card]"),
        (re.compile(r"\b\d{3}-\d{2}-\d{4}\b"), "[ssn]"),
        (
            re.compile(r"(?<![\w.])(?:\+\d{1,3}[ -]?)(?:\(?\d{1,5}\)?[ /-]?){2,5}\d{2,}\b|\(\d{3}\) ?\d{3}-\d{4}\b"),
            "[phone]",
        ),
        (re.compile(r"\b(?:\d{1,3}\.){3}\d{1,3}\b"), "[ip]"),
    ]
