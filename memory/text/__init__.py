"""What is in a text: identifiers, found, split into words, and spelled out for the sparse side (docs/design.md#chunks);
and how many tokens it has for a language model.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from memory.text.kinds import aside_word, is_test
from memory.text.lines import stated_day

__all__ = [
    "aside_word",
    "estimate_tokens",
    "expand",
    "identifiers",
    "is_test",
    "split_identifier",
    "stated_day",
]

# A name may go on over dots and hyphens: `billing.PaymentGateway`, `order-service`.
_NAME = re.compile(r"[^\W\d]\w*(?:[.\-]\w+)*")
_JOINT = re.compile(r"[._\-]+")
# Plural acronym (URLs) | acronym before a word | capitalised or small word | acronym | digits.
_WORD = re.compile(r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[^\WA-Z\d_]+|[A-Z]+|\d+")
_HUMP = re.compile(r"[^\WA-Z\d_][A-Z]|[A-Z]{2}[a-z]{2}")

_PIECE: Final = re.compile(r"[A-Z]?[a-z]{1,12}|[A-Z]{1,12}(?![a-z])|\d{1,3}|[^\W\d_a-zA-Z]|[A-Z]|(?:[^\w\s]|_){1,3}")
"""What byte-pair encodings hold together: a part of a name, three digits, a run of punctuation, a foreign letter."""


def split_identifier(name: str) -> list[str]:
    """The words of a name, casefolded: camel, snake, kebab, dotted, digits apart (`HTTPServer2` -> http, server, 2)."""
    return [word.casefold() for word in _WORD.findall(name)]


def identifiers(text: str) -> list[str]:
    """The identifier-like names of a text as they are written, each once, in the order they stand.

    CamelCase, snake_case, dotted and hyphenated names count; plain words, numbers and abbreviations (`e.g`) do not.
    """
    return list(dict.fromkeys(name for name in _NAME.findall(text) if _is_identifier(name)))


def expand(text: str) -> str:
    """The text with each identifier as one casefolded token and its words behind it.

    Dots and hyphens inside the token become `_`, which word tokenizers keep whole; the members of a dotted or
    hyphenated name are expanded too: `api.PayNow` -> `api_paynow api paynow pay now`.
    """
    return _NAME.sub(lambda match: _spelled_out(match[0]), text)


@lru_cache(maxsize=65_536)
def _spelled_out(name: str) -> str:
    if not _is_identifier(name):
        return name
    tokens = [re.sub(r"[.\-]", "_", name).casefold()]
    members = re.split(r"[.\-]", name)
    if len(members) == 1:
        tokens += split_identifier(name)
    else:
        tokens += [_spelled_out(member) for member in members]
    return " ".join(tokens)


def _is_identifier(name: str) -> bool:
    members = [member for member in _JOINT.split(name) if member]
    if len(members) > 1:
        return any(len(member) > 1 for member in members)
    return len(members) == 1 and ("_" in name or _HUMP.search(name) is not None)


def estimate_tokens(text: str) -> int:
    """About how many tokens a text has: its word parts, numbers and marks, and one for each further line.

    On code, settings and documents of 22 kinds it is off by 6 % on average from the mean of the vocabularies cl100k and
    Claude's (first edition), between which a text's length differs by a tenth.
    """
    lines = [tokens for line in text.split("\n") if (tokens := _of_line(line))]
    return sum(lines) + max(0, len(lines) - 1)


@lru_cache(maxsize=65_536)
def _of_line(line: str) -> int:
    """A line's own; blocks of one file are measured again and again."""
    return len(_PIECE.findall(line))
