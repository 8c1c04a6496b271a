"""Rerankers: the port, its adapters and the shipped fake."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory.lazy import lazy_names
from memory.rerankers.port import FakeReranker, Reranker

if TYPE_CHECKING:
    from memory.rerankers.cross_encoder import CrossEncoderReranker
    from memory.rerankers.voyage import VoyageReranker

__all__ = ["CrossEncoderReranker", "FakeReranker", "Reranker", "VoyageReranker"]

_LAZY = {"CrossEncoderReranker": "cross_encoder", "VoyageReranker": "voyage"}

__getattr__ = lazy_names(__name__, _LAZY)
