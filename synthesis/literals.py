"""What a sentence takes from its source word for word, and whether the source says it (docs/design.md#citations):
quoted text, names, and numbers with their units, in sentences (`1.5 seconds`) and in code (`TIMEOUT_MS = 1500`).
"""

from __future__ import annotations

import re
from math import isclose
from typing import Final, NamedTuple

from memory.text import split_identifier

QUOTED = re.compile(r"``.+?``|`[^`\n]+`|“[^”]+”")
"""What a sentence says to have taken word for word."""
_LITERAL = re.compile(
    r"``(?P<double>.+?)``|`(?P<code>[^`\n]+)`|“(?P<quoted>[^”]+)”"
    r"|(?<![\w.:/-])(?P<time>\d{1,2}:\d\d)(?![\w:/-])"
)
_NUMBER = re.compile(r"\d+(?:,\d{3})+(?!\d)|\d[\d_]*(?:\.\d+)?")
_OMISSION = re.compile(r"…|\.\.\.")
_LAST_COMMA = re.compile(r",(?=[)\]}]|$)")
_NAME = re.compile(r"\w+(?:\.\w+)*")


_SMALL: Final = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
NUMBERS: Final[dict[str, float]] = {
    **{f"{ten}-{word}": 10.0 * n + m for n, ten in enumerate(_TENS, 2) for m, word in enumerate(_SMALL[:10]) if m},
    **{ten: 10.0 * n for n, ten in enumerate(_TENS, 2)},
    **{word: float(n) for n, word in enumerate(_SMALL)},
    "hundred": 100.0,
    "thousand": 1000.0,
}
"""Numbers as words, the longer ones first."""
_SPELLED = re.compile(rf"\b(?:{'|'.join(NUMBERS)})\b", re.IGNORECASE)
_UNITS: Final[dict[str, tuple[str, float]]] = {
    unit: (kind, factor)
    for kind, factor, names in (
        ("time", 1e-6, "µs microsecond microseconds"),
        ("time", 0.001, "ms millis millisecond milliseconds"),
        ("time", 1.0, "s sec secs second seconds"),
        ("time", 60.0, "min mins minute minutes"),
        ("time", 3600.0, "h hour hours"),
        ("time", 86400.0, "day days"),
        ("time", 604800.0, "week weeks"),
        ("time", 2592000.0, "month months"),
        ("time", 31536000.0, "year years"),
        ("size", 1.0, "byte bytes"),
        ("size", 1e3, "kb"),
        ("size", 1e6, "mb"),
        ("size", 1e9, "gb"),
        ("share", 1.0, "% percent"),
        ("length", 1.0, "character characters"),
    )
    for unit in names.split()
}
_AMOUNT: Final = (
    rf"(?<![\w.])(?P<number>\d{{1,3}}(?:,\d{{3}})+|(?!0\d)\d[\d_]*(?:\.\d+)?|\.\d+|(?:{'|'.join(NUMBERS)})\b)(?!\.\d)"
)
_UNIT: Final = r"(?:[\s-]?(?P<unit>[a-zµ]+|%))?"
_QUANTITY = re.compile(_AMOUNT + _UNIT, re.IGNORECASE)
_ASKED = re.compile(rf"(?<![:/-]){_AMOUNT}(?![:/]?\d){_UNIT}", re.IGNORECASE)
"""In a sentence what is joined to something else (`x.py:12`) is no number of its own; in lines (`postgres:16`) it
is.
"""
_SCALE = re.compile(r"\b[a-z]{3,}s\b")
_FRACTION = re.compile(r"\b(?:(?P<half>half)|quarter of) an? (?=second|minute|hour|day|year)", re.IGNORECASE)
_NAMED = re.compile(r"(?<!\w)(?P<name>[^\W\d]\w*+)\s*+(?:(?::\s*+\w++\s*+)?=|[:(])\s*+\Z")
_LONGEST_NAME: Final = 200


def squeezed(text: str) -> str:
    """The text with every run of white space as one blank."""
    return " ".join(text.split())


def literals(claim: str) -> list[str]:
    """What a claim takes from its source word for word: what is in backticks or in “ ”, and times of day.

    A single sign is none: who writes of `|` may cite the `__or__` that defines it.
    """
    found = (next(part for part in match.groups() if part) for match in _LITERAL.finditer(claim))
    return [literal for literal in found if len(literal) > 1 or literal.isalnum()]


def says(text: str, literal: str) -> bool:
    """Whether the text says it: a number as a number (10_000 is 10,000, three is 3), a name as a whole one in any case,
    anything else word for word and in its order, but for white space and what an ellipsis leaves out.
    """
    wanted = squeezed(literal)
    if _NUMBER.fullmatch(wanted):
        return _value(wanted) in _values(text)
    if _NAME.fullmatch(wanted):
        return re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", text, re.IGNORECASE) is not None
    folded, start = _run_together(text), 0
    parts = [part for part in _OMISSION.split(wanted) if re.search(r"\w", part)] or [wanted]
    for part in parts:
        start = folded.find(_run_together(part), start)
        if start < 0:
            return False
    return True


def _run_together(text: str) -> str:
    """Without white space and the commas that only a line's end asks for."""
    return _LAST_COMMA.sub("", "".join(text.split())).casefold()


def _value(number: str) -> float:
    return float(number.replace(",", "").replace("_", ""))


def _values(text: str) -> set[float]:
    spelled = {NUMBERS[word.lower()] for word in _SPELLED.findall(text)}
    return spelled | {_value(number) for number in _NUMBER.findall(text)}


class _Quantity(NamedTuple):
    """A number as it is written, and its unit ('' for none)."""

    written: str
    value: float
    unit: str


def misnumbered(claim: str, lines: str, sources: int = 1) -> str | None:
    """The first number that the lines do not have, or have with other units alone; None when they have them all.

    A word for how many sources are cited is none of theirs. Nor is a small count as a word (`two events`) where they
    have no number that the claim leaves out: whoever counts what they show has none to be held against.
    """
    stated = _quantities(claim, _ASKED)
    there = _quantities(lines) if stated else []
    units = {one.unit for one in there}  # one that is told once holds for the numbers beside it: 3.4 ms, of which 1.2
    elided = {(one.value, unit) for one in there if not one.unit for unit in units}
    lacking = [
        one for one in stated if (one.value, one.unit) not in elided and not any(_same(one, two) for two in there)
    ]
    unstated = any(two.value > 1 and not any(_same(one, two) for one in stated) for two in there)
    counted = {"zero", "one", *(word for word, number in NUMBERS.items() if number == sources)}
    counted |= set() if unstated else {"two", "three"}
    lacking = [one for one in lacking if one.written not in counted and one.written.split()[0] not in {"zero", "one"}]
    unlike = [quantity.written for quantity in lacking] or _other_scale(claim, lines)
    return f"the cited lines do not say {unlike[0]}" if unlike else None


def _other_scale(claim: str, lines: str) -> list[str]:
    """The units that a sentence has without a number (`takes minutes`), where the lines have others so."""
    ours = _scales(claim)
    theirs = _scales(lines) if ours else ours
    return sorted(ours) if theirs and ours.isdisjoint(theirs) else []


def _scales(text: str) -> set[str]:
    named = {unit for unit in _SCALE.findall(text.lower()) if unit in _UNITS}
    return named - {one.unit for one in _quantities(text)} if named else named


def _quantities(text: str, pattern: re.Pattern[str] = _QUANTITY) -> list[_Quantity]:
    """The numbers of a text in their order; of a name in front of one (`minutes=20`) the last word may be its unit."""
    found, end = [], 0
    text = _FRACTION.sub(lambda match: "0.5 " if match["half"] else "0.25 ", text)
    for match in pattern.finditer(text):
        before = _NAMED.search(text[max(end, match.start() - _LONGEST_NAME) : match.start()])
        end = match.end()
        number, behind = match["number"].lower(), (match["unit"] or "").lower()
        if behind and behind not in _UNITS and match.end("number") == match.start("unit"):
            continue
        named = (split_identifier(before["name"] if before else "") or [""])[-1]
        unit = next((unit for unit in (behind, named) if unit in _UNITS), "")
        value = NUMBERS[number] if number in NUMBERS else float(number.replace(",", "").replace("_", ""))
        found.append(_Quantity(f"{number} {behind}" if unit and unit == behind else number, value, unit))
    return found


def _same(one: _Quantity, two: _Quantity) -> bool:
    """The same amount. What is without a unit may be in the base unit, as code has it, or without one."""
    if not (one.unit and two.unit):
        return one.value == two.value and _UNITS[one.unit or "s"][1] == 1.0
    (kind, factor), (other_kind, other) = _UNITS[one.unit], _UNITS[two.unit]
    return kind == other_kind and isclose(one.value * factor, two.value * other)
