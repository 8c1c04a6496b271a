"""Plain JSON values out of what agents put into their metadata."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

__all__ = ["json_ready"]

DIGITS = 6


def json_ready(value: Any) -> Any:
    """The same in dicts, lists, texts, finite numbers rounded to six places, booleans and None; anything else as text."""
    if isinstance(value, Enum):
        value = value.value
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return round(value, DIGITS) if math.isfinite(value) else None
    if is_dataclass(value) and not isinstance(value, type):
        value = {f.name: getattr(value, f.name) for f in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): json_ready(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [json_ready(item) for item in value]
    return sorted(map(str, value)) if isinstance(value, set | frozenset) else str(value)
