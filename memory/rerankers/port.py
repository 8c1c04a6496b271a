"""The reranker's port: how well each text answers the question (000, part five; 003)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

__all__ = ["Reranker"]


class Reranker(Protocol):
    """A cross-encoder, here or hosted. Scores are comparable within one call only."""

    model: str

    async def rerank(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """One score a text, in their order, higher is better. Raises ModelError when the model is out of reach."""
        ...
