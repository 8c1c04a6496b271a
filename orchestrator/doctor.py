"""Examines what a question needs, part by part; a part that fails says why and what to do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from configs import HybridRetrievalConfig
from memory.errors import HybridRetrievalError, StoreError
from memory.generation import DataFolder, Generation

__all__ = ["Check", "examine"]


@dataclass(frozen=True, slots=True)
class Check:
    """One part: whether it is in order, what was seen, and what to do if it is not."""

    name: str
    ok: bool
    detail: str
    hint: str = ""


async def examine(data_dir: Path, config: HybridRetrievalConfig) -> list[Check]:
    """Every check, in the order a question needs them; without an index those of its stores are left out."""
    checks = [await _check("packages", _packages), await _check("model", lambda: _model(config))]
    try:
        folder = DataFolder.open(data_dir)
        generation = folder.reading()
    except HybridRetrievalError as error:
        return [*checks, Check("data folder", ok=False, detail=error.message, hint=error.hint)]
    with generation:
        return [
            *checks,
            Check("data folder", ok=True, detail=f"{folder.root}, generation {generation.number}"),
            await _check("index", lambda: _index(generation, config)),
            await _check("vector store", lambda: _vectors(folder, generation)),
            await _check("graph store", lambda: _graph(folder, generation, config)),
        ]


async def _check(name: str, look: Callable[[], Awaitable[str]]) -> Check:
    try:
        return Check(name, ok=True, detail=await look())
    except HybridRetrievalError as error:
        return Check(name, ok=False, detail=error.message, hint=error.hint)


async def _packages() -> str:
    return ", ".join(f"{name} {version(name)}" for name in ("qdrant-edge-py", "kglite", "fastembed", "anyio"))


async def _model(config: HybridRetrievalConfig) -> str:
    from orchestrator.models import open_dense  # noqa: PLC0415 - beside its use

    dense = open_dense(config.vector)
    await dense.warm_up()
    return f"{dense.model}, {dense.dimension} dimensions"


async def _index(generation: Generation, config: HybridRetrievalConfig) -> str:
    manifest = generation.manifest
    manifest.check(config.vector.dense_model, config.vector.dimension)
    return f"{len(manifest.projects)} projects, {manifest.entities} entities, {manifest.relations} relations"


async def _vectors(folder: DataFolder, generation: Generation) -> str:
    from memory.vector import EdgeVectorStore  # noqa: PLC0415 - the engine's import

    store = EdgeVectorStore.open(generation.vectors_path, namespace=folder.namespace)
    try:
        points = await store.count(permission=generation.manifest.names)
    finally:
        await store.close()
    return "Qdrant Edge, " + _whole(points, sum(project.chunks for project in generation.manifest.projects), "chunks")


async def _graph(folder: DataFolder, generation: Generation, config: HybridRetrievalConfig) -> str:
    from orchestrator.stores import open_graph_store  # noqa: PLC0415 - the engine's import

    store = open_graph_store(config.graph, generation.graph_path, folder.namespace)
    try:
        entities = await store.all_entities(permission=generation.manifest.names)
    finally:
        await store.close()
    return f"{store.engine}, " + _whole(len(entities), generation.manifest.entities, "entities")


def _whole(held: int, recorded: int, what: str) -> str:
    """What a store holds, in words. Raises StoreError when the manifest says another number."""
    if held != recorded:
        raise StoreError(f"The store holds {held} {what}, the manifest {recorded}.", "Index into a new data folder.")
    return f"{held} {what}"
