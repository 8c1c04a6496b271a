"""An orchestrator's parts behind a tape: stores, models and folders answer from a recording, on virtual time."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine, Sequence
from typing import TYPE_CHECKING, Any, Final

import anyio.to_thread

from memory.vector import SparseVector
from replay.taped_sources import TapedCatalogue, TapedStatements, TapedVocabulary
from replay.taped_stores import TapedGraph, TapedVectors
from wiring.opening import Parts

if TYPE_CHECKING:
    import numpy as np
    from anyio import CapacityLimiter
    from numpy.typing import NDArray

    from memory.embedders import DenseEmbedder, SparseEmbedder
    from memory.rerankers import Reranker
    from replay.tape import Tape

_PATIENCE: Final = 5.0
"""Real seconds that a worker thread is waited for before time passes all the same."""


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """Time passes only when nothing is left to do, and then at once. Work in anyio's worker threads takes none of it;
    work on the network is not for this loop.

    `anyio.run(main, backend_options={"loop_factory": VirtualTimeLoop})`; anyio's deadlines and sleeps follow it.
    """

    def __init__(self) -> None:
        self._passed = 0.0
        self._threads: CapacityLimiter | None = None
        self._started = False
        super().__init__(_JumpingSelector(self))

    def time(self) -> float:
        return self._passed

    def jump(self, seconds: float) -> None:
        self._passed += seconds

    @property
    def awaits_thread(self) -> bool:
        """Whether a worker thread is at work for somebody who waits for it."""
        return self._threads is not None and self._threads.borrowed_tokens > 0

    def create_task(self, coro: Any, **options: Any) -> asyncio.Task[Any]:
        if not self._started:  # anyio tells its threads only to a task
            self._started = True
            coro = self._knowing_threads(coro)
        return super().create_task(coro, **options)

    async def _knowing_threads(self, coro: Coroutine[Any, Any, Any]) -> Any:
        self._threads = anyio.to_thread.current_default_thread_limiter()
        return await coro


class _JumpingSelector(selectors.DefaultSelector):
    """Instead of waiting for a timer, it makes the time of the timer come; it waits only when there is none."""

    def __init__(self, loop: VirtualTimeLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, Any]]:
        ready = super().select(0 if timeout is not None else None)
        if not ready and timeout and self._loop.awaits_thread:
            ready = super().select(_PATIENCE)
        if not ready and timeout:
            self._loop.jump(timeout)
        return ready


def taped(tape: Tape, live: Parts | None = None, permission: frozenset[str] | None = None) -> Parts:
    """Parts that answer from the tape, from `live` what it lacks. permission: which projects exist, None for all."""
    return Parts(
        TapedCatalogue(tape, live.catalogue if live else None, permission),
        TapedVectors(tape, live.vectors if live else None),
        TapedGraph(tape, live.graph if live else None),
        TapedDense(tape, "dense", live.dense if live else None),
        _code(tape, live),
        TapedSparse(tape, live.sparse if live else None),
        TapedStatements(tape, live.statements if live else None),
        TapedVocabulary(tape, live.vocabulary if live else None),
        _reranker(tape, live),
    )


def _reranker(tape: Tape, live: Parts | None) -> TapedReranker | None:
    reranker = live.reranker if live else None
    if reranker is None and not tape.holds("reranker.model"):
        return None
    return TapedReranker(tape, reranker)


def _code(tape: Tape, live: Parts | None) -> TapedDense | None:
    """The embedder of code, where there was one of its own."""
    own = tape.look("code.own", bool, lambda: live is not None and live.code is not None)
    return TapedDense(tape, "code", live.code if live else None) if own else None


class TapedDense:
    """The embedder's port under a name of its own; `model` and `dimension` are recorded too."""

    def __init__(self, tape: Tape, name: str, live: DenseEmbedder | None) -> None:
        self._tape = tape
        self._name = name
        self._live: Any = live
        self.model = tape.look(f"{name}.model", str, lambda: self._live.model)
        self.dimension = tape.look(f"{name}.dimension", int, lambda: self._live.dimension)

    async def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return await self._embed("embed_documents", texts)

    async def embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return await self._embed("embed_queries", texts)

    async def _embed(self, method: str, texts: Sequence[str]) -> NDArray[np.float32]:
        async def fetch(_: list[int]) -> list[Any]:
            return [await getattr(self._live, method)(texts)]

        [vectors] = await self._tape.ask(f"{self._name}.{method}", [{"texts": list(texts)}], fetch)
        embedded: NDArray[np.float32] = vectors
        return embedded


class TapedSparse:
    """The sparse embedder's port."""

    def __init__(self, tape: Tape, live: SparseEmbedder | None) -> None:
        self._tape = tape
        self._live: Any = live
        self.model = tape.look("sparse.model", str, lambda: self._live.model)
        self.is_model = live is not None and live.is_model

    def embed_document(self, text: str) -> SparseVector:
        return self._tape.look("sparse.document", SparseVector, lambda: self._live.embed_document(text), text=text)

    def embed_query(self, text: str) -> SparseVector:
        return self._tape.look("sparse.query", SparseVector, lambda: self._live.embed_query(text), text=text)

    def terms(self, text: str) -> dict[str, int]:
        return self._tape.look("sparse.terms", dict[str, int], lambda: self._live.terms(text), text=text)


class TapedReranker:
    """The reranker's port."""

    def __init__(self, tape: Tape, live: Reranker | None) -> None:
        self._tape = tape
        self._live: Any = live
        self.model = tape.look("reranker.model", str, lambda: self._live.model)

    async def rerank(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        async def fetch(_: list[int]) -> list[Any]:
            return [list(await self._live.rerank(query, texts))]

        [scores] = await self._tape.ask("reranker.rerank", [{"query": query, "texts": list(texts)}], fetch)
        ranked: Sequence[float] = scores
        return ranked
