"""What reading a model by fastembed takes, whichever of its classes reads it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

from memory.attempt import panics_as
from memory.embedders.model_files import check_files
from memory.errors import ModelError
from memory.extras import brought_by

__all__ = ["Once", "cut_at", "loading"]


@contextmanager
def loading(what: str, hint: str, folder: str | None = None) -> Iterator[None]:
    """Around the reading of `what`, whose files in `folder` are checked first:
    whatever goes wrong is a ModelError with this hint.
    """
    if folder:
        check_files(folder)
    try:
        with (
            brought_by("fastembed", f"The {what}", ModelError),
            panics_as(lambda panic: ModelError(f"The {what} can't be loaded: {panic}.", hint)),
        ):
            yield
    except ModelError:
        raise
    except Exception as error:  # an unknown name, no network, a broken file: whatever its libraries raise
        raise ModelError(f"The {what} can't be loaded: {error}.", hint) from error


def cut_at(tokenizer: Any, most: int) -> None:
    """Read no more than `most` tokens of a text; a model that reads fewer stays as it is."""
    if tokenizer.truncation["max_length"] > most:
        tokenizer.enable_truncation(max_length=most)


T = TypeVar("T")


class Once(Generic[T]):
    """Calls `load` for the first who asks; whoever asks meanwhile waits, from any thread.
    What failed is tried again.
    """

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
