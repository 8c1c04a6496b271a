"""When a section was last changed: what its metadata say, else a date it states itself."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import Any

from memory.observations import NormalizedObservation

__all__ = ["time_of"]

_STATED = re.compile(
    r"^[\s>*_-]*(?:last[ _-]?(?:updated|modified|changed)|updated(?:[ _-]at)?)[*_]*\s*:[\s*_\"']*"
    r"(?P<date>\d{4}-\d{2}-\d{2})(?:T[\d:.+Z-]+)?",
    re.IGNORECASE | re.MULTILINE,
)


def time_of(observation: NormalizedObservation) -> float | None:
    """Seconds since 1970 from `last_updated`, `commit_date`, or a line such as `Last updated: 2024-05-01`; else None."""
    for key in ("last_updated", "commit_date"):
        seconds = _seconds(observation.metadata.get(key))
        if seconds is not None:
            return seconds
    stated = {found["date"] for found in _STATED.finditer(observation.content)}
    return _seconds(stated.pop()) if len(stated) == 1 else None


def _seconds(value: Any) -> float | None:
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return float(value)
    if isinstance(value, date) and not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day, tzinfo=UTC)
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            return None
    if not isinstance(value, datetime):
        return None
    return (value if value.tzinfo else value.replace(tzinfo=UTC)).timestamp()
