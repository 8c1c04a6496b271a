"""The embedded graph: kglite, an engine in this process that runs the same Cypher and keeps one file.

One process writes a file that nobody reads yet (a staged generation), readers open it and query a frozen snapshot. Reads
run in a worker thread: the hop costs 0.12 ms against 0.1-10 ms a query on 100,000 entities, and a slow query then holds
up nobody and can be abandoned; `timeout_ms` ends it.
"""

from __future__ import annotations

import errno
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import anyio.to_thread

from memory.errors import StorageFullError, StoreError
from memory.graph import queries
from memory.graph.cypher import CypherReads
from memory.graph.rows import checked, ends_outside, entity_row, file_row, mention_row, relation_row

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    import kglite

    from memory.graph.port import GraphBatch

__all__ = ["KgliteGraphStore"]

_Part = TypeVar("_Part")
_ROWS_A_LOAD: Final = 2_000
_NO_DEADLINE: Final = 0
_ENDS: Final = """
MATCH (e:Entity) WHERE e.id IN $ids AND e.namespace = $namespace AND NOT e.project IN $projects RETURN e.id AS id"""
_FULL: Final = tuple(f"(os error {number})" for number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG))
_ANEW: Final = "Index the projects again."


class KgliteGraphStore(CypherReads):
    """One graph file. Its namespace is the index's; `timeout_ms` bounds each read."""

    engine = "kglite"

    def __init__(self, graph: kglite.KnowledgeGraph, path: Path, *, namespace: str, timeout_ms: int) -> None:
        super().__init__(namespace)
        self._path = path
        self._timeout_ms = timeout_ms
        self._graph: kglite.KnowledgeGraph | None = graph
        self._snapshot: kglite.FrozenGraph | None = graph.freeze()

    @classmethod
    def create(cls, path: Path | str, *, namespace: str, timeout_ms: int = 2000) -> KgliteGraphStore:
        """An empty graph, saved at `path` in place of what was there. Raises StoreError, StorageFullError."""
        graph = _engine().KnowledgeGraph()
        _save(graph, Path(path))
        return cls(graph, Path(path), namespace=namespace, timeout_ms=timeout_ms)

    @classmethod
    def open(cls, path: Path | str, *, namespace: str, timeout_ms: int = 2000) -> KgliteGraphStore:
        """The graph saved at `path`. Raises StoreError when there is none or it is damaged."""
        engine = _engine()
        try:
            graph = engine.load(str(path))
        except (engine.KgError, OSError, ValueError) as error:
            raise StoreError(f"The graph in {path} cannot be opened: {error}", _ANEW) from error
        return cls(graph, Path(path), namespace=namespace, timeout_ms=timeout_ms)

    async def _rows(self, text: str, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
        snapshot = self._opened(self._snapshot)
        if snapshot.node_count() == 0:
            return []  # an empty graph has no full-text index to ask
        return await anyio.to_thread.run_sync(self._query, snapshot, text, dict(parameters), abandon_on_cancel=True)

    def _query(self, snapshot: kglite.FrozenGraph, text: str, parameters: dict[str, Any]) -> list[dict[str, Any]]:
        engine = _engine()
        try:
            found = snapshot.cypher(text, params=parameters, timeout_ms=self._timeout_ms)
            rows: list[dict[str, Any]] = found.to_list()
        except engine.CypherTimeoutError as error:
            raise StoreError(
                f"The graph took longer than {self._timeout_ms} ms.", "Ask for less, or raise graph.query_timeout_ms."
            ) from error
        except engine.KgError as error:
            raise StoreError(f"The graph in {self._path} refused a query: {error}", _ANEW) from error
        return rows

    async def replace(self, batch: GraphBatch) -> None:
        """Raises ValueError on a batch that does not hold together; then, as on any other error, nothing has changed."""
        await anyio.to_thread.run_sync(self._replace, checked(batch))

    def _replace(self, batch: GraphBatch) -> None:
        graph = _engine().KnowledgeGraph()
        self._fill(graph, batch)
        self._publish(graph)

    async def is_empty(self) -> bool:
        return self._opened(self._snapshot).node_count() == 0

    async def update(self, batch: GraphBatch, *, projects: Collection[str], sources: Collection[str]) -> None:
        """Raises ValueError on a batch that does not hold together; then nothing has changed. After any other error the
        file is as it was, and the store is closed.
        """
        given = {"projects": sorted(projects), "sources": sorted(sources)}
        await anyio.to_thread.run_sync(self._update, batch, given)

    def _update(self, batch: GraphBatch, given: Mapping[str, Any]) -> None:
        graph = self._opened(self._graph)
        ends = {**given, "ids": sorted(ends_outside(batch)), "namespace": self.namespace}
        staying = graph.freeze().cypher(_ENDS, params=ends, timeout_ms=_NO_DEADLINE).to_list()
        batch = checked(batch, {row["id"] for row in staying})
        self._graph = self._snapshot = (
            None  # while anything else holds the graph, the engine copies it to write and to save
        )
        for text in queries.DELETE_SOURCES:
            graph.cypher(text, params={**given, "namespace": self.namespace}, timeout_ms=_NO_DEADLINE)
        self._fill(graph, batch)
        self._publish(graph)

    def _fill(self, graph: kglite.KnowledgeGraph, batch: GraphBatch) -> None:
        files = {row["id"]: row for row in map(file_row, batch.mentions)}
        self._load(graph, queries.CREATE_ENTITIES, map(entity_row, batch.entities))
        self._load(graph, queries.CREATE_FILES, files.values())
        self._load(graph, queries.CREATE_RELATIONS, map(relation_row, batch.relationships))
        self._load(graph, queries.CREATE_MENTIONS, map(mention_row, batch.mentions))
        if graph.freeze().node_count():
            # No index on the project: with one, the engine starts every query from all that is allowed (6 ms, not 0.7).
            graph.create_index("Entity", "key")
            _index_names(graph)

    def _load(self, graph: kglite.KnowledgeGraph, text: str, rows: Iterable[Mapping[str, Any]]) -> None:
        coming = iter(rows)
        while some := list(islice(coming, _ROWS_A_LOAD)):
            graph.cypher(text, params={"rows": some, "namespace": self.namespace}, timeout_ms=_NO_DEADLINE)

    async def delete_project(self, project: str) -> None:
        await anyio.to_thread.run_sync(self._delete, queries.DELETE_PROJECT, {"project": project})

    async def delete_files(self, project: str, paths: Iterable[str]) -> None:
        parameters = {"project": project, "paths": sorted(set(paths))}
        await anyio.to_thread.run_sync(self._delete, queries.DELETE_FILES, parameters)

    def _delete(self, texts: Sequence[str], parameters: Mapping[str, Any]) -> None:
        graph = self._opened(self._graph).copy()
        indexed = graph.has_text_index("Entity", "search")
        for text in texts:
            graph.cypher(text, params={**parameters, "namespace": self.namespace}, timeout_ms=_NO_DEADLINE)
        if indexed:
            _index_names(graph)  # the engine drops the index when much of what it holds goes
        self._publish(graph)

    def _publish(self, graph: kglite.KnowledgeGraph) -> None:
        _save(graph, self._path)
        self._graph = graph
        self._snapshot = graph.freeze()

    def _opened(self, part: _Part | None) -> _Part:
        if part is None:
            raise StoreError(f"The graph in {self._path} is closed.", "Open it again.")
        return part

    async def close(self) -> None:
        self._graph = self._snapshot = None


def _engine() -> Any:
    import kglite  # noqa: PLC0415 - only who opens a graph pays for the engine

    kglite.set_query_warning_policy("silent")  # it would print to standard error
    return kglite


def _index_names(graph: kglite.KnowledgeGraph) -> None:
    graph.build_text_index("Entity", "search", name="entity_name_ft")


def _save(graph: kglite.KnowledgeGraph, path: Path) -> None:
    """The engine writes a temporary file beside it, flushes and renames."""
    with _refusals(path):
        graph.save(str(path))


@contextmanager
def _refusals(path: Path) -> Iterator[None]:
    try:
        yield
    except (_engine().KgError, OSError, ValueError) as error:
        if any(number in str(error) for number in _FULL):
            raise StorageFullError(str(path)) from error
        raise StoreError(f"The graph cannot be written to {path}: {error}", "Check the folder.") from error
