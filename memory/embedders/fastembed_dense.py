"""`FastEmbedSource`: any dense text model of fastembed, for profiles other than the default one.

A folder in fastembed's `specific_model_path` form skips every download.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memory.embedders.fastembed_loading import cut_at, loading
from memory.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from memory.embedders.local import Encode

__all__ = ["FastEmbedSource"]


@dataclass(frozen=True, slots=True)
class FastEmbedSource:
    """A model by fastembed's name; `folder` holds its files, None lets fastembed download them into `cache`."""

    model: str
    dimension: int
    folder: str | None = None
    cache: str | None = None
    max_tokens: int = 256

    @property
    def cache_key(self) -> str:
        return f"{self.model}:{self.max_tokens}:fastembed"

    def load(self) -> Encode:
        """Read the model, one thread. Raises ModelError."""
        import numpy as np  # noqa: PLC0415 - a third of a second that --help need not pay

        with loading(f"model {self.model}", "Check its name, or give its folder (dense_model_path).", self.folder):
            from fastembed import TextEmbedding  # noqa: PLC0415 - half a second, only for who embeds with it

            embedding = TextEmbedding(self.model, cache_dir=self.cache, threads=1, specific_model_path=self.folder)
        tokenizer = getattr(embedding.model, "tokenizer", None)
        if tokenizer is not None:
            cut_at(tokenizer, self.max_tokens)

        def encode(texts: Sequence[str]) -> NDArray[np.float32]:
            vectors = np.stack(list(embedding.embed(list(texts), batch_size=max(1, len(texts))))).astype(np.float32)
            if vectors.shape[1] != self.dimension:
                raise ModelError(
                    f"{self.model} gives vectors of {vectors.shape[1]} numbers; the settings say {self.dimension}.",
                    f"Set the dimension to {vectors.shape[1]}, or choose another model.",
                )
            return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12))

        return encode
