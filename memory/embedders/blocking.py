"""Where a sparse embedder's call runs: a model takes its time, so a thread; counting words is done sooner than handed over."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import anyio.to_thread

if TYPE_CHECKING:
    from memory.embedders.port import SparseEmbedder

__all__ = ["without_blocking"]

T = TypeVar("T")


async def without_blocking(sparse: SparseEmbedder, call: Callable[[], T]) -> T:
    """What `call` returns, which asks `sparse`. Raises what it raises."""
    return await anyio.to_thread.run_sync(call, abandon_on_cancel=True) if sparse.is_model else call()
