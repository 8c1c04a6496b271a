"""Which words and symbols of the question stand in a piece of evidence; the store has no part in it (000 §8.1)."""

from __future__ import annotations

import re

from memory.embedders.stopwords import ENGLISH
from memory.text import identifiers

__all__ = ["asked_words", "highlights"]

_MOST = 8
_WORD = re.compile(r"\w{3,}")


def asked_words(query: str) -> tuple[tuple[str, str], ...]:
    """The question's identifiers, then its other words of three letters and more, each as (as written, casefolded)."""
    names = identifiers(query)
    parts = {part for name in names for part in _WORD.findall(name)}
    words = [*names, *(word for word in _WORD.findall(query) if word.lower() not in ENGLISH and word not in parts)]
    folded = {word.casefold(): word for word in reversed(words)}
    ordered = dict.fromkeys(word.casefold() for word in words)
    return tuple((folded[word], word) for word in ordered)


def highlights(asked: tuple[tuple[str, str], ...], text: str, most: int = _MOST) -> tuple[str, ...]:
    """Those that stand in the text as whole words in any case, in the question's order and spelling."""
    folded = text.casefold()
    return tuple(written for written, word in asked if _stands(word, folded))[:most]


def _stands(word: str, text: str) -> bool:
    """Whether it is there with no letter, digit or underscore on either side; ten times as quick as a pattern."""
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        if not (at > 0 and _joins(text[at - 1])) and not (end < len(text) and _joins(text[end])):
            return True
        at = text.find(word, at + 1)
    return False


def _joins(character: str) -> bool:
    return character.isalnum() or character == "_"
