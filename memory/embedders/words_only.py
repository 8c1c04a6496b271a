"""`WordsOnly`: in the place of a dense model that can't be had, so that words and relations alone are searched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memory.errors import NoModelError
from memory.extras import install

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memory.embedders.local import Encode

__all__ = ["WordsOnly"]


class WordsOnly:
    """A dense embedder, and a source of one, that has no vector for any text."""

    cache_key = ""

    def __init__(self, model: str, dimension: int) -> None:
        self.model = model
        self.dimension = dimension

    def load(self) -> Encode:
        """Raises NoModelError."""
        raise NoModelError(f"The model {self.model} is not installed.", install("offline"))

    def load_ahead(self) -> None:
        """There is nothing to load."""

    async def warm_up(self) -> None:
        """Nor to wait for."""

    async def close(self) -> None:
        """Nor to let go of."""

    async def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:  # noqa: ARG002 - the port's
        """None, shape (0, dimension)."""
        import numpy as np  # noqa: PLC0415 - a third of a second that --help need not pay

        return np.empty((0, self.dimension), dtype=np.float32)

    embed_queries = embed_documents
