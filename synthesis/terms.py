"""The words a text is compared by: identifiers in parts and whole, stop words out, endings off."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Final

from memory.text import split_identifier

_TOKEN: Final = re.compile(r"[^\W_](?:[\w.-]*[^\W_])?")
_HEADING: Final = re.compile(r"^(?:#{1,6}|={2,6})\s+(?P<name>\S.*)")
_DEFINES: Final = re.compile(
    r"^\s*+(?:(?:export|default|public|private|protected|internal|static|final|abstract|sealed|partial|async|override|open|data"
    r"|virtual|pub(?:\(\w+\))?|const|readonly|inline|suspend)\s++)*+"
    r"(?:class|defp?|defmodule|fun|func|function|fn|sub|interface|struct|enum|trait|type|record|object|module|message|service|rpc|macro"
    r"|CREATE\s+(?:TABLE|VIEW|INDEX)(?:\s+IF\s+NOT\s+EXISTS)?)\s+(?:\([^)]*\)\s*)?[\"'`]?(?P<name>[\w.$-]+)",
    re.IGNORECASE,
)
_STOP: Final = frozenset(
    _TOKEN.findall(
        """a about all also an and any are as at be been being both but by can could did do does doing down each few
        for from had has have having he her here how i if in into is it its itself just like may me might more most
        much must my no nor not now of off on once one only or other our ours out over own same shall she should so
        some such than that the their them then there these they this those through to too under until up upon us
        very via was we were what when where which while who whom whose why will with within without would you your"""
    )
)


@lru_cache(maxsize=16_384)
def stem(word: str) -> str:
    """A word without its common English endings: `retries`, `retrying` and `retry` are one, `tables` and `table`,
    `notification` and `notify`.
    """
    if len(word) > 4 and word.endswith(("ies", "ied")):
        return word[:-3] + "y"
    for ending in ("ings", "ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith(("ss", "us", "is")):
            word = word[: -len(ending)]
            if ending in {"ings", "ing", "ed"} and word[-1] == word[-2] and word[-1] not in "ls":
                word = word[:-1]
            break
    if word.endswith("ification"):
        word = f"{word[:-9]}ify"
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a text: its term, and those of its parts where it is a name of several."""

    whole: str
    parts: frozenset[str] = frozenset()


@lru_cache(maxsize=16_384)
def terms(text: str) -> frozenset[str]:
    """The terms of a text: `PaymentAdapter`, `payment-adapter` and `payment_adapter` are `payment`, `adapter` and
    `paymentadapter`.
    """
    return frozenset(chain.from_iterable(map(_terms, _TOKEN.findall(text))))


@lru_cache(maxsize=256)
def tokens(text: str) -> tuple[Token, ...]:
    """The words of a text in the order in which they are written, but for stop words."""
    return tuple(token for word in _TOKEN.findall(text) if (token := _token(word)) is not None)


@lru_cache(maxsize=16_384)
def _terms(word: str) -> tuple[str, ...]:
    token = _token(word)
    return (token.whole, *token.parts) if token else ()


def _token(word: str) -> Token | None:
    parts = split_identifier(word)
    if len(parts) > 1:
        own = {stem(part) for part in parts if part not in _STOP and len(part) > 1}
        return Token(stem("".join(parts)), frozenset(own))
    alone = parts[0] if parts else word.lower()
    return None if alone in _STOP or len(alone) < 2 else Token(stem(alone))


@lru_cache(maxsize=16_384)
def defined(line: str, *, prose: bool) -> frozenset[str]:
    """The terms of the name that a line of code defines, or of a document's heading; none where it is neither."""
    found = _HEADING.match(line) if prose else _DEFINES.match(line)
    return terms(found["name"]) if found else frozenset()
