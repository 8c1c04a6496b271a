"""Panics of native engines. An engine that is written in Rust ends a call that way when it meets what it holds impossible: a
damaged file, or a mistake of its own. pyo3 raises them as a `PanicException`, of which each engine has its own, and which is
no `Exception`.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memory.errors import HybridRetrievalError

__all__ = ["is_panic", "panics_as"]


def is_panic(error: BaseException) -> bool:
    """Whether an engine raised it instead of ending the process."""
    return type(error).__name__ == "PanicException" and type(error).__module__ == "pyo3_runtime"


@contextmanager
def panics_as(explained: Callable[[str], HybridRetrievalError]) -> Iterator[None]:
    """Around calls of an engine: a panic is raised as the error that `explained` makes of its text."""
    try:
        yield
    except BaseException as error:
        if is_panic(error):
            raise explained(f"the engine gave up, {error}") from error
        raise
