"""`KeptVectors`: one run of bulk embedding, its vectors so far: from the cache, or made and put there piece by piece."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memory.embedders.cache import EmbeddingCache

__all__ = ["KeptVectors"]


class KeptVectors:
    """Vectors by key. `progress(done, total)` counts texts, equal ones each."""

    def __init__(
        self,
        keys: Sequence[str],
        model: str,
        dimension: int,
        *,
        cache: EmbeddingCache | None,
        progress: Callable[[int, int], None] | None,
    ) -> None:
        self._keys = keys
        self._model = model
        self._dimension = dimension
        self._cache = cache
        self._progress = progress
        self._copies = Counter(keys)
        known = cache.get(model, self._copies) if cache is not None else {}
        self._vectors = {key: vector for key, vector in known.items() if len(vector) == dimension}
        self._done = sum(self._copies[key] for key in self._vectors)
        self._tell()

    @property
    def lacking(self) -> list[str]:
        """The keys without a vector, each once."""
        return [key for key in self._copies if key not in self._vectors]

    def keep(self, keys: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Take these in; one that is there already stays."""
        fresh = {key: vector for key, vector in zip(keys, vectors, strict=True) if key not in self._vectors}
        self._vectors |= fresh
        if self._cache is not None:
            self._cache.put(self._model, fresh)
        self._done += sum(self._copies[key] for key in fresh)
        self._tell()

    def all(self) -> NDArray[np.float32]:
        """One vector a key, in the order they were given, shape (keys, dimension)."""
        import numpy as np  # noqa: PLC0415 - a third of a second that --help need not pay

        if not self._keys:
            return np.empty((0, self._dimension), dtype=np.float32)
        return np.stack([self._vectors[key] for key in self._keys])

    def _tell(self) -> None:
        if self._progress is not None:
            self._progress(self._done, len(self._keys))
