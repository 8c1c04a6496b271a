"""`ClusterWorkers`: texts are embedded by tasks on a Ray cluster; the process that runs them keeps the model for the
next.

They are no Ray actors, though an actor holds a model too: an actor keeps its core while others read, and what waits for
one that was lost with its node waits until there is room for another. A task goes to whatever core is free.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Self

import anyio.to_thread

from memory.embedders.local import Encode, EncoderSource, encode_each
from memory.together import together

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memory.cluster import Cluster
    from memory.embedders.workers import Keep, Piece

_BATCH_CHARS = 40_000
"""So much text is a task: 10,000 tokens, a second or two of a small model. What comes back is one transaction."""


class ClusterWorkers:
    """Embeds on a cluster whatever comes, if little: the driver needs no model. Its files are at one path on all."""

    count = 1

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    async def __aenter__(self) -> Self:
        await self._cluster.join()
        return self

    async def __aexit__(self, *_: object) -> None:
        """The cluster stays, with the models it has loaded."""

    def have(self, source: EncoderSource) -> bool:  # noqa: ARG002 - the port's
        """A cluster is as good as started with any."""
        return True

    async def loaded(self, source: EncoderSource) -> Encode:
        """Nothing is embedded in this process but where there is no cluster."""
        return await anyio.to_thread.run_sync(source.load)

    async def start(self, source: EncoderSource) -> None:
        """A model is loaded with the first texts."""

    async def embed(self, pieces: deque[Piece], source: EncoderSource, keep: Keep) -> None:
        """Take pieces until none is left, and keep the vectors as they come. Raises ModelError, UnavailableError."""
        at_once = min(self._cluster.at_once, len(pieces))
        left = sum(map(_chars, pieces))

        async def work() -> None:
            nonlocal left
            while pieces:
                batch = _batch(pieces, min(left // at_once, _BATCH_CHARS))
                left -= _chars(batch)
                keep(list(batch), await self._cluster.call(_embedded, source, list(batch.values())))

        await together([work] * at_once)


def _batch(pieces: deque[Piece], chars: int) -> dict[str, str]:
    """The next pieces that have so many characters together, at least one."""
    batch = dict(pieces.popleft())
    left = chars - _chars(batch)
    while pieces and (left := left - _chars(pieces[0])) >= 0:
        batch |= pieces.popleft()
    return batch


def _chars(piece: Piece) -> int:
    return sum(map(len, piece.values()))


def _embedded(source: EncoderSource, texts: Sequence[str]) -> NDArray[np.float32]:
    """Run on a node."""
    return encode_each(_loaded(source), texts, source.dimension)  # type: ignore[arg-type]  # what is small can be hashed


@lru_cache(maxsize=2)  # of documents and of code
def _loaded(source: EncoderSource) -> Encode:
    return source.load()
