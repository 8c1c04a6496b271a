"""The day on which a section says it was last changed."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["stated_day"]

_STATED: Final = re.compile(
    r"^[\s>*_-]*(?:last[ _-]?(?:updated|modified|changed)|updated(?:[ _-]at)?)[*_]*\s*:[\s*_\"']*"
    r"(?P<date>\d{4}-\d{2}-\d{2})(?:T[\d:.+Z-]+)?",
    re.IGNORECASE | re.MULTILINE,
)


def stated_day(text: str) -> str | None:
    """`2024-05-01` of a line such as `Last updated: 2024-05-01`; None without one, or where two lines differ."""
    days = {found["date"] for found in _STATED.finditer(text)}
    return days.pop() if len(days) == 1 else None
