"""A reranker without a model, deterministic: the share of the question's words that a text has. For tests."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory.errors import ModelError
from memory.text import expand

__all__ = ["FakeReranker"]


class FakeReranker:
    """Scores by shared words, identifiers split; with `failure` set it raises. `calls` holds what it was asked."""

    model = "fake-shared-words"

    def __init__(self, failure: ModelError | None = None) -> None:
        self.failure = failure
        self.calls: list[tuple[str, tuple[str, ...]]] = []

    async def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        self.calls.append((query, tuple(texts)))
        if self.failure is not None:
            raise self.failure
        asked = _words(query)
        return [len(asked & _words(text)) / max(1, len(asked)) for text in texts]


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", expand(text).casefold()))
