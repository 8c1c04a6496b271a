"""Examines what a question needs, part by part; a part that fails says why and what to do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import anyio.to_thread

from configs import HybridRetrievalConfig, VectorSettings
from memory.embedders import Bm25Sparse
from memory.errors import ANOTHER_FOLDER, HybridRetrievalError, StoreError
from memory.generation import DataFolder, Generation
from memory.imports import brought_by
from memory.vector.port import DENSE_CODE, DENSE_DOCS
from wiring.catalogue import permitted
from wiring.local_models import check_weights, open_cross_encoder, open_sparse

if TYPE_CHECKING:
    from memory.rerankers import Reranker
    from wiring.models import OpenableDense

COLLECTION = "qdrant collection"  # the check that counts all its points, of whichever project
_NAMED = 10


@dataclass(frozen=True, slots=True)
class Check:
    """One part: whether it is in order, what was seen, and what to do if it is not."""

    name: str
    ok: bool
    detail: str
    hint: str = ""


async def examine(
    data_dir: Path,
    config: HybridRetrievalConfig,
    allowed: Collection[str] | None = None,
    *,
    deep: bool = False,
) -> list[Check]:
    """Every check, in the order a question needs them; without an index those of its stores are left out.

    allowed: the projects that are looked at and counted, None for all; deep: every file of the index is read and held
    against its checksum. Raises UnknownProjectError for another name.
    """
    checks = [
        await _check("packages", _packages),
        *await _models(config),
        *await _server(config, counts=allowed is None),
    ]
    try:
        folder = DataFolder.open(data_dir)
        if deep:
            checks.append(await _check("files", partial(_files, folder, counts=allowed is None)))
        generation = folder.reading()
    except HybridRetrievalError as error:
        return [*checks, Check("data folder", ok=False, detail=error.message, hint=error.hint)]
    with generation:
        indexed = generation.manifest.names
        seen = permitted(allowed, indexed)
        return [
            *checks,
            Check("data folder", ok=True, detail=f"{folder.root}, generation {generation.number}"),
            await _check("index", lambda: _index(generation, config, seen, counts=allowed is None)),
            await _check("vector store", lambda: _vectors(folder, generation, config, seen)),
            await _check("graph store", lambda: _graph(folder, generation, config, seen)),
        ]


async def _check(name: str, look: Callable[[], Awaitable[str]]) -> Check:
    try:
        return Check(name, ok=True, detail=await look())
    except HybridRetrievalError as error:
        return Check(name, ok=False, detail=error.message, hint=error.hint)


async def _packages() -> str:
    return ", ".join(f"{name} {version(name)}" for name in ("qdrant-edge-py", "kglite", "numpy", "anyio"))


async def _models(config: HybridRetrievalConfig) -> list[Check]:
    """Each model by one vector or score, a hosted one by one small request; without its key there is nothing to ask."""
    from wiring.models import open_models  # noqa: PLC0415 - beside its use

    hosted = config.vector.provider != "local"
    try:
        models = open_models(config.vector, config.hosted)
    except HybridRetrievalError as error:
        return [Check("key" if hosted else "model", ok=False, detail=error.message, hint=error.hint)]
    names = ("model",) if models.code is models.docs else ("model for documents", "model for code")
    try:
        checks = [
            await _check(name, partial(_dense, dense))
            for name, dense in zip(names, (models.docs, models.code), strict=False)
        ]
        if config.vector.sparse_model != Bm25Sparse.model:  # which needs no weights
            checks.append(await _check("sparse model", partial(_sparse, config.vector)))
        reranker = models.reranker or open_cross_encoder(config.vector)
        if reranker is not None:
            checks.append(await _check("reranker", partial(_reranker, reranker)))
        return checks
    finally:
        await models.close()


async def _dense(dense: OpenableDense) -> str:
    await dense.embed_queries(["doctor"])
    return f"{dense.model}, {dense.dimension} dimensions"


async def _sparse(settings: VectorSettings) -> str:
    sparse = open_sparse(settings)
    await anyio.to_thread.run_sync(sparse.embed_query, "doctor", abandon_on_cancel=True)
    return sparse.model


async def _reranker(reranker: Reranker) -> str:
    await reranker.rerank("doctor", ["doctor"])
    return reranker.model


async def _server(config: HybridRetrievalConfig, *, counts: bool) -> list[Check]:
    """A Qdrant server and the collection, where the vectors are on one; counts: how many points it has may be seen."""
    if config.vector.store != "qdrant":
        return []
    vectors = dict.fromkeys((DENSE_DOCS, DENSE_CODE), config.vector.dimension)
    try:
        with brought_by("qdrant", "An index on a Qdrant server"):
            from memory.vector.qdrant_schema import examine as examine_server  # noqa: PLC0415 - its client takes a second to import
        server = config.vector.qdrant
        ours = not (server.payload or server.vectors or server.constants)
        findings = await examine_server(server, vectors, generations=ours)
    except HybridRetrievalError as error:
        return [Check("qdrant server", ok=False, detail=error.message, hint=error.hint)]
    return [
        Check(
            found.name,
            ok=found.ok,
            detail=found.detail if counts or found.name != COLLECTION else server.collection,
            hint=found.hint,
        )
        for found in findings
    ]


async def _files(folder: DataFolder, *, counts: bool) -> str:
    """counts: whether files are counted and named, which are of all projects together."""
    files, damages = await anyio.to_thread.run_sync(folder.examined, abandon_on_cancel=True)
    if damages and not counts:
        raise StoreError("Files of the index are damaged.", ANOTHER_FOLDER)
    if damages:
        named = "; ".join(f"{damage.path} {damage.problem}" for damage in damages[:_NAMED])
        more = f"; and {len(damages) - _NAMED} more" if len(damages) > _NAMED else ""
        raise StoreError(f"{len(damages)} of {files} files are damaged: {named}{more}.", ANOTHER_FOLDER)
    return f"{files} files are as they were written" if counts else "all files are as they were written"


async def _index(generation: Generation, config: HybridRetrievalConfig, seen: frozenset[str], *, counts: bool) -> str:
    """counts: whether relations are, which the manifest knows of all projects together alone."""
    manifest = generation.manifest
    manifest.check(config.vector.dense_models, config.vector.dimension)
    check_weights(manifest, config.vector)
    count = f"{len(seen)} projects, {_entities(generation, seen)} entities"
    return f"{count}, {manifest.relations} relations" if counts else count


def _entities(generation: Generation, seen: frozenset[str]) -> int:
    manifest = generation.manifest
    some = sum(project.entities for project in manifest.projects if project.name in seen)
    return manifest.entities if seen == manifest.names else some


async def _vectors(
    folder: DataFolder, generation: Generation, config: HybridRetrievalConfig, seen: frozenset[str]
) -> str:
    from wiring.stores import open_vector_store  # noqa: PLC0415 - the engine's import

    store = await open_vector_store(config.vector, generation.vectors_path, folder.namespace)
    try:
        points = await store.count(permission=seen)
    finally:
        await store.close()
    share = generation.manifest.embedded_share(seen)
    late = f"; {share:.0%} have their vectors, `index` again for the rest" if share < 1 else ""
    chunks = sum(project.chunks for project in generation.manifest.projects if project.name in seen)
    engine = "Qdrant Edge" if config.vector.store == "edge" else f"Qdrant at {config.vector.qdrant.url}"
    return f"{engine}, " + _whole(points, chunks, "chunks") + late


async def _graph(
    folder: DataFolder, generation: Generation, config: HybridRetrievalConfig, seen: frozenset[str]
) -> str:
    from wiring.stores import open_graph_store  # noqa: PLC0415 - the engine's import

    store = open_graph_store(config.graph, generation.graph_path, folder.namespace)
    try:
        entities = await store.all_entities(permission=seen)
    finally:
        await store.close()
    return f"{store.engine}, " + _whole(len(entities), _entities(generation, seen), "entities")


def _whole(held: int, recorded: int, what: str) -> str:
    """What a store holds, in words. Raises StoreError when the manifest says another number."""
    if held != recorded:
        raise StoreError(f"The store holds {held} {what}, the manifest {recorded}.", "Index into a new data folder.")
    return f"{held} {what}"
