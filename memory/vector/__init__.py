"""The vector store: its port, filters and adapters (`EdgeVectorStore`, `QdrantVectorStore`, `FakeVectorStore`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory.imports import lazy_names
from memory.vector.fake import FakeVectorStore
from memory.vector.filters import FILTER_KEYS, Condition, parse_filters
from memory.vector.payload import file_key
from memory.vector.port import (
    DENSE_CODE,
    DENSE_DOCS,
    IMAGE,
    SPARSE_LEXICAL,
    Chunk,
    ChunkKind,
    DenseVector,
    FusedQuery,
    Hit,
    Point,
    SparseVector,
    VectorQuery,
    VectorStore,
)

if TYPE_CHECKING:
    from memory.vector.edge import EdgeVectorStore
    from memory.vector.qdrant import QdrantVectorStore
    from memory.vector.qdrant_generation_store import QdrantGenerationStore

__all__ = [
    "DENSE_CODE",
    "DENSE_DOCS",
    "FILTER_KEYS",
    "IMAGE",
    "SPARSE_LEXICAL",
    "Chunk",
    "ChunkKind",
    "Condition",
    "DenseVector",
    "EdgeVectorStore",
    "FakeVectorStore",
    "FusedQuery",
    "Hit",
    "Point",
    "QdrantGenerationStore",
    "QdrantVectorStore",
    "SparseVector",
    "VectorQuery",
    "VectorStore",
    "file_key",
    "parse_filters",
]

_LAZY = {"EdgeVectorStore": "edge", "QdrantGenerationStore": "qdrant_generation_store", "QdrantVectorStore": "qdrant"}

# Qdrant's client costs a second.
__getattr__ = lazy_names(__name__, _LAZY)
