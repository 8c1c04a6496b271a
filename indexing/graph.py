"""The graph of a generation in the making: what a change may have touched is resolved anew, all else stays as it is.

Where everything is written, it is in parts, so that neither all facts nor all edges are in memory at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import (
    AsyncGenerator,
    AsyncIterator,
    Awaitable,
    Callable,
    Collection,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial

import anyio.to_thread

from extraction.facts import FileFacts
from indexing.ports import StageStores
from indexing.resolution import Extent, KnownProject, Reach, extent_of, join, needed_by
from memory.entities import Relationship
from memory.generation import FactsFolder, ProjectFacts, ProjectRecord, RawFacts, Stage
from memory.graph.port import GraphBatch, GraphStore
from memory.together import ahead, lots

_FACTS_A_PART = 1_000_000
_PARTS_AHEAD = 8  # each some ten megabytes, until what is before it is written


@dataclass(frozen=True, slots=True)
class Written:
    """What became of the graph: how many entities and relations each project has of which they were counted anew.
    by_names: the confirmed relations among them that no rule found, but a name at both ends.
    """

    entities: Mapping[str, int]
    relations: Mapping[str, int]
    by_names: Mapping[str, int]


class GraphWriter:
    """Writes a stage's graph.

    kept: the facts of the generation before it; state: is handed each project whose relations were resolved anew, with
    them; facts_a_part: how many bytes of facts are resolved at once where everything is; call: where that is done, so
    many `at_once`, at most eight.
    """

    def __init__(
        self,
        stores: StageStores,
        kept: FactsFolder,
        namespace: str,
        *,
        state: Callable[[str, Sequence[Relationship]], None] = lambda _project, _relations: None,
        facts_a_part: int = _FACTS_A_PART,
        call: Callable[..., Awaitable[GraphBatch]] = anyio.to_thread.run_sync,
        at_once: int = 1,
    ) -> None:
        self._stores = stores
        self._kept = kept
        self._namespace = namespace
        self._state = state
        self._facts_a_part = facts_a_part
        self._call = call
        self._at_once = min(at_once, _PARTS_AHEAD)
        self._resolved: dict[Extent, GraphBatch] = {}  # what `resolve` resolved

    def resolve(self, known: KnownProject, before: Collection[str], gone: frozenset[str]) -> Sequence[Relationship]:
        """The relations of the one project that changed, among others. What is resolved for them is what `update`
        writes.

        before, gone: as `update` has them. Raises DataFolderError where what is known of a project is damaged.
        """
        name = known.modules.name
        now = _Known(dict.fromkeys({*before} - gone | {name}, self._kept), {name: known})
        extent = _extent(now, _Known(dict.fromkeys(before, self._kept)), gone | {name})
        if extent.sources != {name} and len(extent.sources) == len(now.folders):
            extent = Extent(frozenset({name}), frozenset({name}))  # all is written, in parts
        self._resolved[extent] = self._joined(now, extent)
        return self._resolved[extent].relationships

    async def update(
        self, stage: Stage, before: Mapping[str, ProjectRecord], gone: frozenset[str], changed: frozenset[str]
    ) -> Written:
        """before: every project of the generation before; gone: those that are no more, or begin anew; changed: those
        whose facts the stage remembers.

        Where the store has nothing to start from, or where everything may have changed, all is written. Raises
        StoreError, and DataFolderError where what is known of a project is damaged.
        """
        graph = self._stores.open_graph(str(stage.graph_path), self._namespace, copied=stage.copied)
        now = _Known(dict.fromkeys(before.keys() - gone, self._kept) | dict.fromkeys(changed, stage.facts))
        try:
            return await self._update(graph, now, _Known(dict.fromkeys(before, self._kept)), gone | changed)
        finally:
            await graph.close()

    async def _update(self, graph: GraphStore, now: _Known, before: _Known, touched: frozenset[str]) -> Written:
        extent, counted = _extent(now, before, touched), _Counted()
        if len(extent.sources) == len(now.folders) or await graph.is_empty():
            await self._replace(graph, now, counted)
            return counted.of(now.folders, now.folders)
        if not touched:
            return counted.of((), ())
        batch = self._joined(now, extent)
        anew = [entity for entity in batch.entities if entity.project in touched]
        staying = [entity for entity in batch.entities if entity.project not in touched]
        update = counted.one(GraphBatch(anew, batch.relationships, staying))
        self._state_all(batch, extent.sources)
        await graph.update(update, projects=touched, sources=extent.sources | touched)
        return counted.of(touched, extent.sources)

    async def _replace(self, graph: GraphStore, now: _Known, counted: _Counted) -> None:
        """The whole graph, some projects at a time; so many parts are resolved at once."""
        groups, reaches = list(now.grouped(self._facts_a_part)), now.reaches
        works = [partial(self._part, now, Extent(group, needed_by(group, reaches))) for group in groups]
        async with ahead(works, self._at_once) as parts, aclosing(self._stated(parts, groups)) as stated:
            await graph.replace(counted.one(part) async for part in stated)

    async def _stated(
        self, parts: AsyncIterator[GraphBatch], groups: Iterable[frozenset[str]]
    ) -> AsyncGenerator[GraphBatch]:
        turns = iter(groups)
        async for part in parts:
            await anyio.to_thread.run_sync(self._state_all, part, next(turns))
            yield part

    async def _part(self, now: _Known, extent: Extent) -> GraphBatch:
        if resolved := self._resolved.get(extent):
            return resolved.portion(extent.sources)
        return await self._call(
            resolve_part, [now.folders[name].raw(name) for name in sorted(extent.needed)], extent.sources
        )

    def _joined(self, now: _Known, extent: Extent) -> GraphBatch:
        """The entities of the needed projects, and what starts in the sources among them."""
        return self._resolved.get(extent) or join(
            {name: now.project(name) for name in sorted(extent.needed)}, extent.sources
        )

    def _state_all(self, batch: GraphBatch, sources: Collection[str]) -> None:
        """Hand on the relations that start in each of these projects."""
        own: dict[str, list[Relationship]] = {name: [] for name in sorted(sources)}
        for relation in batch.relationships:
            if relation.source.project in own:
                own[relation.source.project].append(relation)
        for name, relations in own.items():
            self._state(name, relations)


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known of some projects. folders: where each one's facts are; at_hand: those that need not be read."""

    folders: Mapping[str, FactsFolder]
    at_hand: Mapping[str, KnownProject] = field(default_factory=dict)

    @property
    def reaches(self) -> dict[str, Reach]:
        return {name: self.reach(name) for name in sorted(self.folders)}

    def reach(self, name: str) -> Reach:
        """What one offers and asks; of one that is not known nothing."""
        if name in self.at_hand:
            return self.at_hand[name].reach
        return Reach.from_dict(self.folders[name].reach(name)) if name in self.folders else Reach()

    def project(self, name: str) -> KnownProject:
        return self.at_hand.get(name) or KnownProject(name, facts_of(self.folders[name], name))

    def grouped(self, size: int) -> Iterator[frozenset[str]]:
        """All of them in groups of so many bytes of facts."""
        return map(frozenset, lots(sorted(self.folders), lambda name: self.folders[name].size(name), size))


@dataclass(frozen=True, slots=True)
class _Counted:
    """Counts the entities and relations that pass, by project."""

    entities: Counter[str] = field(default_factory=Counter)
    relations: Counter[str] = field(default_factory=Counter)
    by_names: Counter[str] = field(default_factory=Counter)

    def one(self, batch: GraphBatch) -> GraphBatch:
        self.entities.update(entity.project for entity in batch.entities)
        self.relations.update(edge.project for edge in batch.relationships)
        confirmed = (edge for edge in batch.relationships if edge.status == "confirmed")
        self.by_names.update(edge.project for edge in confirmed if edge.is_by_names)
        return batch

    def of(self, entities: Collection[str], relations: Collection[str]) -> Written:
        """What became of these projects; none is a count too."""
        return Written(
            {name: self.entities[name] for name in entities},
            {name: self.relations[name] for name in relations},
            {name: self.by_names[name] for name in relations},
        )


def _extent(now: _Known, before: _Known, touched: Collection[str]) -> Extent:
    """How far a change of the touched projects goes."""
    return extent_of(now.reaches, {name: before.reach(name) for name in touched})


def resolve_part(known: Sequence[RawFacts], sources: frozenset[str]) -> GraphBatch:
    """The part of the graph that is of these sources and starts in them; a cluster runs it on a node."""
    projects = {one.project: KnownProject(one.project, _read(one)) for one in known}
    return join(projects, sources).portion(sources)


def facts_of(kept: FactsFolder, project: str) -> dict[str, FileFacts]:
    """What a project's files say. Raises DataFolderError where that is damaged."""
    return _read(kept.raw(project))


def _read(raw: RawFacts) -> dict[str, FileFacts]:
    return {path: FileFacts.from_dict(one) for path, one in raw.files().items()}


def recorded(known: KnownProject, digests: Mapping[str, str]) -> ProjectFacts:
    """What a project's files say, as a generation remembers it. digests: the digest of what is said of each file."""
    files = {path: one.to_dict() for path, one in known.modules.files.items()}
    return ProjectFacts(files, known.reach.to_dict(), digests)
