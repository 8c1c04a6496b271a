"""The graph of a generation in the making: what a change may have touched is resolved anew, all else stays as it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from indexing.facts import FileFacts
from indexing.ports import StageStores
from indexing.resolution import KnownProject, Reach, extent_of, join
from memory.generation import FactsFolder, ProjectFacts, ProjectRecord, Stage
from memory.graph.port import GraphBatch, GraphStore

__all__ = ["Facts", "GraphWriter", "Written", "facts_of"]

Facts = Mapping[str, Mapping[str, FileFacts]]


@dataclass(frozen=True, slots=True)
class Written:
    """What became of the graph. entities, relations: of each project of which they were counted anew; facts: of those that
    changed, for the generation.
    """

    entities: Mapping[str, int]
    relations: Mapping[str, int]
    facts: Mapping[str, ProjectFacts]


class GraphWriter:
    """Writes a stage's graph. kept: the facts of the generation before it."""

    def __init__(self, stores: StageStores, kept: FactsFolder, namespace: str) -> None:
        self._stores = stores
        self._kept = kept
        self._namespace = namespace

    async def update(
        self, stage: Stage, before: Mapping[str, ProjectRecord], gone: frozenset[str], changed: Facts
    ) -> Written:
        """before: every project of the generation before; gone: those that are no more, or begin anew.

        Where the store has nothing to start from, or where everything may have changed, all is written. Raises StoreError,
        and DataFolderError where what is known of a project is damaged.
        """
        graph = self._stores.open_graph(str(stage.graph_path), self._namespace, copied=stage.copied)
        try:
            return await self._update(graph, before, gone, changed)
        finally:
            await graph.close()

    async def _update(
        self, graph: GraphStore, before: Mapping[str, ProjectRecord], gone: frozenset[str], changed: Facts
    ) -> Written:
        known = {name: KnownProject(name, files) for name, files in changed.items()}
        reaches = {name: Reach.from_dict(self._kept.reach(name)) for name in before}
        now = {name: reach for name, reach in reaches.items() if name not in gone}
        now |= {name: project.reach for name, project in known.items()}
        touched = gone | changed.keys()
        extent = extent_of(now, {name: reaches.get(name, Reach()) for name in touched})
        sources, needed, entities_of = extent.sources, extent.needed, touched
        whole = len(sources) == len(now) or await graph.is_empty()
        if whole:
            sources = needed = entities_of = frozenset(now)
        known |= {name: KnownProject(name, facts_of(self._kept, name)) for name in sorted(needed - changed.keys())}
        batch = join({name: known[name] for name in needed}, sources)
        if whole:
            await graph.replace(batch)
        else:
            anew = [entity for entity in batch.entities if entity.project in touched]
            update = GraphBatch(anew, batch.relationships, batch.mentions)
            await graph.update(update, projects=touched, sources=sources | gone)
        entities = Counter(entity.project for entity in batch.entities)
        relations = Counter(edge.project for edge in batch.relationships)
        return Written(
            {name: entities[name] for name in entities_of},
            {name: relations[name] for name in sources},
            {name: _recorded(files, now[name]) for name, files in changed.items()},
        )


def facts_of(kept: FactsFolder, project: str) -> dict[str, FileFacts]:
    """What a project's files say. Raises DataFolderError where that is damaged."""
    return {path: FileFacts.from_dict(one) for path, one in kept.files(project).items()}


def _recorded(files: Mapping[str, FileFacts], reach: Reach) -> ProjectFacts:
    return ProjectFacts({path: one.to_dict() for path, one in files.items()}, reach.to_dict())
