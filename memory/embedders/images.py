"""Pictures as vectors: the port, `FastEmbedImages` (CLIP's vision half by fastembed), and the shipped fake (003
REQ-0044).

The other half of the model, which puts questions into the same space, is an ordinary `DenseEmbedder`.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import anyio.to_thread

from memory.embedders.fake import FakeSource
from memory.embedders.fastembed_dense import FastEmbedModel
from memory.embedders.weights import onnx_size
from memory.errors import InvalidInputError, ModelError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image

MOST_PIXELS = 50_000_000
"""A larger picture is refused: a small file may hold one that fills the memory."""


class ImageEmbedder(Protocol):
    """Pictures (PNG, JPEG, WebP, as the bytes of their files) to unit vectors, shape (pictures, dimension), float32.

    Raises InvalidInputError for what is no picture, and ModelError when the model is out of reach.
    """

    model: str
    dimension: int

    @property
    def cache_key(self) -> str:
        """What its vectors are cached under: equal only for what gives equal vectors."""
        ...

    async def warm_up(self) -> None:
        """Load the model, before the clock starts."""
        ...

    async def embed_images(self, images: Sequence[bytes]) -> NDArray[np.float32]:
        """One vector a picture, in their order; each is encoded alone, whatever is in the same batch."""
        ...


class FastEmbedImages(FastEmbedModel):
    """An `ImageEmbedder` on a fastembed model."""

    kind = "fastembed:ImageEmbedding"
    what = "image model"
    setting = "vector.image_model"

    def __init__(
        self, model: str, *, dimension: int, folder: Path | str | None = None, cache: Path | str | None = None
    ) -> None:
        super().__init__(model, folder=folder, cache=cache)
        self.dimension = dimension

    @property
    def cache_key(self) -> str:
        """A folder may hold another model than the one its name says: its file's size tells them apart."""
        return f"{self.model}:{onnx_size(self._folder) if self._folder else 0}:image"

    async def embed_images(self, images: Sequence[bytes]) -> NDArray[np.float32]:
        return await anyio.to_thread.run_sync(self._encode, images, abandon_on_cancel=True)

    def _encode(self, images: Sequence[bytes]) -> NDArray[np.float32]:
        import numpy as np  # noqa: PLC0415 - a third of a second that --help need not pay

        vectors = np.empty((len(images), self.dimension), dtype=np.float32)
        for number, data in enumerate(images):
            [vector] = self._model().embed([decoded(data)])
            if vector.shape != (self.dimension,):
                raise ModelError(
                    f"{self.model} gives vectors of {vector.size} numbers; the settings say {self.dimension}.",
                    f"Set vector.image_dimension to {vector.size}, or choose another model.",
                )
            vectors[number] = vector / max(float(np.linalg.norm(vector)), 1e-12)
        return vectors


class FakeImageEmbedder:
    """A picture is the name of its average colour, in `FakeSource`'s space: "red" finds what is red. For tests."""

    model = "fake-colours"

    def __init__(self, dimension: int = 64) -> None:
        self.dimension = dimension
        self.images = 0
        self._encode = FakeSource(dimension).load()

    @property
    def cache_key(self) -> str:
        return f"{self.model}:{self.dimension}"

    async def warm_up(self) -> None:
        """There is nothing to load."""

    async def embed_images(self, images: Sequence[bytes]) -> NDArray[np.float32]:
        self.images += len(images)
        return self._encode([_colour(data) for data in images])


def decoded(data: bytes) -> Image:
    """The picture of a file, whole and in RGB. Raises InvalidInputError for what is none, or is too large."""
    from PIL import Image  # noqa: PLC0415 - only for who has pictures

    try:
        with warnings.catch_warnings(), Image.open(io.BytesIO(data), formats=("PNG", "JPEG", "WEBP")) as image:
            warnings.simplefilter("ignore")  # of odd metadata, and of a size that is judged below
            if image.width * image.height > MOST_PIXELS:
                raise InvalidInputError(
                    f"The picture has {image.width} × {image.height} pixels.", f"At most {MOST_PIXELS:,} are taken."
                )
            return image.convert("RGB")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise InvalidInputError(f"The picture can't be read: {error}.", "Give a whole PNG, JPEG or WebP.") from error


def _colour(data: bytes) -> str:
    """The nearest of a few colours that have a name."""
    average = decoded(data).resize((1, 1)).getpixel((0, 0))
    assert isinstance(average, tuple)
    named = {
        "red": (255, 0, 0),
        "green": (0, 255, 0),
        "blue": (0, 0, 255),
        "black": (0, 0, 0),
        "white": (255, 255, 255),
    }
    return min(named, key=lambda name: sum((a - b) ** 2 for a, b in zip(average, named[name], strict=True)))
