"""Embedders: the ports, the default's adapters, bulk embedding, the cache and the shipped fakes."""

from __future__ import annotations

from memory.embedders.bm25 import Bm25Sparse
from memory.embedders.bulk import embed_bulk
from memory.embedders.cache import EmbeddingCache, text_key
from memory.embedders.fake import FakeDenseEmbedder, FakeSource, FakeSparseEmbedder
from memory.embedders.fastembed_dense import FastEmbedDense, FastEmbedSource
from memory.embedders.local import EncoderSource, LocalDense
from memory.embedders.onnx import OnnxDense, OnnxSource
from memory.embedders.port import DenseEmbedder, SparseEmbedder
from memory.embedders.weights import find_weights

__all__ = [
    "Bm25Sparse",
    "DenseEmbedder",
    "EmbeddingCache",
    "EncoderSource",
    "FakeDenseEmbedder",
    "FakeSource",
    "FakeSparseEmbedder",
    "FastEmbedDense",
    "FastEmbedSource",
    "LocalDense",
    "OnnxDense",
    "OnnxSource",
    "SparseEmbedder",
    "embed_bulk",
    "find_weights",
    "text_key",
]
