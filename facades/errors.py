"""What the faces of 002 and 004 raise: errors of ours that are also those their specifications name.

InvalidRequestError     ValueError        a question, a number or a vector that makes no sense
QdrantConnectionError   ConnectionError   Qdrant is out of reach
APIError                                  Cohere failed, after its retries
"""

from __future__ import annotations

from memory.errors import InvalidInputError, ModelError, StoreError

__all__ = ["APIError", "InvalidRequestError", "QdrantConnectionError"]


class InvalidRequestError(InvalidInputError, ValueError):
    """A question, a number or a vector that makes no sense."""


class QdrantConnectionError(StoreError, ConnectionError):
    """Qdrant is out of reach, or refused."""


class APIError(ModelError):
    """The embedding model failed after its retries; the client's own error is its cause."""
