"""`read_question`: all that is read from a question, once."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from memory.question.nearest import shipped_examples
from memory.question.parsing import parse_question

if TYPE_CHECKING:
    from memory.question.parsed import ParsedQuestion

__all__ = ["question_of", "read_question"]


@lru_cache(maxsize=64)
def read_question(text: str) -> ParsedQuestion:
    """What stands in a question, and its likely types. The same text is read once."""
    question = parse_question(text)
    return replace(question, types=shipped_examples().votes(question))


class _Context(Protocol):
    """What a question is asked in."""

    @property
    def question(self) -> ParsedQuestion | None: ...


def question_of(query: str, context: _Context) -> ParsedQuestion:
    """The question as the door read it; one that another text is asked for is read now."""
    read = context.question
    return read if read is not None and read.text == query else read_question(query)
