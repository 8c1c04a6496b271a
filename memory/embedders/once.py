"""`Once`: a model that is read when it is first needed, one time, and kept."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

__all__ = ["Once"]

T = TypeVar("T")


class Once(Generic[T]):
    """Calls `load` for the first who asks; whoever asks meanwhile waits, from any thread. What failed is tried again."""

    def __init__(self, load: Callable[[], T]) -> None:
        self._load = load
        self._loading = threading.Lock()  # an abandoned thread may still be at it
        self._loaded: T | None = None

    def __call__(self) -> T:
        """What was loaded. Raises what loading raises."""
        with self._loading:
            if self._loaded is None:
                self._loaded = self._load()
            return self._loaded
