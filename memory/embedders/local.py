"""`LocalDense`: a model in this process behind the port. It loads once, off the event loop, and never blocks it.
`WordsOnly` stands in its place where it can't be had, so that words and relations alone are searched.
"""

from __future__ import annotations

import atexit
import contextlib
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

import anyio.to_thread

from memory.embedders.batching import QueryBatcher
from memory.errors import ModelError, NoModelError
from memory.imports import install

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_LONGEST_EXIT: Final = 10.0
"""Seconds that the end of the process waits for a model that is being loaded."""

Encode: TypeAlias = "Callable[[Sequence[str]], NDArray[np.float32]]"


class EncoderSource(Protocol):
    """How a model is loaded, in this process or in a worker's: a small value that can be pickled."""

    @property
    def model(self) -> str:
        """The model's name."""
        ...

    @property
    def cache_key(self) -> str:
        """What its vectors are cached under: equal only for what gives equal vectors."""
        ...

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        ...

    def load(self) -> Encode:
        """Read the model: a function from texts to unit vectors, float32. Raises ModelError."""
        ...


class LocalDense:
    """A dense embedder on an `EncoderSource`.

    Documents are encoded one by one, so that a vector does not depend on what else is embedded; queries that wait at
    the same time share one call, and the last ones are kept.
    """

    def __init__(self, source: EncoderSource) -> None:
        self.model = source.model
        self.dimension = source.dimension
        self._source = source
        self._encode: Encode | None = None
        self._loading = threading.Lock()
        self._queries = QueryBatcher(self._in_thread, self.dimension)

    def load_ahead(self) -> None:
        """Begin to load in a thread, while the caller opens something else; errors are met by who needs the model.

        A process that ends meanwhile waits for it: onnxruntime aborts one that ends while it makes a session.
        """
        if self._encode is None:
            loading = threading.Thread(target=self._try_loading, daemon=True)
            with contextlib.suppress(RuntimeError):  # no more threads are allowed: then it is loaded when it is needed
                loading.start()
                atexit.register(loading.join, _LONGEST_EXIT)

    async def warm_up(self) -> None:
        """Load the model and run it once, before the clock starts. Raises ModelError."""
        await anyio.to_thread.run_sync(self._loaded, abandon_on_cancel=True)

    async def close(self) -> None:
        """There is nothing to let go of: the model goes with this object."""

    async def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return await anyio.to_thread.run_sync(
            lambda: encode_each(self._loaded(), texts, self.dimension), abandon_on_cancel=True
        )

    async def embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return await self._queries.vectors(texts)

    async def _in_thread(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return await anyio.to_thread.run_sync(lambda: self._loaded()(texts), abandon_on_cancel=True)

    def _try_loading(self) -> None:
        with contextlib.suppress(ModelError):
            self._loaded()

    def _loaded(self) -> Encode:
        with self._loading:  # an abandoned thread may still be at it
            if self._encode is None:
                encode = self._source.load()
                encode(["warm-up"])  # the first run of a model takes several times as long
                self._encode = encode
            return self._encode


def encode_each(encode: Encode, texts: Sequence[str], dimension: int) -> NDArray[np.float32]:
    """Vectors of texts, each encoded alone; shape (texts, dimension). Raises ModelError for what is no vector."""
    import numpy as np  # noqa: PLC0415 - a third of a second that --help need not pay

    vectors = np.empty((len(texts), dimension), dtype=np.float32)
    for number, text in enumerate(texts):
        given = encode([text])
        try:
            vectors[number] = given[0]
        except (IndexError, TypeError, ValueError) as error:
            raise ModelError(f"The model gave no vector of {dimension} numbers: {error}.") from error
    return vectors


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
