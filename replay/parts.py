"""The parts of an orchestrator behind a tape: stores, models and folders that answer from a recording."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from replay.taped_sources import TapedCatalogue, TapedStatements, TapedVocabulary
from replay.taped_stores import TapedGraph, TapedVectors
from wiring.opening import Parts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memory.embedders import DenseEmbedder, SparseEmbedder
    from memory.rerankers.port import Reranker
    from memory.vector import SparseVector
    from replay.tape import Tape

__all__ = ["taped"]


def taped(tape: Tape, live: Parts | None = None, permission: frozenset[str] | None = None) -> Parts:
    """Parts that answer from the tape, and from `live` what it lacks. permission: which projects exist, None for all."""
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
    """The reranker, where there was one."""
    reranker = live.reranker if live else None
    if reranker is None and not tape.holds("reranker.model"):
        return None
    return TapedReranker(tape, reranker)


def _code(tape: Tape, live: Parts | None) -> TapedDense | None:
    """The embedder of code, where there was one of its own."""
    own = tape.look("code.own", lambda: live is not None and live.code is not None)
    return TapedDense(tape, "code", live.code if live else None) if own else None


class TapedDense:
    """The embedder's port under a name of its own; `model` and `dimension` are recorded too."""

    def __init__(self, tape: Tape, name: str, live: DenseEmbedder | None) -> None:
        self._tape = tape
        self._name = name
        self._live: Any = live
        self.model = str(tape.look(f"{name}.model", lambda: self._live.model))
        self.dimension = int(tape.look(f"{name}.dimension", lambda: self._live.dimension))

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
        self.model = str(tape.look("sparse.model", lambda: self._live.model))
        self.is_model = live is not None and live.is_model

    def embed_document(self, text: str) -> SparseVector:
        vector: SparseVector = self._tape.look("sparse.document", lambda: self._live.embed_document(text), text=text)
        return vector

    def embed_query(self, text: str) -> SparseVector:
        vector: SparseVector = self._tape.look("sparse.query", lambda: self._live.embed_query(text), text=text)
        return vector

    def terms(self, text: str) -> dict[str, int]:
        terms: dict[str, int] = self._tape.look("sparse.terms", lambda: self._live.terms(text), text=text)
        return terms


class TapedReranker:
    """The reranker's port."""

    def __init__(self, tape: Tape, live: Reranker | None) -> None:
        self._tape = tape
        self._live: Any = live
        self.model = str(tape.look("reranker.model", lambda: self._live.model))

    async def rerank(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        async def fetch(_: list[int]) -> list[Any]:
            return [list(await self._live.rerank(query, texts))]

        [scores] = await self._tape.ask("reranker.rerank", [{"query": query, "texts": list(texts)}], fetch)
        ranked: Sequence[float] = scores
        return ranked
