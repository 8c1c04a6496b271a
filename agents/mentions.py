"""The words of a question that may name something: single words, and groups of up to three in any spelling.

Which of them do is for the index to say: nothing here reads grammar.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from memory.embedders.stopwords import ENGLISH
from memory.question import ParsedQuestion, Word

__all__ = ["Mention", "find_mentions"]

_LONGEST: Final = 3
_JOINTS: Final = ("", "-", "_", ".", " ")
_NO_WORDS: Final = frozenset({"identifier", "hyphenated", "joined"})


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


def find_mentions(question: ParsedQuestion) -> Iterator[Mention]:
    """Every group of the question that may name an entity, single words first, in the question's order."""
    for word in question.words:
        if word.text.casefold() not in ENGLISH:
            yield _single(word)
    for name in question.added_names:
        yield _single(Word(name, "identifier"))
    texts = [word.text for word in question.words]
    for size in range(2, _LONGEST + 1):
        for start in range(len(texts) - size + 1):
            group = texts[start : start + size]
            if all(word.isidentifier() for word in group) and not {group[0].casefold(), group[-1].casefold()} & ENGLISH:
                yield Mention(" ".join(group), tuple(joint.join(group).casefold() for joint in _JOINTS))


def _single(word: Word) -> Mention:
    parts = word.text.split()
    spellings = [word.text, *(joint.join(parts) for joint in _JOINTS), *_numbers(word.text)]
    keys = tuple(dict.fromkeys(spelling.casefold() for spelling in spellings))
    return Mention(word.text, keys, len(parts) > 1 or word.kind in _NO_WORDS)


def _numbers(word: str) -> list[str]:
    """The other number of an ordinary word: tables are called `customers` where people say `customer`."""
    return [word[:-1] if word.endswith("s") else f"{word}s"] if word.isalpha() else []
