"""A generation whose graph is on a Neo4j server.

Each generation's graph has a namespace of its own, which a small file in the generation's folder names (decision record
0014). So it is published, kept for its readers and swept away with the folder.
"""

from __future__ import annotations

import json
import shutil
import uuid
from contextlib import suppress
from pathlib import Path
from typing import Final

from configs.settings import GraphSettings
from memory.errors import StoreError
from memory.graph import Neo4jGraphStore
from wiring.embedded_stores import EmbeddedStores

__all__ = ["Neo4jStores"]

_POINTER: Final = "graph.neo4j"


class Neo4jStores(EmbeddedStores):
    """Qdrant Edge at a generation's path, its graph on a Neo4j server."""

    def __init__(self, settings: GraphSettings, *, password: str | None) -> None:
        self._settings = settings
        self._password = password

    def open_graph(self, path: str, namespace: str, *, copied: bool) -> Neo4jGraphStore:  # noqa: ARG002 - each begins anew
        """A new graph under a name that nothing else has; the stage remembers which."""
        shutil.rmtree(path, ignore_errors=True)  # an embedded graph that came along with the copy
        name = f"{namespace}:{uuid.uuid4().hex}"
        _pointer(path).write_text(json.dumps({"namespace": name}), encoding="utf-8")
        return self._create(name)

    def open_published(self, path: Path) -> Neo4jGraphStore:
        """The graph of a generation. Raises StoreError when that has none on a server."""
        name = _name(_pointer(path))
        if name is None:
            raise StoreError(
                f"The graph of {path.parent} is not on a Neo4j server.",
                "Index the projects again with this profile, or ask with the one it was made with.",
            )
        return Neo4jGraphStore.open(
            self._settings.neo4j,
            namespace=name,
            password=self._password,
            query_timeout_ms=self._settings.query_timeout_ms,
        )

    async def holds(self, graph_path: Path) -> bool:
        """Whether the server has it, whole and with its indexes. Raises StoreError when the server cannot be asked."""
        name = _name(_pointer(graph_path))
        if name is None:
            return False
        store = self._create(name)
        try:
            return await store.is_whole()
        finally:
            await store.close()

    async def sweep(self, graph_path: Path) -> None:
        """What a killed run began, and what the generations held that are gone. A server that is down meanwhile keeps them
        until the next run.
        """
        current = _name(_pointer(graph_path))
        if current is None:
            return
        referred = {_name(pointer) for pointer in graph_path.parent.parent.glob(f"*/{_POINTER}")}
        store = self._create(current)
        try:
            with suppress(StoreError):
                for name in await store.names(current.rpartition(":")[0] + ":"):
                    if name not in referred:
                        await store.remove(name)
        finally:
            await store.close()

    def _create(self, name: str) -> Neo4jGraphStore:
        return Neo4jGraphStore.create(
            self._settings.neo4j,
            namespace=name,
            password=self._password,
            query_timeout_ms=self._settings.query_timeout_ms,
        )


def _pointer(path: str | Path) -> Path:
    return Path(path).with_name(_POINTER)


def _name(pointer: Path) -> str | None:
    """The namespace that a generation's file names; None where there is no such file."""
    try:
        return str(json.loads(pointer.read_text(encoding="utf-8"))["namespace"])
    except (FileNotFoundError, NotADirectoryError):
        return None
