"""Rerankers: the port, its adapters and the shipped fake."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from memory.rerankers.port import FakeReranker, Reranker

if TYPE_CHECKING:
    from memory.rerankers.cross_encoder import CrossEncoderReranker
    from memory.rerankers.voyage import VoyageReranker

__all__ = ["CrossEncoderReranker", "FakeReranker", "Reranker", "VoyageReranker"]

_LAZY = {"CrossEncoderReranker": "cross_encoder", "VoyageReranker": "voyage"}


def __getattr__(name: str) -> Any:
    """An adapter is imported by who asks for it (PEP 562)."""
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)
