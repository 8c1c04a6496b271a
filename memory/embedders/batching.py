"""Queries that wait at the same time share one call of the model, and the last ones are remembered.

See docs/design.md#models.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

import anyio
import anyio.lowlevel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class QueryBatcher:
    """Vectors of texts through as few calls as possible.

    There is no task in the background: whoever comes when no call is under way leads the next one and takes along what
    the others wait for. A leader that is cancelled hands over; one whose call fails raises, and the others try again.
    """

    def __init__(
        self,
        encode: Callable[[Sequence[str]], Awaitable[NDArray[np.float32]]],
        dimension: int,
        *,
        remembered: int = 1024,
        largest: int = 32,
    ) -> None:
        self._encode = encode
        self._dimension = dimension
        self._remembered = remembered
        self._largest = largest
        self._memory: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self._waiting: dict[str, int] = {}  # text -> how many wait for it, in the order they came
        self._given: dict[str, NDArray[np.float32]] = {}  # what a call brought for who still waits for it
        self._turn: anyio.Event | None = None  # set when the call under way has ended

    async def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One vector a text, in their order, shape (texts, dimension). Raises what the model raises."""
        import numpy as np  # noqa: PLC0415 - a third of a second that --help need not pay

        found: dict[str, NDArray[np.float32]] = {}
        wanted = list(dict.fromkeys(texts))
        for text in wanted:
            self._waiting[text] = self._waiting.get(text, 0) + 1
        try:
            while True:
                lacking = [text for text in wanted if text not in found]
                found |= {text: vector for text in lacking if (vector := self._recall(text)) is not None}
                lacking = [text for text in lacking if text not in found]
                if not lacking:
                    vectors = [found[text] for text in texts]
                    return np.stack(vectors) if vectors else np.empty((0, self._dimension), dtype=np.float32)
                if self._turn is None:
                    found |= await self._lead(lacking)
                else:
                    await self._turn.wait()
        finally:
            for text in wanted:
                self._waiting[text] -= 1
                if not self._waiting[text]:
                    del self._waiting[text]
                    self._given.pop(text, None)

    async def _lead(self, own: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        self._turn = turn = anyio.Event()
        try:
            await anyio.lowlevel.checkpoint()  # whoever starts together with the leader gets in too
            others = [text for text in self._waiting if text not in own and self._recall(text) is None]
            batch = [*own, *others[: max(0, self._largest - len(own))]]
            vectors = dict(zip(batch, await self._encode(batch), strict=True))
            for text, vector in vectors.items():
                self._remember(text, vector)
            self._given |= vectors
            return vectors
        finally:
            self._turn = None
            turn.set()

    def _recall(self, text: str) -> NDArray[np.float32] | None:
        if text in self._given:
            return self._given[text]
        if text in self._memory:
            self._memory.move_to_end(text)
        return self._memory.get(text)

    def _remember(self, text: str, vector: NDArray[np.float32]) -> None:
        self._memory[text] = vector
        while len(self._memory) > self._remembered:
            self._memory.popitem(last=False)
