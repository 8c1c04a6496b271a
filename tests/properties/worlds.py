"""Indexes of random organisations, opened once and asked often: with everybody in them, or the permitted alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from anyio.from_thread import BlockingPortal

from indexing import IndexRequest
from memory.embedders import FakeDenseEmbedder
from memory.entities import Scope
from memory.errors import UserError
from memory.generation import DataFolder, Generation
from orchestrator import HybridRetrievalOrchestrator
from orchestrator.opening import EmbeddedStores, assembled
from tests.organisation import CONFIG, FiledStores, indexer, plain, write
from tests.properties.organisations import organisation
from tests.properties.questions import Asked
from tests.properties.recording import Recorded

SETTINGS = replace(
    CONFIG,
    agent_timeout_ms=60_000,  # a busy machine changes no answer
    total_timeout_ms=120_000,
    vector=replace(CONFIG.vector, candidates=12),  # a small crowd is more than a leg brings back
)
STORES: Mapping[str, Any] = {"fakes": FiledStores(), "engines": EmbeddedStores()}


@dataclass
class World:
    """One index, its stores open behind their witnesses."""

    generation: Generation
    vectors: Recorded
    graph: Recorded
    dense: FakeDenseEmbedder = field(default_factory=FakeDenseEmbedder)
    orchestrators: dict[tuple[str, str], HybridRetrievalOrchestrator] = field(default_factory=dict)

    async def ask(self, asked: Asked) -> Any:
        """The answer's JSON without what differs each time, or the error that the caller meets."""
        self.vectors.calls.clear()
        self.graph.calls.clear()
        if asked.scope not in self.orchestrators:
            self.orchestrators[asked.scope] = assembled(
                self.generation,
                self.vectors,
                self.graph,
                self.dense,
                SETTINGS.with_scope(*asked.scope),
                wait_for_mays=True,
            )
        orchestrator = self.orchestrators[asked.scope]
        try:
            if asked.within:
                scope = Scope(list(asked.within))
                result = await orchestrator.retrieve_with_scope(asked.query, scope, asked.context)
            else:
                result = await orchestrator.retrieve(asked.query, asked.context)
        except UserError as error:
            return {"error": type(error).__name__, "message": error.message, "hint": error.hint}
        return plain(result.to_dict())


class Worlds:
    """Makes what is asked for and keeps it until it is closed."""

    def __init__(self, portal: BlockingPortal, root: Path) -> None:
        self._portal = portal
        self._root = root
        self._open: dict[tuple[str, int, frozenset[str]], World] = {}
        self._closing = ExitStack()

    def ask(self, asked: Asked, projects: Iterable[str]) -> tuple[Any, World]:
        """The outcome in an index of these projects of the organisation, and that index."""
        key = (asked.stores, asked.seed, frozenset(projects))
        if key not in self._open:
            self._open[key] = self._portal.call(partial(self._make, *key))
        return self._portal.call(self._open[key].ask, asked), self._open[key]

    def close(self) -> None:
        self._closing.close()

    async def _make(self, kind: str, seed: int, projects: frozenset[str]) -> World:
        org = self._root / f"org-{seed}"
        if not org.exists():
            write(org, organisation(seed))
        data = self._root / f"{kind}-{seed}-{'-'.join(sorted(projects))}"
        stores = STORES[kind]
        made = indexer(data, stores=stores)
        await made.run(IndexRequest([org / name for name in sorted(projects)]), holder="a test")
        folder = DataFolder.open(data)
        generation = self._closing.enter_context(folder.reading())
        vectors = stores.open_vectors(str(generation.vectors_path), {}, folder.namespace, copied=True)
        graph = stores.open_graph(str(generation.graph_path), folder.namespace, copied=True)
        self._closing.callback(self._portal.call, vectors.close)
        self._closing.callback(self._portal.call, graph.close)
        return World(generation, Recorded(vectors), Recorded(graph))
