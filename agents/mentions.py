"""The words of a question that may name something in the graph (design §4, entity mentions).

Strict on purpose: loose links cost more than they bring (design §5a, linking). An identifier or a word with a hyphen,
underscore or dot matches in any case; a plain word only with a capital and equal in case, beside a word that says what
it is (`the quote service`, `customer tables`), or where a relation's end is named (`What calls checkout?`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from agents.slots import SLOT_KINDS, named_ends

__all__ = ["KIND_WORDS", "Mention", "find_mentions"]

KIND_WORDS = {
    "table": ("table",),
    "service": ("service", "project"),
    "class": ("class",),
    "function": ("function", "method"),
    "module": ("module",),
    "package": ("project", "package"),
    "project": ("project",),
    "library": ("project", "package"),
    "endpoint": ("endpoint",),
    "route": ("endpoint",),
    "topic": ("topic",),
    "event": ("topic", "class"),
    "queue": ("topic",),
}
"""A word that says what its neighbour is, and the kinds of entity it may be."""

_WORD = re.compile(r"`[^`\n]+`|\"[^\"\n]{2,60}\"|[\w][\w.\-/]*\w|\w")
_COMPOUND = re.compile(r"[_\-./]|[a-z0-9][A-Z]|[A-Z]{2,}[a-z]|\d[a-zA-Z]")
_DETERMINERS = frozenset({"the", "a", "an", "our", "your", "their", "this", "that", "between", "and", "to"})
_JOINTS = frozenset({"of", "for", "the", "and"})
_LONGEST = 3


@dataclass(frozen=True, slots=True)
class Mention:
    """A group of one to three words, as look-ups may compare it.

    keys: casefolded spellings (`payment gateway` is also `paymentgateway`, `payment-gateway`, `payment_gateway`);
    exact_case: the spelling a plain word must have to count, '' where any case will do; kinds: what a neighbouring
    word says it is, () where nothing does; plain: an ordinary lower-case word, which counts only with kinds.
    """

    surface: str
    keys: tuple[str, ...]
    exact_case: str = ""
    kinds: tuple[str, ...] = ()
    identifier: bool = False
    plain: bool = False


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


def find_mentions(question: str) -> Iterator[Mention]:
    """Every group of the question that may name an entity, single words first, in the question's order."""
    spelt = [match.group() for match in _WORD.finditer(question)]
    words = [word.strip('`"').rstrip(".") for word in spelt]
    ends = named_ends(question)
    for position, word in enumerate(words):
        mention = _single(words, position, word, marked=spelt[position].startswith("`"))
        is_end = mention.plain and not mention.kinds and mention.keys[0] in ends
        yield replace(mention, kinds=SLOT_KINDS) if is_end else mention
    for size in range(2, _LONGEST + 1):
        for start in range(len(words) - size + 1):
            group = words[start : start + size]
            if _may_be_one_name(group, words[start - 1] if start else ""):
                folded = [word.casefold() for word in group]
                keys = tuple(joint.join(folded) for joint in ("", "-", "_", ".", " "))
                yield Mention(" ".join(group), keys, identifier=False)


def _may_be_one_name(group: list[str], before: str) -> bool:
    """Several words that may be one identifier: `the payment gateway`, `Payment Gateway`, but not `teams try again`."""
    if not all(re.fullmatch(r"[A-Za-z]\w*", word) for word in group):
        return False
    if before.casefold() in _DETERMINERS:
        return True
    between = [word for word in group[1:-1] if word not in _JOINTS]  # `Bank of Anthos`
    return all(word[0].isupper() for word in (group[0], *between, group[-1]))


def _single(words: list[str], position: int, word: str, *, marked: bool) -> Mention:
    folded = word.casefold()
    kinds = _neighbouring_kinds(words, position)
    if " " in word:  # a quoted phrase
        parts = folded.split()
        return Mention(word, (folded, *(joint.join(parts) for joint in ("", "-", "_"))), identifier=True)
    if marked or _COMPOUND.search(word):
        return Mention(word, (folded,), identifier=True, kinds=kinds)
    if kinds:
        return Mention(
            word,
            tuple(dict.fromkeys((folded, _singular(folded), _singular(folded) + "s"))),
            kinds=kinds,
            plain=word[0].islower(),
        )
    if word[:1].isupper():
        return Mention(word, (folded,), exact_case=word)
    return Mention(word, (folded,), plain=True)


def _neighbouring_kinds(words: list[str], position: int) -> tuple[str, ...]:
    """What the next word (`customer tables`) or the one before (`class Customer`) says this one is."""
    for neighbour in (position + 1, position - 1):
        if 0 <= neighbour < len(words) and _singular(words[neighbour].casefold()) in KIND_WORDS:
            if neighbour < position and words[position][0].islower():
                continue  # "tables of …": what follows a kind word is its name only when it looks like one
            return KIND_WORDS[_singular(words[neighbour].casefold())]
    return ()
