"""Specification 004, retrieval and query validation: `RetrievalPipeline` and what it takes and gives, under its own
names.

    from hybrid_retrieval.facades.book import RetrievalPipeline
    pipeline = RetrievalPipeline(cohere_api_key, qdrant_url, qdrant_api_key)     # or RetrievalPipeline.from_env()
    response = pipeline.query("What is ROS2?", top_k=3, similarity_threshold=0.6)

`python -m hybrid_retrieval.facades.book "QUESTION"` is its validation command. In a running event loop await `aquery`.
"""

from __future__ import annotations

from facades.book.model import Query, RetrievalResponse, RetrievalResult
from facades.book.pipeline import QueryEmbedder, ResultFormatter, RetrievalPipeline, VectorRetriever
from facades.library import APIError, InvalidRequestError, QdrantConnectionError

__all__ = [
    "APIError",
    "InvalidRequestError",
    "QdrantConnectionError",
    "Query",
    "QueryEmbedder",
    "ResultFormatter",
    "RetrievalPipeline",
    "RetrievalResponse",
    "RetrievalResult",
    "VectorRetriever",
]
