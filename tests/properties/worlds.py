"""Indexes of random organisations, opened once and asked often: with everybody in them, or the permitted alone."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import anyio
from anyio.from_thread import BlockingPortal

from agents.evidence import EvidenceRetriever
from indexing import IndexRequest
from interfaces.mcp.index import Opened
from memory.embedders import Bm25Sparse, FakeDenseEmbedder
from memory.entities import Scope
from memory.errors import UserError
from memory.generation import DataFolder, Generation, Manifest
from orchestrator import HybridRetrievalOrchestrator
from tests.organisation import FiledStores, PreparedStores, differences, indexer, plain, write
from tests.properties.organisations import PROJECTS, organisation
from tests.properties.questions import SETTINGS, Asked
from tests.properties.recording import Recorded
from wiring.evidence import evidence_retriever
from wiring.opening import Parts

STORES: Mapping[str, Any] = {"fakes": FiledStores(), "engines": PreparedStores()}


@dataclass
class World:
    """One index, its stores open behind their witnesses.

    data: its folder, where the commands can open it; servers: the MCP server of each permission, 25 ms each to build.
    """

    generation: Generation
    vectors: Recorded
    graph: Recorded
    portal: BlockingPortal
    closing: ExitStack
    data: Path | None = None
    dense: FakeDenseEmbedder = field(default_factory=FakeDenseEmbedder)
    orchestrators: dict[tuple[str, str], HybridRetrievalOrchestrator] = field(default_factory=dict)
    servers: dict[frozenset[str], Any] = field(default_factory=dict)

    def orchestrator(self, scope: tuple[str, str]) -> HybridRetrievalOrchestrator:
        """The one with this mode and strength of the scope."""
        if scope not in self.orchestrators:
            settings = SETTINGS.with_scope(*scope)
            self.orchestrators[scope] = HybridRetrievalOrchestrator.of(self.parts, settings, wait_for_mays=True)
        return self.orchestrators[scope]

    @cached_property
    def parts(self) -> Parts:
        """What is open."""
        vectors: Any = self.vectors  # which forward everything
        graph: Any = self.graph
        return Parts.of(self.generation, vectors, graph, self.dense, sparse=Bm25Sparse())

    @cached_property
    def retriever(self) -> EvidenceRetriever:
        """Of evidence, which remembers packs."""
        return evidence_retriever(
            self.manifest(),
            "one generation",
            self.parts.vectors,
            self.dense,
            SETTINGS,
            statements=self.parts.statements,
            vocabulary=self.parts.vocabulary,
        )

    @cached_property
    def questions(self) -> Any:
        """What the MCP tools ask; open, since they follow its events."""
        opened = HybridRetrievalOrchestrator.of(self.parts, SETTINGS, wait_for_mays=True)
        self.closing.enter_context(self.portal.wrap_async_context_manager(opened))
        return Held(Opened(opened, self.parts.graph))

    @property
    def evidence(self) -> Any:
        """What they retrieve from."""
        return Held(self.retriever)

    def catalogue(self) -> Any:
        """Of the same, as the MCP tools take it."""
        return self.parts.catalogue

    def manifest(self) -> Manifest:
        """Of all that is indexed."""
        return self.generation.manifest

    async def ask(self, asked: Asked) -> Any:
        """The answer's JSON without what differs each time, or the error that the caller meets."""
        self.vectors.calls.clear()
        self.graph.calls.clear()
        orchestrator = self.orchestrator(asked.scope)
        try:
            if asked.within:
                scope = Scope(list(asked.within))
                result = await orchestrator.retrieve_with_scope(asked.query, scope, asked.context)
            else:
                result = await orchestrator.retrieve(asked.query, asked.context)
        except UserError as error:
            return {"error": type(error).__name__, "message": error.message, "hint": error.hint}
        return plain(result.to_dict())


@dataclass(frozen=True)
class Held:
    """Always open."""

    one: Any

    @asynccontextmanager
    async def use(self) -> AsyncIterator[Any]:
        yield self.one


_BUILDS = 3
_MOST_OPEN = 64
"""Ten thousand questions are asked of some two thousand indexes, 7 MB each while they are open."""


class Worlds:
    """Makes what is asked for; what was asked last stays open."""

    def __init__(self, portal: BlockingPortal, root: Path) -> None:
        self.portal = portal
        self._root = root
        self._open: dict[tuple[str, int, frozenset[str], int], World] = {}

    def of(self, asked: Asked, projects: Iterable[str], build: int = 0) -> World:
        """An index of these projects of the organisation. build: which of several that were made alike."""
        key = (asked.stores, asked.seed, frozenset(projects), build)
        world = self._open.pop(key, None) or self.portal.call(partial(self._make, *key))
        self._open[key] = world
        if len(self._open) > _MOST_OPEN:
            self._open.pop(next(iter(self._open))).closing.close()
        return world

    def differences(self, asked: Asked, see: Callable[[World], Any]) -> list[str]:
        """Where what is seen in an index of everybody is not what is seen in one of the permitted alone.

        Two builds of one index may differ in the last bits of a score, and so in which of two equals comes first: what
        one of three builds shows is shown by none of the forbidden.
        """
        seen = see(self.of(asked, PROJECTS))
        for build in range(_BUILDS):
            found = differences(see(self.of(asked, asked.allowed, build)), seen)
            if not found:
                break
        return found

    def ask(self, asked: Asked, projects: Iterable[str]) -> tuple[Any, World]:
        """The outcome in an index of these projects of the organisation, and that index."""
        world = self.of(asked, projects)
        return self.portal.call(world.ask, asked), world

    def ask_at_once(self, some: Sequence[Asked], projects: Iterable[str]) -> list[Any]:
        """The outcomes of questions that are asked of one such index at the same time, in their order."""
        return self.portal.call(self._at_once, self.of(some[0], projects), some)

    async def _at_once(self, world: World, some: Sequence[Asked]) -> list[Any]:
        found: dict[int, Any] = {}

        async def one(place: int, asked: Asked) -> None:
            found[place] = await world.ask(asked)

        async with anyio.create_task_group() as group:
            for place, asked in enumerate(some):
                group.start_soon(one, place, asked)
        return [found[place] for place in range(len(some))]

    def close(self) -> None:
        for world in self._open.values():
            world.closing.close()

    async def _make(self, kind: str, seed: int, projects: frozenset[str], build: int) -> World:
        org = self._root / f"org-{seed}"
        if not org.exists():
            write(org, organisation(seed))
        data = self._root / f"{kind}-{seed}-{'-'.join(sorted(projects))}-{build}"
        stores = STORES[kind]
        if not data.exists():
            made = indexer(data, stores=stores)
            await made.run(IndexRequest([org / name for name in sorted(projects)]), holder="a test")
        folder, closing = DataFolder.open(data), ExitStack()
        generation = closing.enter_context(folder.reading())
        vectors = stores.open_vectors(str(generation.vectors_path), {}, folder.namespace, copied=True)
        graph = stores.open_graph(str(generation.graph_path), folder.namespace, copied=True)
        closing.callback(self.portal.call, vectors.close)
        closing.callback(self.portal.call, graph.close)
        own = data if kind == "engines" else None
        return World(generation, Recorded(vectors), Recorded(graph), self.portal, closing, own)
