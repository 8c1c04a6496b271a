"""Who reads and embeds for an indexer: for one run, or from run to run while one stays."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TypeAlias

from configs.settings import IndexingSettings
from indexing.isolation import Readers
from indexing.ports import IndexingParts
from memory.embedders import EmbeddingWorkers

__all__ = ["Hands"]

_Both: TypeAlias = "tuple[EmbeddingWorkers, Readers]"


class Hands:
    """The workers and the readers of an indexer. Within `staying` a run finds those of the one before,
    with what they have loaded.
    """

    def __init__(self, parts: IndexingParts, settings: IndexingSettings) -> None:
        self._parts = parts
        self._settings = settings
        self._staying: AsyncExitStack | None = None
        self._there: tuple[str, _Both] | None = None

    @asynccontextmanager
    async def staying(self) -> AsyncIterator[None]:
        """What the runs of this block start ends with the block."""
        async with AsyncExitStack() as stack:
            self._staying = stack
            try:
                yield
            finally:
                self._staying = self._there = None

    @asynccontextmanager
    async def of_run(self, recipe: str) -> AsyncIterator[_Both]:
        """Those of one run. recipe: what the index is made with; where it changed they begin anew, since a reader knows
        the rules that it began with.
        """
        async with AsyncExitStack() as own:
            if self._staying is None:
                yield await self._started(own)
                return
            if self._there is None or self._there[0] != recipe:
                self._there = None
                await self._staying.aclose()
                self._there = recipe, await self._started(self._staying)
            yield self._there[1]

    async def _started(self, stack: AsyncExitStack) -> _Both:
        workers = await stack.enter_async_context(self._parts.workers(self._settings.workers))
        return workers, await stack.enter_async_context(self._parts.readers(self._settings))
