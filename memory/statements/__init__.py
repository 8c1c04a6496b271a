"""Statements: every confirmed relation as a sentence, searched by its words within a permission."""

from __future__ import annotations

from memory.statements.index import FoundStatement, Segment, StatementIndex, Statements
from memory.statements.sentences import ALSO, VERBS, sentence

__all__ = ["ALSO", "VERBS", "FoundStatement", "Segment", "StatementIndex", "Statements", "sentence"]
