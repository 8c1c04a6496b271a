"""When a section was last changed: what its metadata say, else a date it states itself, else its newest dated comment."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import Any

from memory.observations import NormalizedObservation
from memory.text import stated_day
from merging.claims.passages import notation_of

__all__ = ["stated_time", "time_of"]

_DATED_COMMENT = re.compile(r"^[ \t]*(?:--|#|//)[ \t]*(?P<date>\d{4}-\d{2}-\d{2})\b", re.MULTILINE)
_COMMENTED = frozenset({"sql", "yaml", "toml", "ini", "env"})


def time_of(observation: NormalizedObservation) -> float | None:
    """Seconds since 1970 from `last_updated`, `commit_date`, or what the text states; else None."""
    for key in ("last_updated", "commit_date"):
        seconds = _seconds(observation.metadata.get(key))
        if seconds is not None:
            return seconds
    return stated_time(observation)


def stated_time(observation: NormalizedObservation) -> float | None:
    """From a line such as `Last updated: 2024-05-01`, or the newest comment such as `-- 2024-05-01: longer titles`."""
    stated = _seconds(stated_day(observation.content))
    if stated is None and notation_of(observation) in _COMMENTED:
        times = [_seconds(found["date"]) for found in _DATED_COMMENT.finditer(observation.content)]
        return max((time for time in times if time is not None), default=None)
    return stated


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
