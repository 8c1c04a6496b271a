"""Embedders: the ports, the default's adapters, hosted models, bulk embedding, the cache and the shipped fakes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory.embedders.bm25 import Bm25Sparse
from memory.embedders.fake import FakeDenseEmbedder, FakeSource, FakeSparseEmbedder
from memory.embedders.local import EncoderSource, LocalDense, WordsOnly
from memory.embedders.onnx import OnnxSource
from memory.embedders.port import DenseEmbedder, EmbeddingWorkers, SparseEmbedder
from memory.embedders.weights import find_weights
from memory.imports import lazy_names

if TYPE_CHECKING:
    from memory.embedders.bulk import IN_PROCESS_CHARS, DenseSource, embed_bulk, embed_hosted, vector_keys
    from memory.embedders.cache import EmbeddingCache, text_key
    from memory.embedders.cohere import CohereDense
    from memory.embedders.fastembed_dense import FastEmbedSource
    from memory.embedders.hosted import HostedDense, RequestLimits
    from memory.embedders.images import FakeImageEmbedder, FastEmbedImages, ImageEmbedder
    from memory.embedders.openai import OpenAIDense
    from memory.embedders.splade import SpladeSparse
    from memory.embedders.voyage import VoyageDense
    from memory.embedders.workers import Workers

__all__ = [
    "IN_PROCESS_CHARS",
    "Bm25Sparse",
    "CohereDense",
    "DenseEmbedder",
    "DenseSource",
    "EmbeddingCache",
    "EmbeddingWorkers",
    "EncoderSource",
    "FakeDenseEmbedder",
    "FakeImageEmbedder",
    "FakeSource",
    "FakeSparseEmbedder",
    "FastEmbedImages",
    "FastEmbedSource",
    "HostedDense",
    "ImageEmbedder",
    "LocalDense",
    "OnnxSource",
    "OpenAIDense",
    "RequestLimits",
    "SparseEmbedder",
    "SpladeSparse",
    "VoyageDense",
    "WordsOnly",
    "Workers",
    "embed_bulk",
    "embed_hosted",
    "find_weights",
    "text_key",
    "vector_keys",
]

_LAZY = {
    **dict.fromkeys(("IN_PROCESS_CHARS", "DenseSource", "embed_bulk", "embed_hosted", "vector_keys"), "bulk"),
    **dict.fromkeys(("EmbeddingCache", "text_key"), "cache"),
    **dict.fromkeys(("HostedDense", "RequestLimits"), "hosted"),
    **dict.fromkeys(("FakeImageEmbedder", "FastEmbedImages", "ImageEmbedder"), "images"),
    "CohereDense": "cohere",
    "FastEmbedSource": "fastembed_dense",
    "OpenAIDense": "openai",
    "SpladeSparse": "splade",
    "VoyageDense": "voyage",
    "Workers": "workers",
}

# What a question on the embedded default does without.
__getattr__ = lazy_names(__name__, _LAZY)
