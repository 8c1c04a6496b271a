"""A generation whose graph is on a Neo4j server (decision record 0080).

A small file in the generation's folder names the graph and its version. So it is published, kept for its readers and
swept away with the folder.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, Final

from configs.settings import GraphSettings
from memory.errors import StoreError
from memory.generation.current import GENERATIONS, Pointer
from memory.graph import Neo4jGraphStore
from memory.graph.neo4j_schema import GraphVersion
from wiring.embedded_stores import EmbeddedStores

_POINTER: Final = "graph.neo4j"


class Neo4jStores(EmbeddedStores):
    """Qdrant Edge at a generation's path, its graph on a Neo4j server."""

    def __init__(self, settings: GraphSettings, *, password: str | None) -> None:
        self._settings = settings
        self._password = password

    def open_graph(self, path: str, namespace: str, *, copied: bool) -> Neo4jGraphStore:  # noqa: ARG002 - the server has it
        """What comes after the published version, or a new graph; the stage remembers it when it is written."""
        shutil.rmtree(path, ignore_errors=True)  # an embedded graph that came along with the copy
        root, pointer = _root(Path(path)), _pointer(path)
        published = Pointer.read(root)
        before = _version(root / GENERATIONS / str(published.number) / _POINTER) if published else None
        if before is None:
            version = GraphVersion.first(namespace)
            return self._create(version, (), partial(_note, pointer, version))
        version = before.next()
        _note(pointer, before)  # for where nothing of the graph changes
        return self._create(version, _kept(root, before), partial(_note, pointer, version))

    def open_published(self, path: Path) -> Neo4jGraphStore:
        """The graph of a generation. Raises StoreError when that has none on a server."""
        version = _version(_pointer(path))
        if version is None:
            raise StoreError(
                f"The graph of {path.parent} is not on a Neo4j server.",
                "Index the projects again with this profile, or ask with the one it was made with.",
            )
        return Neo4jGraphStore.open(
            self._settings.neo4j,
            version=version,
            password=self._password,
            query_timeout_ms=self._settings.query_timeout_ms,
        )

    async def holds(self, graph_path: Path) -> bool:
        """Whether the server has it whole, with its indexes; what a killed run left is settled. Raises StoreError."""
        version = _version(_pointer(graph_path))
        if version is None:
            return False
        store = self._create(version)
        try:
            whole = await store.is_whole()
            if whole:
                await store.settle(_kept(_root(graph_path), version))
            return whole
        finally:
            await store.close()

    async def sweep(self, graph_path: Path) -> None:
        """Removes what is of no generation any more; a server that is down meanwhile keeps it until the next run."""
        current = _version(_pointer(graph_path))
        if current is None:
            return
        root = _root(graph_path)
        referred = {_named(pointer).get("namespace") for pointer in (root / GENERATIONS).glob(f"*/{_POINTER}")}
        store = self._create(current)
        try:
            with suppress(StoreError):
                await store.settle(_kept(root, current))
                for name in await store.names(current.namespace.rpartition(":")[0] + ":"):
                    if name not in referred:
                        await self._remove(name)
        finally:
            await store.close()

    async def _remove(self, namespace: str) -> None:
        store = self._create(GraphVersion(namespace))
        try:
            await store.remove()
        finally:
            await store.close()

    def _create(
        self, version: GraphVersion, kept: Sequence[GraphVersion] = (), finished: Callable[[], None] = lambda: None
    ) -> Neo4jGraphStore:
        return Neo4jGraphStore.create(
            self._settings.neo4j,
            version=version,
            kept=kept,
            finished=finished,
            password=self._password,
            query_timeout_ms=None,  # no caller waits for it, and the first of a server just started takes seconds
        )


def _root(graph_path: Path) -> Path:
    """The data folder in which this is a generation's graph."""
    return graph_path.parent.parent.parent


def _pointer(path: str | Path) -> Path:
    return Path(path).with_name(_POINTER)


def _note(pointer: Path, version: GraphVersion) -> None:
    pointer.write_text(json.dumps(asdict(version)), encoding="utf-8")


def _named(pointer: Path) -> dict[str, Any]:
    """What a generation's file says; nothing where there is no such file."""
    try:
        named: dict[str, Any] = json.loads(pointer.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    return named


def _version(pointer: Path) -> GraphVersion | None:
    """What a generation's file names; None where there is no such file."""
    named = _named(pointer)
    return GraphVersion(**named) if named else None


def _kept(root: Path, current: GraphVersion) -> list[GraphVersion]:
    """The versions of the graph that generations have, the published one last."""
    found = {_version(pointer) for pointer in (root / GENERATIONS).glob(f"[0-9]*/{_POINTER}")} - {current}
    return [*(one for one in found if one is not None and one.namespace == current.namespace), current]
