"""The embedders' ports: dense and sparse, documents and queries apart (docs/design.md#models).

Model calls leave the event loop; both are asynchronous and may be called from many tasks at once.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Protocol, TypeVar

import anyio.to_thread

from memory.attempt import model_answer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memory.embedders.local import Encode, EncoderSource
    from memory.embedders.workers import Keep, Piece
    from memory.vector.port import SparseVector


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


class EmbeddingWorkers(Protocol):
    """Whoever embeds many documents: processes of this machine, or a cluster. count: 0 where there are none."""

    @property
    def count(self) -> int: ...

    def have(self, source: EncoderSource) -> bool:
        """Whether they are worth asking for few texts too."""
        ...

    async def loaded(self, source: EncoderSource) -> Encode:
        """The model in this process, for few texts. Raises ModelError."""
        ...

    async def start(self, source: EncoderSource) -> None:
        """Have them load this model, while the caller goes on: what comes of it `embed` says."""
        ...

    async def embed(self, pieces: deque[Piece], source: EncoderSource, keep: Keep) -> None:
        """Take pieces until none is left, and keep their vectors as they come. Raises ModelError."""
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


T = TypeVar("T")


async def without_blocking(sparse: SparseEmbedder, call: Callable[[], T]) -> T:
    """What `call` returns, which asks `sparse`. Raises what it raises."""
    return await anyio.to_thread.run_sync(call, abandon_on_cancel=True) if sparse.is_model else call()


async def embedded_query(sparse: SparseEmbedder, text: str, *, timeout_s: float = math.inf) -> SparseVector:
    """What `sparse` makes of a question. Raises ModelError, for a model that is silent for longer too."""
    call = partial(without_blocking, sparse, partial(sparse.embed_query, text))
    found: SparseVector = await model_answer(sparse.model, call, timeout_s)
    return found
