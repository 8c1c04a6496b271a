"""Rerankers: the port, its adapters and the shipped fake."""

from __future__ import annotations

from memory.rerankers.cross_encoder import CrossEncoderReranker
from memory.rerankers.fake import FakeReranker
from memory.rerankers.port import Reranker
from memory.rerankers.voyage import VoyageReranker

__all__ = ["CrossEncoderReranker", "FakeReranker", "Reranker", "VoyageReranker"]
