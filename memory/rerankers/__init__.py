"""Rerankers: the port and the shipped fake."""

from __future__ import annotations

from memory.rerankers.fake import FakeReranker
from memory.rerankers.port import Reranker

__all__ = ["FakeReranker", "Reranker"]
