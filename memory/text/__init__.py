"""What is in a text: identifiers and their words, and how long it is for a model."""

from __future__ import annotations

from memory.text.identifiers import estimate_tokens, expand, identifiers, split_identifier
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
