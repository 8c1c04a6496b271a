"""`EmbeddingManager`: one text or picture to its vector (003 §4), and the rate that embedding is kept to (003 §9)."""

from __future__ import annotations

import io
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self

import anyio
import anyio.to_thread

from facades.portal import wait_for
from memory.clock import Clock, SystemClock
from memory.embedders import DenseEmbedder, ImageEmbedder, SparseEmbedder
from memory.embedders.port import without_blocking
from memory.errors import ConfigError, InvalidInputError, ModelError
from memory.hosted import RequestRate
from memory.text.output import is_encodable
from wiring import environment_config
from wiring.local_models import open_images, open_sparse
from wiring.models import open_models

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image


class EmbeddingManager:
    """Manages multiple embedding models: each is loaded with its first call and kept.

    calls_per_minute: more have to wait, 0 for any number; or a rate that others share. timeout_ms: of one call, without
    that wait. The methods have twins to await, with an `a` in front. Raises InvalidInputError for an empty text,
    ConfigError for a picture without an image model, and ModelError.
    """

    def __init__(
        self,
        dense: DenseEmbedder,
        sparse: SparseEmbedder,
        images: ImageEmbedder | None = None,
        *,
        calls_per_minute: int | RequestRate = 0,
        timeout_ms: int = 60_000,
        clock: Clock | None = None,
    ) -> None:
        self._dense = dense
        self._sparse = sparse
        self._images = images
        if not isinstance(calls_per_minute, RequestRate):
            calls_per_minute = RequestRate(calls_per_minute, clock or SystemClock())
        self._rate = calls_per_minute
        self._timeout_ms = timeout_ms

    @classmethod
    def open(cls, profile: str | None = None, *, calls_per_minute: int = 0) -> Self:
        """With the models of a profile, by default those that the environment names, else `fastembed`'s.

        Raises ConfigError, and ModelError when the dense model's weights are nowhere.
        """
        config = environment_config(profile, "fastembed")[1]
        dense = open_models(config.vector, config.hosted).docs
        sparse, images = open_sparse(config.vector), open_images(config.vector)
        return cls(dense, sparse, images, calls_per_minute=calls_per_minute)

    def generate_dense_embedding(self, text: str) -> NDArray[np.float32]:
        """A text's unit vector, as it is indexed: 1,024 numbers of BGE-large with profile `fastembed`."""
        return wait_for(partial(self.agenerate_dense_embedding, text), twin="agenerate_dense_embedding")

    def generate_sparse_embedding(self, text: str) -> dict[int, float]:
        """A text's terms by their id, with their weights: SPLADE++ with profile `fastembed`."""
        return wait_for(partial(self.agenerate_sparse_embedding, text), twin="agenerate_sparse_embedding")

    def generate_image_embedding(self, image: Image | bytes | Path) -> NDArray[np.float32]:
        """A picture's unit vector: 512 numbers of CLIP ViT-B/32 with profile `fastembed`."""
        return wait_for(partial(self.agenerate_image_embedding, image), twin="agenerate_image_embedding")

    async def agenerate_dense_embedding(self, text: str) -> NDArray[np.float32]:
        _check(text)
        await self._rate.wait()
        with self._deadline():
            return (await self._dense.embed_documents([text]))[0]  # type: ignore[no-any-return]  # numpy's row
        raise self._late()

    async def agenerate_sparse_embedding(self, text: str) -> dict[int, float]:
        _check(text)
        await self._rate.wait()
        with self._deadline():
            vector = await without_blocking(self._sparse, partial(self._sparse.embed_document, text))
            return dict(zip(vector.indices, vector.values, strict=True))
        raise self._late()

    async def agenerate_image_embedding(self, image: Image | bytes | Path) -> NDArray[np.float32]:
        if self._images is None:
            raise ConfigError("vector.image_model", "settings", "there is none.", "Set it, or use profile fastembed.")
        await self._rate.wait()
        with self._deadline():
            data = await anyio.to_thread.run_sync(image_bytes, image, abandon_on_cancel=True)
            return (await self._images.embed_images([data]))[0]  # type: ignore[no-any-return]  # numpy's row
        raise self._late()

    def _deadline(self) -> anyio.CancelScope:
        return anyio.move_on_after(self._timeout_ms / 1000)

    def _late(self) -> ModelError:
        return ModelError(f"The model gave no vector within {self._timeout_ms} ms.", "Try again, or give it longer.")


def image_bytes(image: Image | bytes | Path) -> bytes:
    """A picture as the bytes of a file. Raises InvalidInputError when its file can't be read, and for what is none."""
    if isinstance(image, bytes):
        return image
    if isinstance(image, Path):
        try:
            return image.read_bytes()
        except OSError as error:
            raise InvalidInputError(f"{image} can't be read: {error.strerror}.", "Check the path.") from error
    if not hasattr(image, "convert"):  # Pillow need not be there to tell
        raise InvalidInputError(
            f"The picture is a value of type {type(image).__name__}.", "Give bytes, a Path or a picture of Pillow's."
        )
    written = io.BytesIO()
    image.convert("RGB").save(written, "PNG")
    return written.getvalue()


def _check(text: str) -> None:
    if not isinstance(text, str) or not text.strip():
        raise InvalidInputError("There is no text to embed.", "Give one.")
    if not is_encodable(text):
        raise InvalidInputError("The text holds half of a surrogate pair.", "Give whole letters.")
