"""One run of the indexer: changes into a new generation, published at once (docs/design.md#generations)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from functools import partial

import anyio.to_thread

from configs.settings import HybridRetrievalConfig
from extraction.facts import EXTRACTION, FileFacts
from extraction.rules.custom import rules_hash
from extraction.rules.families import families_hash
from indexing.clones import Listed, NotFetchedError, fetched
from indexing.embedding import CountedTerms, Embedding, Progress
from indexing.graph import GraphWriter, Written, facts_of, recorded
from indexing.images import PictureWriter
from indexing.isolation import Noted, Readers
from indexing.ports import Hands, IndexingParts
from indexing.project import ProjectUpdate, read_project, unchanged
from indexing.report import IndexReport
from indexing.resolution import KnownProject, join
from indexing.sources import IndexRequest, Source, Sources, find_sources
from indexing.statements import changed_files, digests, sentences_of
from indexing.vectors import VectorWriter, turned_secret
from memory.embedders import Bm25Sparse, EmbeddingCache, EmbeddingWorkers, WordsOnly
from memory.entities import Relationship
from memory.errors import DataFolderError, HybridRetrievalError
from memory.generation import DataFolder, IndexingSession, Manifest, ProjectRecord, Stage
from memory.together import ahead
from memory.vector.port import DENSE_CODE, DENSE_DOCS, IMAGE

_RULES = ", rules "
_RELEASE = re.compile(r"extraction \d+")


class Indexer:
    """Indexes into one data folder, one run at a time. embed_at_once: so many chunks are gathered and embedded."""

    def __init__(
        self,
        folder: DataFolder,
        parts: IndexingParts,
        config: HybridRetrievalConfig,
        *,
        profile: str,
        embed_at_once: int = 2_500,
    ) -> None:
        self._folder = folder
        self._parts = parts
        self._config = config
        self._profile = profile
        self._embed_at_once = embed_at_once
        self._hands = Hands(parts, config.indexing)

    def staying(self) -> AbstractAsyncContextManager[None]:
        """A block in which the processes that read files, and a model that was loaded, stay from run to run."""
        return self._hands.staying()

    async def run(self, request: IndexRequest, *, holder: str, progress: Progress | None = None) -> IndexReport:
        """Bring the index up to what is on the disk; an unchanged project is left as it is.

        Where much is to be embedded its text is published first, and the dense vectors in a generation of their own.
        Raises IndexLockedError, the UserErrors of the request, DataFolderError when the folder's index was made with
        another model or other settings, StorageFullError and ModelError; then the published generation is as it was, or
        has the text, and the next run goes on from there.
        """
        with self._folder.indexing(holder) as session:
            async with self._hands.of_run(self._recipe()) as (workers, readers):
                return await self._update(session, request, workers, Noted(readers), progress)

    async def _update(
        self,
        session: IndexingSession,
        request: IndexRequest,
        workers: EmbeddingWorkers,
        readers: Noted,
        progress: Progress | None,
    ) -> IndexReport:
        started, current = session.number, session.current
        if current is not None:
            self._check(current)
        repositories, unreached = await self._fetched(request, readers.at_once)
        sources = find_sources(
            request,
            current,
            max_file_bytes=self._config.indexing.max_file_bytes,
            pictures=self._parts.pictures is not None,
            fetched=repositories,
            unreached=unreached,
        )
        kept = [record for record in current.projects if record.name not in sources.gone] if current else []
        records = {record.name: record for record in kept}
        anew = current is not None and current.recipe != self._recipe()
        if anew:
            _check_whole(set(records) - {source.project.name for source in sources.present})
        changed = [s for s in sources.present if anew or not await unchanged(s, records.get(s.project.name), readers)]
        writer = self._writer(workers, progress)
        updates: Mapping[str, ProjectUpdate] = {}
        if not current or changed or sources.gone or not await self._parts.stores.holds(session.graph_path):
            updates = await self._renew(session, sources, changed, records, writer, readers, anew=anew)
        manifest = session.current
        assert manifest is not None
        if manifest.awaiting and not isinstance(self._parts.dense, WordsOnly):
            if progress and updates:
                chunks = sum(project.chunks for project in manifest.projects)
                progress("Published", chunks - manifest.awaiting, chunks)
            stage = session.stage(whole=True)
            await writer.complete(stage, manifest)
            manifest = replace(manifest.embedded(), weights=dict(self._parts.weights))
            await self._publish(session, stage, manifest)
        report = IndexReport.of(session.number, manifest, updates, sources, unchanged=session.number == started)
        return replace(report, because=readers.because)

    async def _fetched(
        self, request: IndexRequest, at_once: int
    ) -> tuple[list[Source], dict[str, HybridRetrievalError]]:
        """The repositories of the list, each fetched and discovered where it will be read, and why others can't be."""
        unreached: dict[str, HybridRetrievalError] = {}

        async def fetch(one: Listed) -> Source | None:
            limit, pictures = self._config.indexing.max_file_bytes, self._parts.pictures is not None
            clone = one.clone(self._folder.clones_path)
            try:
                return Source(await self._parts.call(fetched, clone, limit, pictures), url=one.url)
            except NotFetchedError as error:
                unreached[one.name] = error
                return None

        works = [partial(fetch, one) for one in request.listed if one.url]
        async with ahead(works, at_once) as found:
            return [source async for source in found if source is not None], unreached

    async def _renew(
        self,
        session: IndexingSession,
        sources: Sources,
        changed: Sequence[Source],
        records: Mapping[str, ProjectRecord],
        writer: VectorWriter,
        readers: Readers,
        *,
        anew: bool,
    ) -> dict[str, ProjectUpdate]:
        """Publish a generation with the changes, and with every text; some may still lack their dense vector."""
        before = {record.name: record for record in session.current.projects} if session.current else {}
        await writer.expect(source for source in changed if source.project.name not in records)
        stage = session.stage()
        state = partial(session.state, stage, terms=Bm25Sparse().token_ids)
        graph = GraphWriter(
            self._parts.stores,
            session.facts,
            self._folder.namespace,
            state=state,
            call=self._parts.call,
            at_once=readers.at_once,
        )

        def resolve(known: KnownProject) -> Sequence[Relationship]:
            if len(changed) == 1:  # those of many would not fit into memory together
                return graph.resolve(known, before, sources.gone)
            return join({known.modules.name: known}, {known.modules.name}).relationships

        async def read(source: Source) -> ProjectUpdate:
            name = source.project.name
            known = partial(facts_of, session.facts, name) if name in records else dict[str, FileFacts]
            facts = await anyio.to_thread.run_sync(known, abandon_on_cancel=True)  # an interrupt need not wait
            update = await read_project(source, records.get(name), facts, readers, anew=anew)
            same = name in records and not anew and update.facts == facts
            stated = partial(_stated, session, stage, replace(update, says_the_same=same), resolve)
            return await anyio.to_thread.run_sync(stated, abandon_on_cancel=True)

        def count(update: ProjectUpdate, counted: CountedTerms) -> None:
            name = update.record.name
            before = session.vocabulary.files(name) if name in records else {}
            session.count(stage, name, counted.take(name, before, update.difference.unchanged))

        updates = await writer.update(stage, sources.gone, changed, read, count, at_once=readers.at_once)
        others = frozenset(name for name, update in updates.items() if not update.says_the_same)
        written = await graph.update(stage, before, sources.gone, others)
        manifest = self._manifest(records, updates, written).also_awaiting(writer.awaiting)
        if sources.gone or any(turned_secret(records.get(name), update.record) for name, update in updates.items()):
            await writer.forget(stage, manifest)
        await self._publish(session, stage, manifest)
        return updates

    async def _publish(self, session: IndexingSession, stage: Stage, manifest: Manifest) -> None:
        session.publish(stage, manifest)
        await self._parts.stores.sweep(session.graph_path)
        self._folder.keep_clones(manifest.names)

    def _writer(self, workers: EmbeddingWorkers, progress: Progress | None) -> VectorWriter:
        indexing, parts = self._config.indexing, self._parts
        cache = EmbeddingCache(self._folder.cache_path)
        embedding = Embedding(
            parts.dense,
            parts.sparse,
            cache,
            workers=workers,
            text_first_above=-1 if isinstance(parts.dense, WordsOnly) else indexing.publish_text_first_above,
            code=parts.code,
            progress=progress,
        )
        fields = dict.fromkeys((DENSE_DOCS, DENSE_CODE), self._config.vector.dimension)
        pictures = None
        if parts.pictures:
            fields[IMAGE] = parts.pictures.images.dimension
            pictures = PictureWriter(parts.pictures, cache, workers=indexing.workers)
        return VectorWriter(
            parts.stores,
            embedding,
            fields,
            self._folder.namespace,
            at_once=self._embed_at_once,
            pictures=pictures,
            progress=progress,
        )

    def _check(self, current: Manifest) -> None:
        current.check(self._config.vector.dense_models, self._config.vector.dimension)
        then, now = (recipe.partition(_RULES)[0] for recipe in (current.recipe, self._recipe()))
        if then == now:
            return
        if _RELEASE.sub("", then) == _RELEASE.sub("", now):
            raise DataFolderError(
                "This index was made by another release of this program, which reads files in another way.",
                "Index your projects into another data folder; a copy of this one's `cache` saves the embedding.",
            )
        raise DataFolderError(
            f"This index was made with other settings: {then}; now they say {now}.",
            "Use the settings it was made with, or index into another data folder.",
        )

    def _recipe(self) -> str:
        """What the index is made with; all is read anew when the rules as data, ours and the user's, change."""
        vector, indexing = self._config.vector, self._config.indexing
        made = f"{vector.max_tokens} tokens, {vector.sparse_model}, {indexing.chunk_chars} characters, extraction {EXTRACTION}"  # noqa: E501 - text that is read whole
        if self._parts.pictures:
            images = self._parts.pictures.images
            made += f", pictures by {images.model} ({images.dimension} dimensions)"
        return f"{made}{_RULES}{families_hash()}{rules_hash(indexing.rules)}"

    def _manifest(
        self, records: Mapping[str, ProjectRecord], updates: Mapping[str, ProjectUpdate], written: Written
    ) -> Manifest:
        merged = {**records, **{name: update.record for name, update in updates.items()}}
        counted = {**merged, **records}
        projects = [
            replace(
                record,
                entities=written.entities.get(name, counted[name].entities),
                relations=written.relations.get(name, counted[name].relations),
                by_names=written.by_names.get(name, counted[name].by_names),
            )
            for name, record in sorted(merged.items())
        ]
        images = self._parts.pictures.images if self._parts.pictures else None
        return Manifest(
            namespace=self._folder.namespace,
            profile=self._profile,
            dense_model=self._config.vector.dense_models,
            dimension=self._config.vector.dimension,
            sparse_model=self._config.vector.sparse_model,
            recipe=self._recipe(),
            projects=tuple(projects),
            entities=sum(project.entities for project in projects),
            relations=sum(project.relations for project in projects),
            image_model=images.model if images else "",
            image_dimension=images.dimension if images else 0,
            weights=dict(self._parts.weights),
        )


def _stated(
    session: IndexingSession,
    stage: Stage,
    update: ProjectUpdate,
    resolve: Callable[[KnownProject], Sequence[Relationship]],
) -> ProjectUpdate:
    """The update with what the project's inner relations say; where its files say what they said, none is resolved."""
    name, unchanged = update.record.name, update.difference.unchanged
    if update.says_the_same:
        return replace(update, facts={}, sentences=sentences_of(name, session.statements.inside(name)))
    known = KnownProject(name, update.facts)
    sentences = sentences_of(name, resolve(known))
    now = digests(sentences)
    session.remember(stage, name, recorded(known, now))
    restated = changed_files(session.facts.digests(name) if unchanged else {}, now, unchanged)
    return replace(update, facts={}, sentences=sentences, restated=tuple(restated))


def _check_whole(left_out: Collection[str]) -> None:
    if left_out:
        raise DataFolderError(
            "The rules of this program or of the setting indexing.rules changed since this index was made.",
            f"Index all of its projects in one run; this one leaves out {', '.join(sorted(left_out))}.",
        )
