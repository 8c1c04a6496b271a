"""Filters as callers write them, parsed once for every door and every store (docs/design.md#filters).

`{key: value | [values] | {"$in": [values]} | {"gte|gt|lte|lt": number}}`; ranges are for the line numbers.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from memory.errors import InvalidInputError
from memory.text.output import is_encodable

FILTER_KEYS = (
    "id", "project", "repo", "path", "file", "commit", "corpus", "lang", "chunk_kind",
    "symbol", "start_line", "end_line",
)  # fmt: skip
BOUNDS = ("gt", "gte", "lt", "lte")
NUMBER_KEYS = ("start_line", "end_line")
_LARGEST = 2**53
"""No file has as many lines, and an engine takes no larger number."""


@dataclass(frozen=True, slots=True)
class Condition:
    """One key's condition: the value is among `any_of`, or lies within the bounds. `file` is `PROJECT/PATH`.

    Without bounds it is a choice, and an empty choice holds for nothing.
    """

    key: str
    any_of: tuple[str | int, ...] = ()
    gt: float | None = None
    gte: float | None = None
    lt: float | None = None
    lte: float | None = None

    @property
    def is_choice(self) -> bool:
        """Whether `any_of` counts; otherwise the bounds do."""
        return bool(self.any_of) or (self.gt, self.gte, self.lt, self.lte) == (None, None, None, None)

    def holds(self, value: Any) -> bool:
        """Whether a payload's value passes."""
        if self.is_choice:
            return value in self.any_of
        return (
            (self.gt is None or value > self.gt)
            and (self.gte is None or value >= self.gte)
            and (self.lt is None or value < self.lt)
            and (self.lte is None or value <= self.lte)
        )


def parse_filters(filters: Mapping[str, Any] | None) -> tuple[Condition, ...]:
    """Conditions from a mapping; raises InvalidInputError that lists the known keys or operators."""
    if not isinstance(filters, Mapping | None):
        raise InvalidInputError(f"The filters are a value of type {type(filters).__name__}.", "Give a mapping.")
    conditions = []
    for key, value in (filters or {}).items():
        if key not in FILTER_KEYS:
            raise InvalidInputError(f"Unknown filter key {key!r}.", f"Known: {', '.join(FILTER_KEYS)}.")
        conditions.append(_condition(key, value))
    return tuple(conditions)


def is_uuid(value: str | int) -> bool:
    """Whether a chunk can have this id: no point has another, and an engine would refuse to look for it."""
    try:
        UUID(str(value))
    except ValueError:
        return False
    return True


def _condition(key: str, value: Any) -> Condition:
    if isinstance(value, Mapping):
        operators = set(value)
        if operators == {"$in"}:
            return _choice(key, value["$in"])
        if not operators or not operators <= set(BOUNDS):
            written = ", ".join(sorted(map(str, operators))) or "none"
            raise InvalidInputError(
                f"Filter {key!r} has the operators: {written}.", "Give $in alone, or of gt, gte, lt, lte."
            )
        if key not in NUMBER_KEYS or not all(_is_number(bound) for bound in value.values()):
            raise InvalidInputError(
                f"Filter {key!r} can't be a range.", f"Ranges are numbers, on {' and '.join(NUMBER_KEYS)}."
            )
        return Condition(key, **value)
    return _choice(key, (value,) if isinstance(value, str) or _is_number(value) else value)


def _choice(key: str, values: Any) -> Condition:
    if isinstance(values, str) or not isinstance(values, Collection) or not all(map(_is_value, values)):
        raise InvalidInputError(
            f"Filter {key!r} has a value of a wrong type.", "Give a text, a whole number, a list of them or a range."
        )
    return Condition(key, any_of=tuple(values))


def _is_value(value: Any) -> bool:
    if isinstance(value, str):
        return is_encodable(value)
    return _is_number(value) and not isinstance(value, float)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _LARGEST
