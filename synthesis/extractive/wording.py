"""Small English: lists, numbers and plurals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["all_of", "counted", "listed", "number_word", "verb"]

_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_VERBS: Final = {
    "INHERITS": "extends",
    "OWNS_TABLE": "owns the table",
    "USES_TABLE": "uses the table",
    "STORES_IN": "is stored in the table",
    "SUBSCRIBES": "subscribes to",
    "DEPENDS_ON": "depends on",
    "CONNECTS_TO": "connects to",
}


def number_word(number: int) -> str:
    """`three`; digits above ten."""
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def counted(number: int, noun: str, plural: str = "") -> str:
    """`one place`, `three places`."""
    return f"{number_word(number)} {noun if number == 1 else plural or noun + 's'}"


def all_of(number: int) -> str:
    """`Both`, `All three`."""
    return "Both" if number == 2 else f"All {number_word(number)}"


def listed(items: Sequence[str], joint: str = "and") -> str:
    """`a, b and c`."""
    return f"{', '.join(items[:-1])} {joint} {items[-1]}" if len(items) > 1 else "".join(items)


def verb(relation: str, target: str = "table") -> str:
    """A relation's type as a verb: CALLS `calls`, OWNS_TABLE `owns the table`; what stores in no table stores its data."""
    if relation == "STORES_IN" and target != "table":
        return "stores its data in"
    return _VERBS.get(relation, relation.casefold().replace("_", " "))
