"""The embedded graph: a folder of kglite files, each the graph of some projects.

One process writes a folder that no one reads yet (a staged generation), readers load it and query frozen snapshots.
Reads run in a worker thread: the hop costs 0.12 ms against 0.1-10 ms a query on 100,000 entities, and a slow query then
holds up no one and can be abandoned.

The parts are an edge-cut with ghosts, the ends that edges have in other parts. Each holds all that starts in its
projects, and a copy of every entity of another part where that ends (Gonzalez et al., PowerGraph, OSDI 2012, §4:
"edge-cut", "ghosts"). So an edge is in one part, with both its ends; every read of one hop is the reads of the parts
together; and a change writes the parts anew that hold its projects, or ghosts of them, and no other. Indexing needs the
room of one part.

partitions.json names them. It is replaced as a whole, after the files that it names are there, so a reader sees either.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import AsyncIterable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final, Self

import anyio.to_thread

from memory.disk import Disk, is_full
from memory.errors import StorageFullError, StoreError
from memory.graph.cypher import CypherReads
from memory.graph.kglite_file import ANEW, KgliteFile
from memory.graph.port import GraphBatch, checked
from memory.graph.queries import gathered

_ENTITIES_A_FILE: Final = 8_000

_NAMES: Final = "partitions.json"


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

    async def replace(self, parts: AsyncIterable[GraphBatch]) -> None:
        """Raises ValueError on a part that does not hold together; then, as on any other error, nothing has changed."""
        self._check_open()
        made: list[Partition] = []
        graph, own, size = KgliteFile.empty(self.namespace), set[str](), 0
        async for part in parts:
            if size and size + len(part.entities) > self._entities_a_file:
                made.append(await anyio.to_thread.run_sync(self._saved, graph, own, len(made)))
                graph, own, size = KgliteFile.empty(self.namespace), set(), 0
            await anyio.to_thread.run_sync(graph.put_in, checked(part))
            own |= part.projects
            size += len(part.entities)
        if own:
            made.append(await anyio.to_thread.run_sync(self._saved, graph, own, len(made)))
        self._publish(made)

    async def is_empty(self) -> bool:
        return not self._partitions

    async def update(self, batch: GraphBatch, *, projects: Collection[str], sources: Collection[str]) -> None:
        """Raises ValueError on a batch that does not hold together; then, as on any error, nothing has changed."""
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


@dataclass(frozen=True, slots=True)
class Partition:
    """One part. file: its name in the folder; entities: how many are its own; ghosts: other projects it has some of."""

    file: str
    projects: tuple[str, ...]
    entities: int
    ghosts: tuple[str, ...] = ()

    def parameters(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """A read's, with as much of the permission as concerns it: an engine looks at each name for each row."""
        here = {*self.projects, *self.ghosts}
        return {**given, "permission": [project for project in given["permission"] if project in here]}

    def is_touched(self, projects: Collection[str], sources: Collection[str]) -> bool:
        """Whether it holds anything of `projects`, or what starts in `sources`."""
        gone = set(projects)
        return not (
            gone.isdisjoint(self.projects) and gone.isdisjoint(self.ghosts) and set(sources).isdisjoint(self.projects)
        )


def housed(partitions: Sequence[Partition], coming: Mapping[str, int], room: int) -> list[Partition]:
    """The partitions, with a home for each of these projects (name -> entities): its own, else the last with room."""
    homes = list(partitions)
    there = {project for partition in partitions for project in partition.projects}
    for project in sorted(coming.keys() - there):
        if not homes or homes[-1].entities >= room:
            homes.append(Partition("", (), 0))
        last = homes[-1]
        homes[-1] = replace(last, projects=(*last.projects, project), entities=last.entities + coming[project])
    return homes


def holding(partitions: Sequence[Partition], parameters: Mapping[str, Any]) -> list[Partition]:
    """Those that a read has to ask: that own a project of the permission, and hold something of what it looks for."""
    allowed = set(parameters["permission"])
    asked = [partition for partition in partitions if not allowed.isdisjoint(partition.projects)]
    known = {project for partition in partitions for project in partition.projects}
    found = _projects_of(parameters.get("ids", ()), known)
    return [p for p in asked if not found.isdisjoint(p.projects) or not found.isdisjoint(p.ghosts)] if found else asked


def _projects_of(ids: Sequence[str], known: Collection[str]) -> set[str]:
    """Whose entities these may be, by what their ids begin with (`Entity.id`); none where one's does not tell."""
    found = set[str]()
    for one in ids:
        parts = one.split("/")
        whose = {start for n in range(1, len(parts)) if (start := "/".join(parts[:n])) in known}
        if not whose:
            return set()
        found |= whose
    return found


def read_partitions(folder: Path) -> tuple[Partition, ...]:
    """Those of a graph's folder. Raises StoreError when there are none or they cannot be determined."""
    try:
        rows = json.loads((folder / _NAMES).read_text("utf-8"))
        return tuple(
            Partition(row["file"], tuple(row["projects"]), row["entities"], tuple(row["ghosts"])) for row in rows
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StoreError(f"The graph in {folder} cannot be opened: {error!r}", ANEW) from error


def write_partitions(folder: Path, partitions: Iterable[Partition]) -> None:
    """In place of those before. Raises OSError."""
    Disk().write(folder / _NAMES, [json.dumps([asdict(one) for one in partitions])])
