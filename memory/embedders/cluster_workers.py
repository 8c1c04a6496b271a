"""`ClusterWorkers`: texts are embedded by tasks on a Ray cluster; the process that runs them keeps the model for the next.

They are no Ray actors, though an actor holds a model too: an actor keeps its core while others read, and what waits for
one that was lost with its node waits until there is room for another. A task goes to whatever core is free.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Self

from memory.embedders.local import encode_each
from memory.together import together

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memory.cluster import Cluster
    from memory.embedders.local import Encode, EncoderSource
    from memory.embedders.workers import Keep, Piece

__all__ = ["ClusterWorkers"]


class ClusterWorkers:
    """Embeds on a cluster whatever comes, be it little: the driver needs no model. Its files are at the same path on every node."""

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

    async def start(self, source: EncoderSource) -> None:
        """A model is loaded with the first texts."""

    async def embed(self, pieces: deque[Piece], source: EncoderSource, keep: Keep) -> None:
        """Take pieces until none is left, and keep their vectors as they come. Raises ModelError and UnavailableError."""

        async def work() -> None:
            while pieces:
                piece = pieces.popleft()
                keep(list(piece), await self._cluster.call(_embedded, source, list(piece.values())))

        await together([work] * min(self._cluster.at_once, len(pieces)))


def _embedded(source: EncoderSource, texts: Sequence[str]) -> NDArray[np.float32]:
    """Run on a node."""
    return encode_each(_loaded(source), texts, source.dimension)  # type: ignore[arg-type]  # what is small can be hashed


@lru_cache(maxsize=2)  # of documents and of code
def _loaded(source: EncoderSource) -> Encode:
    return source.load()
