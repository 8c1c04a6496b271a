"""The vector store: its port, its filters and the shipped adapters (`EdgeVectorStore`, `FakeVectorStore`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memory.vector.fake import FakeVectorStore
from memory.vector.filters import FILTER_KEYS, Condition, parse_filters
from memory.vector.payload import file_key
from memory.vector.port import (
    DENSE_CODE,
    DENSE_DOCS,
    SPARSE_LEXICAL,
    Chunk,
    ChunkKind,
    Corpus,
    DenseVector,
    Hit,
    Point,
    SparseVector,
    VectorQuery,
    VectorStore,
)

if TYPE_CHECKING:
    from memory.vector.edge import EdgeVectorStore, settle

__all__ = [
    "DENSE_CODE",
    "DENSE_DOCS",
    "FILTER_KEYS",
    "SPARSE_LEXICAL",
    "Chunk",
    "ChunkKind",
    "Condition",
    "Corpus",
    "DenseVector",
    "EdgeVectorStore",
    "FakeVectorStore",
    "Hit",
    "Point",
    "SparseVector",
    "VectorQuery",
    "VectorStore",
    "file_key",
    "parse_filters",
    "settle",
]


def __getattr__(name: str) -> Any:
    """The embedded engine is imported by who asks for it (PEP 562)."""
    if name not in {"EdgeVectorStore", "settle"}:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from memory.vector import edge  # noqa: PLC0415 - lazy on purpose

    return getattr(edge, name)
