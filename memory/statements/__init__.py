"""Statements: every confirmed relation as a sentence, searched by its words within a permission."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory.lazy import lazy_names
from memory.statements.sentences import ALSO, VERBS, sentence

if TYPE_CHECKING:
    from memory.statements.index import FoundStatement, Segment, StatementIndex, Statements

__all__ = ["ALSO", "VERBS", "FoundStatement", "Segment", "StatementIndex", "Statements", "sentence"]

# They bring numpy: a question is read without it.
__getattr__ = lazy_names(
    __name__, dict.fromkeys(("FoundStatement", "Segment", "StatementIndex", "Statements"), "index")
)
