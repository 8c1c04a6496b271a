"""`Remembered`: the last so many results by key; whoever asks for what is being made waits for it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

import anyio

__all__ = ["Remembered"]

V = TypeVar("V")


class Remembered(Generic[V]):
    """A bounded memory. `hits` and `misses` count since it was made; with `largest` 0 nothing is kept."""

    def __init__(self, largest: int) -> None:
        self.hits = 0
        self.misses = 0
        self._largest = largest
        self._kept: OrderedDict[Hashable, V] = OrderedDict()
        self._under_way: dict[Hashable, anyio.Event] = {}

    @property
    def kept(self) -> int:
        """How many results are remembered now."""
        return len(self._kept)

    async def get(
        self, key: Hashable, make: Callable[[], Awaitable[V]], *, keep: Callable[[V], bool] = lambda _: True
    ) -> V:
        """What is remembered under `key`, else what `make` gives, remembered if `keep` says so.

        Raises what `make` raises; then whoever waited tries again.
        """
        while key not in self._kept and key in self._under_way:
            await self._under_way[key].wait()
        if key in self._kept:
            self.hits += 1
            self._kept.move_to_end(key)
            return self._kept[key]
        self.misses += 1
        self._under_way[key] = done = anyio.Event()
        try:
            value = await make()
            if keep(value):
                self._kept[key] = value
                while len(self._kept) > self._largest:
                    self._kept.popitem(last=False)
            return value
        finally:
            del self._under_way[key]
            done.set()
