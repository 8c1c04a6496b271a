"""Statements: every confirmed relation as a sentence, searched by its words within a permission."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from memory.statements.sentences import ALSO, VERBS, sentence

if TYPE_CHECKING:
    from memory.statements.index import FoundStatement, Segment, StatementIndex, Statements

__all__ = ["ALSO", "VERBS", "FoundStatement", "Segment", "StatementIndex", "Statements", "sentence"]


def __getattr__(name: str) -> Any:
    """What searches, imported with numpy at its first use: a question is read without it."""
    if name in __all__:
        return getattr(import_module(f"{__package__}.index"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
