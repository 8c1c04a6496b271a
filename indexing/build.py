"""One run of the indexer: the projects' changes into a new generation of both stores, published at once (design §5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import anyio.to_thread

from configs.settings import HybridRetrievalConfig
from indexing.facts import EXTRACTION, FileFacts
from indexing.points import dense_field, embedded_text
from indexing.project import ProjectUpdate, read_project, unchanged
from indexing.report import IndexReport, ProjectReport
from indexing.resolution import resolve
from indexing.rules import RULES
from indexing.rules.custom import load_rules, rules_hash
from indexing.sources import IndexRequest, Source, Sources, find_sources
from memory.embedders import EmbeddingCache, EncoderSource, SparseEmbedder, embed_bulk
from memory.errors import DataFolderError
from memory.generation import DataFolder, Manifest, ProjectRecord, Stage
from memory.graph.port import GraphBatch, GraphStore
from memory.vector.port import DENSE_CODE, DENSE_DOCS, Chunk, Point, VectorStore

__all__ = ["FiledGraphs", "GraphKeeper", "Indexer", "IndexingParts", "StageStores"]

_UPSERT = 256
_OWN_RULES = ", own rules "

Facts = dict[str, dict[str, FileFacts]]
Progress = Callable[[str, int, int], None]


class StageStores(Protocol):
    """Opens the stores of a generation in the making; `copied` says whether they are there already."""

    def open_vectors(self, path: str, vectors: Mapping[str, int], namespace: str, *, copied: bool) -> VectorStore:
        """The vector store at `path`, created with these named vectors where it is new."""
        ...

    def open_graph(self, path: str, namespace: str, *, copied: bool) -> GraphStore:
        """The graph store at `path`."""
        ...


class GraphKeeper(Protocol):
    """Where the generations' graphs are kept, if that is not their own folder (decision record 0014)."""

    async def holds(self, graph_path: Path) -> bool:
        """Whether the graph that belongs at this path is there. Raises StoreError when nobody can tell."""
        ...

    async def sweep(self, graph_path: Path) -> None:
        """Remove the graphs that neither this generation nor one beside it refers to."""
        ...


class FiledGraphs:
    """Each in its generation's folder, and gone with it."""

    async def holds(self, graph_path: Path) -> bool:
        """It may be missing where the index was made with another store."""
        return graph_path.exists()  # noqa: ASYNC240 - one look

    async def sweep(self, graph_path: Path) -> None:
        """Nothing is left of a folder that was removed."""


@dataclass(frozen=True, slots=True)
class IndexingParts:
    """What an indexer works with: the stores' doors and the models."""

    stores: StageStores
    dense: EncoderSource
    sparse: SparseEmbedder
    graphs: GraphKeeper = field(default_factory=FiledGraphs)


class Indexer:
    """Indexes into one data folder; one run at a time, readers never wait for it.

    embed_at_once: how many chunks are gathered before they are embedded and let go of.
    """

    def __init__(
        self,
        folder: DataFolder,
        parts: IndexingParts,
        config: HybridRetrievalConfig,
        *,
        profile: str,
        embed_at_once: int = 20_000,
    ) -> None:
        self._folder = folder
        self._parts = parts
        self._config = config
        self._profile = profile
        self._embed_at_once = embed_at_once

    async def run(self, request: IndexRequest, *, holder: str, progress: Progress | None = None) -> IndexReport:
        """Bring the index up to what is on the disk; an unchanged project is left as it is.

        Raises IndexLockedError, the UserErrors of the request, DataFolderError when the folder's index was made with
        another model or other settings, StorageFullError and ModelError; then the published generation is as it was.
        """
        with self._folder.indexing(holder) as session:
            current = session.current
            if current is not None:
                self._check(current)
            sources = find_sources(request, current, max_file_bytes=self._config.indexing.max_file_bytes)
            kept = [record for record in current.projects if record.name not in sources.gone] if current else []
            records = {record.name: record for record in kept}
            anew = current is not None and current.recipe != self._recipe()
            if anew:
                _check_whole(set(records) - {source.project.name for source in sources.present})
            read = partial(
                read_project,
                settings=self._config.indexing,
                rules=(*RULES, *load_rules(self._config.indexing.rules)),
                anew=anew,
            )
            changed = [s for s in sources.present if anew or not unchanged(s, records.get(s.project.name))]
            as_it_was = not changed and not sources.gone
            if current is not None and as_it_was and await self._parts.graphs.holds(session.graph_path):
                return _report(session.number, current, {}, sources)
            facts = _kept_facts(session.facts(), sources.gone)
            stage = session.stage()
            updates = await self._update_vectors(stage, sources, changed, records, facts, read, progress)
            batch = resolve(facts)
            await self._replace_graph(stage, batch)
            manifest = self._manifest(records, updates, batch)
            raw = {project: {path: one.to_dict() for path, one in files.items()} for project, files in facts.items()}
            number = session.publish(stage, manifest, raw)
            await self._parts.graphs.sweep(session.graph_path)
            return _report(number, manifest, updates, sources)

    async def _update_vectors(
        self,
        stage: Stage,
        sources: Sources,
        changed: Sequence[Source],
        records: Mapping[str, ProjectRecord],
        facts: Facts,
        read: Callable[..., ProjectUpdate],
        progress: Progress | None,
    ) -> dict[str, ProjectUpdate]:
        """Take out what went, put in what came; `facts` follows."""
        updates: dict[str, ProjectUpdate] = {}
        pending: list[Chunk] = []
        async with self._vectors(str(stage.vectors_path), copied=stage.copied) as vectors:
            for name in sorted(sources.gone):
                await vectors.delete_project(name)
            for number, source in enumerate(changed, start=1):
                name = source.project.name
                one = partial(read, source, records.get(name), facts.get(name, {}))
                update = await anyio.to_thread.run_sync(one, abandon_on_cancel=True)  # an interrupt need not wait
                if update.stale:
                    await vectors.delete_files(name, update.stale)
                facts[name] = dict(update.facts)
                updates[name] = replace(update, chunks=())
                pending += update.chunks
                if progress:
                    progress("Reading", number, len(changed))
                if len(pending) >= self._embed_at_once:
                    await self._embed(vectors, pending, progress)
                    pending = []
            await self._embed(vectors, pending, progress)
        return updates

    async def _replace_graph(self, stage: Stage, batch: GraphBatch) -> None:
        graph = self._parts.stores.open_graph(str(stage.graph_path), self._folder.namespace, copied=stage.copied)
        try:
            await graph.replace(batch)
        finally:
            await graph.close()

    @asynccontextmanager
    async def _vectors(self, path: str, *, copied: bool) -> AsyncIterator[VectorStore]:
        fields = dict.fromkeys((DENSE_DOCS, DENSE_CODE), self._config.vector.dimension)
        store = self._parts.stores.open_vectors(path, fields, self._folder.namespace, copied=copied)
        try:
            yield store
        finally:
            await store.close()

    async def _embed(self, vectors: VectorStore, chunks: Sequence[Chunk], progress: Progress | None) -> None:
        """Embed chunks and put them into the store."""
        texts = [embedded_text(chunk) for chunk in chunks]
        dense = await embed_bulk(
            texts,
            self._parts.dense,
            cache=EmbeddingCache(self._folder.cache_path),
            workers=self._config.indexing.workers,
            progress=(lambda done, total: progress("Embedding", done, total)) if progress else None,
        )
        for start in range(0, len(chunks), _UPSERT):
            piece = range(start, min(start + _UPSERT, len(chunks)))
            await vectors.upsert(
                [
                    Point(
                        chunks[i],
                        self._parts.sparse.embed_document(texts[i]),
                        {dense_field(chunks[i]): dense[i].tolist()},
                    )
                    for i in piece
                ]
            )

    def _check(self, current: Manifest) -> None:
        current.check(self._config.vector.dense_model, self._config.vector.dimension)
        if current.recipe.partition(_OWN_RULES)[0] != self._recipe().partition(_OWN_RULES)[0]:
            raise DataFolderError(
                f"This index was made with other settings: {current.recipe}; now they say {self._recipe()}.",
                "Use the settings it was made with, or index into another data folder.",
            )

    def _recipe(self) -> str:
        """What the index is made with; of the user's own rules, which are read anew when they change, a hash."""
        vector, indexing = self._config.vector, self._config.indexing
        made = f"{vector.max_tokens} tokens, {vector.sparse_model}, {indexing.chunk_chars} characters, extraction {EXTRACTION}"
        own = rules_hash(indexing.rules)
        return f"{made}{_OWN_RULES}{own}" if own else made

    def _manifest(
        self,
        records: Mapping[str, ProjectRecord],
        updates: Mapping[str, ProjectUpdate],
        batch: GraphBatch,
    ) -> Manifest:
        entities = Counter(entity.project for entity in batch.entities)
        relations = Counter(edge.project for edge in batch.relationships)
        merged = {**records, **{name: update.record for name, update in updates.items()}}
        projects = [
            replace(record, entities=entities[name], relations=relations[name])
            for name, record in sorted(merged.items())
        ]
        return Manifest(
            namespace=self._folder.namespace,
            profile=self._profile,
            dense_model=self._config.vector.dense_model,
            dimension=self._config.vector.dimension,
            sparse_model=self._config.vector.sparse_model,
            recipe=self._recipe(),
            projects=tuple(projects),
            entities=len(batch.entities),
            relations=len(batch.relationships),
        )


def _check_whole(left_out: Collection[str]) -> None:
    if left_out:
        raise DataFolderError(
            "The files of the setting indexing.rules changed since this index was made.",
            f"Index all of its projects in one run; this one leaves out {', '.join(sorted(left_out))}.",
        )


def _kept_facts(raw: Mapping[str, Mapping[str, Mapping[str, Any]]], gone: Collection[str]) -> Facts:
    return {
        project: {path: FileFacts.from_dict(one) for path, one in files.items()}
        for project, files in raw.items()
        if project not in gone
    }


def _report(number: int, manifest: Manifest, updates: Mapping[str, ProjectUpdate], sources: Sources) -> IndexReport:
    asked = {source.project.name for source in sources.present}
    return IndexReport(
        generation=number,
        unchanged=not updates and not sources.gone,
        projects=tuple(
            ProjectReport(record, updates[record.name].difference if record.name in updates else None)
            for record in manifest.projects
            if record.name in asked
        ),
        removed=tuple(sorted(sources.gone - asked)),
        entities=manifest.entities,
        relations=manifest.relations,
    )
