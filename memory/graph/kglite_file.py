"""One file of kglite, an engine in this process that runs Cypher: made or loaded, changed, asked, and saved.

An index by a property and the full-text index are saved with it; `timeout_ms` ends a query that takes too long.
"""

from __future__ import annotations

import errno
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

from memory.attempt import panics_as
from memory.errors import StorageFullError, StoreError, UnavailableError
from memory.graph import queries
from memory.graph.port import GraphBatch

ANEW: Final = "Index the projects again."
_ROWS_A_LOAD: Final = 2_000
_NO_DEADLINE: Final = 0
_FULL: Final = tuple(f"(os error {number})" for number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG))
_THERE: Final = "MATCH (e:Entity) WHERE e.id IN $ids RETURN e.id AS id"
_FOREIGN: Final = (
    "MATCH (e:Entity) WHERE NOT e.project IN $own RETURN DISTINCT e.project AS project",
    # Row by row: a pattern of this size alone the engine follows in threads, which keep 25 MB for themselves.
    "MATCH (a:Entity) WITH a MATCH (a)-[r:REL]->() WHERE NOT r.project IN $own RETURN DISTINCT r.project AS project",
)
_OWN: Final = "MATCH (e:Entity) WHERE e.project IN $own RETURN count(e) AS entities"
_UNBOUND: Final = "MATCH (e:Entity) WHERE NOT e.project IN $own AND NOT (e)--() DELETE e"


class KgliteFile:
    """A graph in memory that came from a file, or will be one."""

    def __init__(self, graph: Any, namespace: str) -> None:
        self._graph = graph
        self._namespace = namespace
        self._snapshot: Any = None

    @classmethod
    def empty(cls, namespace: str) -> KgliteFile:
        """Of nothing yet."""
        return cls(_engine().KnowledgeGraph(), namespace)

    @classmethod
    def load(cls, path: Path, namespace: str) -> KgliteFile:
        """What was saved at `path`. Raises StoreError when there is nothing, or it is damaged."""
        engine = _engine()
        try:
            with panics_as(lambda message: _unopened(path, message)):
                return cls(engine.load(str(path)), namespace)
        except (engine.KgError, OSError, ValueError) as error:
            raise _unopened(path, str(error)) from error

    def rows(self, text: str, parameters: Mapping[str, Any], timeout_ms: int) -> list[dict[str, Any]]:
        """What a query finds, in a frozen snapshot. Raises TimeoutError, and StoreError when the engine refuses it."""
        engine = _engine()
        if self._snapshot is None:
            self._snapshot = self._graph.freeze()
        try:
            with panics_as(_refused):
                found: list[dict[str, Any]] = self._snapshot.cypher(
                    text, params=parameters, timeout_ms=timeout_ms
                ).to_list()
        except engine.CypherTimeoutError as error:
            raise TimeoutError(str(error)) from error
        except engine.KgError as error:
            raise _refused(str(error)) from error
        return found

    def take_out(self, projects: Collection[str], sources: Collection[str]) -> None:
        """The entities of `projects` with all that touches them, and what starts in `sources`."""
        given = {"projects": sorted(projects), "sources": sorted(sources), "namespace": self._namespace}
        for text in queries.DELETE_SOURCES:
            self._run(text, given)

    def put_in(self, batch: GraphBatch) -> None:
        """A batch with its ends; an entity that is there already is left as it is."""
        entities = {entity.id: entity for entity in (*batch.ends, *batch.entities)}
        there = {row["id"] for row in self._run(_THERE, {"ids": sorted(entities)})}
        self._load(
            queries.CREATE_ENTITIES, (queries.entity_row(one) for one in entities.values() if one.id not in there)
        )
        self._load(queries.CREATE_RELATIONS, map(queries.relation_row, batch.relationships))

    def settle(self, own: Sequence[str]) -> tuple[int, tuple[str, ...]]:
        """Take out what is neither of `own` projects nor touched by anything, and index the rest.

        Returns how many entities are their own, and of which other projects something is there.
        """
        self._run(_UNBOUND, {"own": own})
        [counted] = self._run(_OWN, {"own": own})
        foreign = {row["project"] for text in _FOREIGN for row in self._run(text, {"own": own})}
        if counted["entities"] or foreign:
            # No index on the project: with one, the engine starts every query from all that is allowed (6 ms, not 0.7).
            self._graph.create_index("Entity", "key")
            self._graph.build_text_index("Entity", "search", name="entity_name_ft")
        return counted["entities"], tuple(sorted(foreign))

    def save(self, path: Path) -> None:
        """The last that is done with it. The engine writes a temporary file beside it, flushes and renames; what the
        graph took goes back to the system. Raises StorageFullError, StoreError.
        """
        self._snapshot = None
        try:
            with panics_as(lambda message: _unsaved(path, message)):
                self._graph.save(str(path))
        except (_engine().KgError, OSError, ValueError) as error:
            raise _unsaved(path, str(error)) from error
        self._graph = None
        _engine().trim_memory()  # the engine's own allocator keeps what this thread let go of

    def _load(self, text: str, rows: Iterable[Mapping[str, Any]]) -> None:
        coming = iter(rows)
        while some := list(islice(coming, _ROWS_A_LOAD)):
            self._run(text, {"rows": some, "namespace": self._namespace})

    def _run(self, text: str, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
        self._snapshot = None  # while anything else holds the graph, the engine copies it to write and to save
        with panics_as(_refused):
            found: list[dict[str, Any]] = self._graph.cypher(
                text, params=dict(parameters), timeout_ms=_NO_DEADLINE
            ).to_list()
        return found


def _unopened(path: Path, message: str) -> StoreError:
    return StoreError(f"The graph in {path} cannot be opened: {message}", ANEW)


def _refused(message: str) -> StoreError:
    return StoreError(f"The graph refused a query: {message}", ANEW)


def _unsaved(path: Path, message: str) -> UnavailableError:
    if any(number in message for number in _FULL):
        return StorageFullError(str(path))
    return StoreError(f"The graph cannot be written to {path}: {message}", "Check the folder.")


def _engine() -> Any:
    import kglite  # noqa: PLC0415 - only who opens a graph pays for the engine

    kglite.set_query_warning_policy("silent")  # it would print to standard error
    return kglite
