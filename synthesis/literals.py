"""What a sentence takes from its source word for word, and whether the source says it (docs/design.md#citations)."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["QUOTED", "literals", "says", "squeezed"]

QUOTED = re.compile(r"``.+?``|`[^`\n]+`|“[^”]+”")
"""What a sentence says to have taken word for word."""

_LITERAL = re.compile(
    r"``(?P<double>.+?)``|`(?P<code>[^`\n]+)`|“(?P<said>[^”]+)”"
    r"|(?<![\w.:/-])(?P<time>\d{1,2}:\d\d)(?![\w:/-])"
)
_NUMBER = re.compile(r"\d+(?:,\d{3})+(?!\d)|\d[\d_]*(?:\.\d+)?")
_WORDS: Final = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_SPELLED = re.compile(rf"\b(?:{'|'.join(_WORDS)})\b", re.IGNORECASE)
_OMISSION = re.compile(r"…|\.\.\.")
_LAST_COMMA = re.compile(r",(?=[)\]}]|$)")
_NAME = re.compile(r"\w+(?:\.\w+)*")


def squeezed(text: str) -> str:
    """The text with every run of white space as one blank."""
    return " ".join(text.split())


def literals(claim: str) -> list[str]:
    """What a claim takes from its source word for word: what stands in backticks or in “ ”, and times of day."""
    return [next(part for part in match.groups() if part) for match in _LITERAL.finditer(claim)]


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
    spelled = {float(_WORDS.index(word.lower())) for word in _SPELLED.findall(text)}
    return spelled | {_value(number) for number in _NUMBER.findall(text)}
