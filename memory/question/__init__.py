"""A question as it was read, once: its prose, what was pasted into it, its words and names, clauses and limits."""

from __future__ import annotations

from memory.question.parsed import OURS, ParsedQuestion, QueryType, Word
from memory.question.reading import clean_query, named_projects, only_projects, question_of, read_question

__all__ = [
    "OURS",
    "ParsedQuestion",
    "QueryType",
    "Word",
    "clean_query",
    "named_projects",
    "only_projects",
    "question_of",
    "read_question",
]
