"""Which requests 002 refuses before anybody is asked (002 §4, error conditions)."""

from __future__ import annotations

from typing import Final, TypeGuard

from facades.textbook.responses import EMPTY_QUERY, INVALID_K, TOO_LONG, ErrorCondition
from memory.errors import InvalidQueryError
from orchestrator.validation import clean_query

__all__ = ["is_count", "wrong_query", "wrong_request"]

_MOST_RESULTS: Final = 100


def wrong_request(query: object, k: object, longest: int) -> ErrorCondition | None:
    """What is wrong with a request; None for one that can be answered. longest: a question's characters."""
    wrong = wrong_query(query, longest)
    if wrong is None and not (is_count(k) and k <= _MOST_RESULTS):
        return INVALID_K
    return wrong


def wrong_query(query: object, longest: int) -> ErrorCondition | None:
    """Too long, or nothing to ask for: what is no text, blank, or of control characters alone."""
    if isinstance(query, str) and len(query) > longest:
        return TOO_LONG
    try:
        clean_query(query, longest)
    except InvalidQueryError:
        return EMPTY_QUERY
    return None


def is_count(k: object) -> TypeGuard[int]:
    """Whether it is a whole number above zero; true and false are none."""
    return isinstance(k, int) and not isinstance(k, bool) and k >= 1
