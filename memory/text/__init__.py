"""What stands in a text: identifiers and their words, and how long it is for a model."""

from __future__ import annotations

from memory.text.dates import stated_day
from memory.text.identifiers import expand, identifiers, split_identifier
from memory.text.paths import is_aside, is_test
from memory.text.tokens import estimate_tokens

__all__ = [
    "estimate_tokens",
    "expand",
    "identifiers",
    "is_aside",
    "is_test",
    "split_identifier",
    "stated_day",
]
