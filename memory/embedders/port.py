"""The embedders' ports: dense and sparse, documents and queries apart (docs/design.md#models).

Model calls leave the event loop; both are asynchronous and may be called from many tasks at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memory.vector.port import SparseVector

__all__ = ["DenseEmbedder", "SparseEmbedder"]


class DenseEmbedder(Protocol):
    """Texts to unit vectors, shape (texts, dimension), float32. Raises ModelError when the model is out of reach."""

    model: str
    dimension: int

    async def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of what is indexed."""
        ...

    async def embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of what is asked."""
        ...


class SparseEmbedder(Protocol):
    """Texts to term weights. Term ids are a function of the text alone, so that indexes and queries agree.

    is_model: whether a call takes a model's time, so that it belongs in a thread (`without_blocking`).
    """

    model: str
    is_model: bool

    def embed_document(self, text: str) -> SparseVector:
        """Term weights of what is indexed (the store multiplies by IDF)."""
        ...

    def embed_query(self, text: str) -> SparseVector:
        """Term weights of what is asked, all 1."""
        ...

    def terms(self, text: str) -> dict[str, int]:
        """The query's terms and their ids, in the order they stand in the text: which word is which index."""
        ...
