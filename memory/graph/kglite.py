"""The embedded graph: a folder of kglite files, each the graph of some projects (`partitions`).

One process writes a folder that no one reads yet (a staged generation), readers load it and query frozen snapshots.
Reads run in a worker thread: the hop costs 0.12 ms against 0.1-10 ms a query on 100,000 entities, and a slow query then
holds up no one and can be abandoned.
"""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import anyio.to_thread

from memory.disk import is_full
from memory.errors import StorageFullError, StoreError
from memory.graph.cypher import CypherReads
from memory.graph.kglite_file import KgliteFile
from memory.graph.partitions import Partition, holding, housed, read_partitions, write_partitions
from memory.graph.queries import gathered
from memory.graph.rows import checked

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from typing import Self

    from memory.graph.port import GraphBatch

__all__ = ["KgliteGraphStore"]

_ENTITIES_A_FILE: Final = 8_000


class KgliteGraphStore(CypherReads):
    """One graph's folder. Its namespace is the index's; `timeout_ms` bounds each read.

    entities_a_file: a file takes no further project when it holds so many.
    """

    engine = "kglite"

    def __init__(
        self,
        path: Path,
        partitions: Sequence[Partition],
        *,
        namespace: str,
        timeout_ms: int = 2000,
        entities_a_file: int = _ENTITIES_A_FILE,
    ) -> None:
        super().__init__(namespace)
        self._path = path
        self._partitions = tuple(partitions)
        self._timeout_ms = timeout_ms
        self._entities_a_file = entities_a_file
        self._loaded: dict[str, KgliteFile] = {}
        self._closed = False

    @classmethod
    def create(cls, path: Path | str, *, namespace: str, **settings: int) -> KgliteGraphStore:
        """An empty graph, saved at `path` in place of what was there. Raises StoreError, StorageFullError."""
        store = cls(Path(path), (), namespace=namespace, **settings)
        store._publish(())
        return store

    @classmethod
    def stage(cls, path: Path | str, *, namespace: str, **settings: int) -> KgliteGraphStore:
        """The graph saved at `path`, to be changed: nothing is loaded that does not change. Raises StoreError."""
        return cls(Path(path), read_partitions(Path(path)), namespace=namespace, **settings)

    @classmethod
    def open(cls, path: Path | str, *, namespace: str, **settings: int) -> KgliteGraphStore:
        """The graph saved at `path`, to be read. Raises StoreError when there is none or it is damaged."""
        return cls.stage(path, namespace=namespace, **settings).loaded()

    def loaded(self) -> Self:
        """With all of it in memory. Raises StoreError when a file is missing or damaged."""
        for partition in self._partitions:
            self._file(partition)
        return self

    async def _rows(self, text: str, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
        self._check_open()
        asked = holding(self._partitions, parameters)
        if not asked:
            return []
        return await anyio.to_thread.run_sync(self._query, asked, text, parameters, abandon_on_cancel=True)

    def _query(self, asked: Sequence[Partition], text: str, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
        end = time.monotonic() + self._timeout_ms / 1000
        parts = []
        for partition in asked:
            left = max(1, round((end - time.monotonic()) * 1000))
            try:
                parts.append(self._file(partition).rows(text, partition.parameters(parameters), left))
            except TimeoutError as error:
                raise StoreError(
                    f"The graph took longer than {self._timeout_ms} ms.",
                    "Ask for less, or raise graph.query_timeout_ms.",
                ) from error
        return gathered(text, parts, parameters["limit"])

    def _file(self, partition: Partition) -> KgliteFile:
        if partition.file not in self._loaded:
            self._loaded[partition.file] = KgliteFile.load(self._path / partition.file, self.namespace)
        return self._loaded[partition.file]

    async def replace(self, parts: Iterable[GraphBatch]) -> None:
        """Raises ValueError on a part that does not hold together; then, as on any other error, nothing has changed."""
        self._check_open()
        await anyio.to_thread.run_sync(self._replace, parts)

    def _replace(self, parts: Iterable[GraphBatch]) -> None:
        made: list[Partition] = []
        graph, own, size = KgliteFile.empty(self.namespace), set[str](), 0
        for part in map(checked, parts):
            if size and size + len(part.entities) > self._entities_a_file:
                made.append(self._saved(graph, own, len(made)))
                graph, own, size = KgliteFile.empty(self.namespace), set(), 0
            graph.put_in(part)
            own |= part.projects
            size += len(part.entities)
        if own:
            made.append(self._saved(graph, own, len(made)))
        self._publish(made)

    async def is_empty(self) -> bool:
        return not self._partitions

    async def update(self, batch: GraphBatch, *, projects: Collection[str], sources: Collection[str]) -> None:
        """Raises ValueError on a batch that does not hold together;
        then, as on any other error, nothing has changed.
        """
        self._check_open()
        await anyio.to_thread.run_sync(self._update, checked(batch), frozenset(projects), frozenset(sources))

    def _update(self, batch: GraphBatch, projects: frozenset[str], sources: frozenset[str]) -> None:
        coming = Counter(dict.fromkeys(batch.projects, 0))
        coming.update(entity.project for entity in batch.entities)
        made: list[Partition] = []
        for number, partition in enumerate(housed(self._partitions, coming, self._entities_a_file)):
            if partition in self._partitions and not partition.is_touched(projects, sources):
                made.append(partition)
                continue
            graph = KgliteFile.empty(self.namespace)
            if partition.file:
                graph = KgliteFile.load(self._path / partition.file, self.namespace)
            graph.take_out(projects, sources)
            own = set(partition.projects) - (projects - coming.keys())
            graph.put_in(batch.portion(own))
            if own:
                made.append(self._saved(graph, own, number))
        self._publish(made)

    def _saved(self, graph: KgliteFile, own: Collection[str], number: int) -> Partition:
        """Under a name that no one reads: a file is never written to again."""
        projects = tuple(sorted(own))
        entities, ghosts = graph.settle(projects)
        taken = {partition.file for partition in self._partitions}
        name = next(name for turn in range(len(taken) + 1) if (name := f"{number}-{turn}.kgl") not in taken)
        graph.save(self._path / name)
        return Partition(name, projects, entities, ghosts)

    def _publish(self, partitions: Sequence[Partition]) -> None:
        """Name these, and let go of the files of those before."""
        try:
            self._path.mkdir(exist_ok=True)
            write_partitions(self._path, partitions)
        except OSError as error:
            if is_full(error):
                raise StorageFullError(str(self._path)) from error
            raise StoreError(f"The graph cannot be written to {self._path}: {error}", "Check the folder.") from error
        self._partitions = tuple(partitions)
        named = {partition.file for partition in partitions}
        self._loaded = {name: graph for name, graph in self._loaded.items() if name in named}
        for file in self._path.glob("*.kgl"):
            if file.name not in named:
                file.unlink(missing_ok=True)

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError(f"The graph in {self._path} is closed.", "Open it again.")

    async def close(self) -> None:
        self._closed = True
        self._loaded.clear()
