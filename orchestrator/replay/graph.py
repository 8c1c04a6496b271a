"""`TapedGraph`: the graph store's reads behind a tape."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from memory.errors import StoreError

if TYPE_CHECKING:
    from memory.entities import Entity, Relationship
    from memory.graph import FileMention, GraphBatch, GraphPath, GraphStore
    from memory.graph.port import Direction
    from orchestrator.replay.tape import Tape

__all__ = ["TapedGraph"]


class TapedGraph:
    """The port's reads; it is never written to."""

    def __init__(self, tape: Tape, live: GraphStore | None) -> None:
        self._tape = tape
        self._live: Any = live
        self.engine = str(tape.look("graph.engine", lambda: self._live.engine))

    async def find_exact(self, keys: Sequence[str], *, permission: frozenset[str], limit: int = 50) -> list[Entity]:
        return await self._asked("find_exact", list(keys), permission=permission, limit=limit)

    async def find_prefix(self, prefix: str, *, permission: frozenset[str], limit: int = 20) -> list[Entity]:
        return await self._asked("find_prefix", prefix, permission=permission, limit=limit)

    async def find_text(self, words: Sequence[str], *, permission: frozenset[str], limit: int = 20) -> list[Entity]:
        return await self._asked("find_text", list(words), permission=permission, limit=limit)

    async def of_kind(self, kinds: Sequence[str], *, permission: frozenset[str], limit: int = 200) -> list[Entity]:
        return await self._asked("of_kind", list(kinds), permission=permission, limit=limit)

    async def get(self, ids: Sequence[str], *, permission: frozenset[str]) -> list[Entity]:
        return await self._asked("get", list(ids), permission=permission)

    async def edges(
        self,
        ids: Sequence[str],
        *,
        permission: frozenset[str],
        direction: Direction = "both",
        types: Sequence[str] = (),
        include_candidates: bool = False,
        limit: int = 200,
    ) -> list[Relationship]:
        return await self._asked(
            "edges",
            list(ids),
            permission=permission,
            direction=direction,
            types=list(types),
            include_candidates=include_candidates,
            limit=limit,
        )

    async def edges_between(
        self,
        sources: Collection[str],
        targets: Collection[str],
        *,
        permission: frozenset[str],
        types: Sequence[str] = (),
        limit: int = 200,
    ) -> list[Relationship]:
        ends = (sorted(sources), sorted(targets))
        return await self._asked("edges_between", *ends, permission=permission, types=list(types), limit=limit)

    async def paths(
        self,
        source_ids: Sequence[str],
        target_ids: Sequence[str],
        *,
        permission: frozenset[str],
        max_hops: int = 2,
        types: Sequence[str] = (),
        limit: int = 20,
    ) -> list[GraphPath]:
        ends = (list(source_ids), list(target_ids))
        return await self._asked(
            "paths", *ends, permission=permission, max_hops=max_hops, types=list(types), limit=limit
        )

    async def mentions(self, ids: Sequence[str], *, permission: frozenset[str], limit: int = 200) -> list[FileMention]:
        return await self._asked("mentions", list(ids), permission=permission, limit=limit)

    async def all_entities(self, *, permission: frozenset[str]) -> list[Entity]:
        return await self._asked("all_entities", permission=permission)

    async def all_edges(self, *, permission: frozenset[str], include_candidates: bool = True) -> list[Relationship]:
        return await self._asked("all_edges", permission=permission, include_candidates=include_candidates)

    async def replace(self, parts: Iterable[GraphBatch]) -> None:
        _refuse(parts)

    async def is_empty(self) -> bool:
        return False

    async def update(self, batch: GraphBatch, *, projects: Collection[str], sources: Collection[str]) -> None:
        _refuse(batch, projects, sources)

    async def close(self) -> None:
        """Nothing: what is live is its opener's."""

    async def _asked(self, method: str, *given: Any, **named: Any) -> list[Any]:
        async def fetch(_: list[int]) -> list[Any]:
            return [await getattr(self._live, method)(*given, **named)]

        [answer] = await self._tape.ask(f"graph.{method}", [{"given": list(given), **named}], fetch)
        rows: list[Any] = answer
        return rows


def _refuse(*_: object) -> NoReturn:
    raise StoreError("A recording is not written to.", "Index into a data folder.")
