"""Specification 004, retrieval and query validation: `RetrievalPipeline` and what it takes and gives, under its own names.

    from orchestrator.contracts.book import RetrievalPipeline
    pipeline = RetrievalPipeline(cohere_api_key, qdrant_url, qdrant_api_key)     # or RetrievalPipeline.from_env()
    response = pipeline.query("What is ROS2?", top_k=3, similarity_threshold=0.6)

`python -m orchestrator.contracts.book "QUESTION"` is its validation command. In a running event loop await `aquery`.
"""

from __future__ import annotations

from orchestrator.contracts.book.model import Query, RetrievalResponse, RetrievalResult
from orchestrator.contracts.book.pipeline import RetrievalPipeline
from orchestrator.contracts.errors import APIError, InvalidRequestError, QdrantConnectionError

__all__ = [
    "APIError",
    "InvalidRequestError",
    "QdrantConnectionError",
    "Query",
    "RetrievalPipeline",
    "RetrievalResponse",
    "RetrievalResult",
]
