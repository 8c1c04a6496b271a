"""What reading a model by fastembed takes, whichever of its classes reads it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from memory.errors import ModelError

__all__ = ["cut_at", "loading"]


@contextmanager
def loading(what: str, hint: str) -> Iterator[None]:
    """Around the reading of `what`: whatever goes wrong is a ModelError with this hint."""
    try:
        yield
    except Exception as error:  # an unknown name, no network, a broken file: whatever its libraries raise
        raise ModelError(f"The {what} can't be loaded: {error}.", hint) from error


def cut_at(tokenizer: Any, most: int) -> None:
    """Read no more than `most` tokens of a text; a model that reads fewer stays as it is."""
    if tokenizer.truncation["max_length"] > most:
        tokenizer.enable_truncation(max_length=most)
