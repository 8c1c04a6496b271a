"""What a question is cleaned of before it is read, and what is none."""

from __future__ import annotations

import re
import unicodedata
from textwrap import dedent
from typing import Final

from memory.errors import InvalidQueryError

_SEQUENCE: Final = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b[]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x90\x98\x9b-\x9f]*(?:\x07|\x1b\\|\x9c)"
    r"|\x1b[ -/]*[0-~]"
)
"""A control sequence of a terminal, a control string with its end, and the other escapes (ECMA-48 §5.3 to §5.6)."""
_INDENTS: Final = ("    ", "\t")
"""What pasted code begins with, in Markdown too."""
_INTRODUCERS: Final = frozenset("\n\t\x07\x1b\x90\x98\x9b\x9c\x9d\x9e\x9f")


def clean_query(query: object, most: int) -> str:
    """The question without control characters, a terminal's sequences and the white space around it; code that it
    begins with stays indented.

    Raises InvalidQueryError when it is no text, blank, or longer than `most` characters.
    """
    text = question_text(query)
    if len(text) > most:
        raise InvalidQueryError(f"The question has {len(text)} characters; at most {most} are taken.", "Shorten it.")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.isprintable():
        text = _without_controls(_SEQUENCE.sub("", _without_controls(text, _INTRODUCERS)), frozenset("\n\t"))
    kept = dedent(text).strip("\n").rstrip()
    kept = kept if kept.startswith(_INDENTS) else kept.strip()
    if not any(character.isprintable() and not character.isspace() for character in kept):
        raise InvalidQueryError("The question is empty.", "Ask something.")
    return kept


def question_text(query: object) -> str:
    """The question, where it is a text. Raises InvalidQueryError."""
    if not isinstance(query, str):
        raise InvalidQueryError(f"The question is a value of type {type(query).__name__}.", "Give a text.")
    return query


def _without_controls(text: str, kept: frozenset[str]) -> str:
    return "".join(c for c in text if c in kept or unicodedata.category(c) not in {"Cc", "Cs"})
