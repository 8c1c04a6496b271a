"""The words of a question that may name something: single words, and groups of up to three in any spelling.

Which of them do is for the index to say: nothing here reads grammar.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from memory.embedders.stopwords import ENGLISH

__all__ = ["Mention", "find_mentions", "words_of"]

_WORD: Final = re.compile(r"`[^`\n]+`|\"[^\"\n]{2,60}\"|\w[\w.\-/]*\w|\w")
_COMPOUND: Final = re.compile(r"[_\-./]|[a-z0-9][A-Z]|[A-Z]{2,}[a-z]|\d[a-zA-Z]")
_LONGEST: Final = 3
_JOINTS: Final = ("", "-", "_", ".", " ")


@dataclass(frozen=True, slots=True)
class Mention:
    """A group of one to three words.

    keys: its casefolded spellings, `payment gateway` also as `paymentgateway`, `payment-gateway` and `payment_gateway`;
    identifier: it is written as no ordinary word is.
    """

    surface: str
    keys: tuple[str, ...]
    identifier: bool = False

    @property
    def is_word(self) -> bool:
        """Whether it is one ordinary word."""
        return not self.identifier and " " not in self.surface


def find_mentions(question: str) -> Iterator[Mention]:
    """Every group of the question that may name an entity, single words first, in the question's order."""
    spelt = [match.group() for match in _WORD.finditer(question)]
    words = [word.strip('`"').rstrip(".") for word in spelt]
    for word, written in zip(words, spelt, strict=True):
        if word and word.casefold() not in ENGLISH:
            parts = word.split()
            joined = [joint.join(parts) for joint in _JOINTS] + _numbers(word)
            identifier = len(parts) > 1 or written[0] == "`" or _COMPOUND.search(word) is not None
            yield Mention(word, tuple(dict.fromkeys(key.casefold() for key in (word, *joined))), identifier)
    for size in range(2, _LONGEST + 1):
        for start in range(len(words) - size + 1):
            group = words[start : start + size]
            if all(word.isidentifier() for word in group) and not {group[0].casefold(), group[-1].casefold()} & ENGLISH:
                yield Mention(" ".join(group), tuple(joint.join(group).casefold() for joint in _JOINTS))


def _numbers(word: str) -> list[str]:
    """The other number of an ordinary word: tables are called `customers` where people say `customer`."""
    return [word[:-1] if word.endswith("s") else f"{word}s"] if word.isalpha() else []


def words_of(question: str) -> dict[str, bool]:
    """The words of a question, and whether each is written as a name: joined, with digits, or a capital inside a sentence."""
    found: dict[str, bool] = {}
    for match in _WORD.finditer(question):
        word = match.group().strip('`"').rstrip(".")
        before = question[: match.start()].rstrip(" \t\"'`(")
        begins = not before or before[-1] in ".!?:\n"
        named = (
            _COMPOUND.search(word) is not None or word[1:] != word[1:].lower() or (word[:1].isupper() and not begins)
        )
        found[word] = found.get(word, False) or named
    return found
