"""The graph in plain Python: for tests, ours and our users'. The same contract, the same rows in the same order."""

from __future__ import annotations

from collections.abc import AsyncIterable, Callable, Collection, Iterable, Sequence
from dataclasses import replace

from memory.entities import Entity, Relationship
from memory.graph.port import Direction, GraphBatch, GraphPath, checked
from memory.graph.queries import name_parts


class FakeGraphStore:
    """Keeps one batch. `calls` lists each read's name and permission, so that a test can see what reached the store."""

    def __init__(self, batch: GraphBatch | None = None, *, engine: str = "kglite") -> None:
        self.engine = engine
        self.calls: list[tuple[str, frozenset[str]]] = []
        self._batch = checked(batch or GraphBatch((), ()))

    def _entities(self, call: str, permission: frozenset[str], wanted: Callable[[Entity], bool]) -> list[Entity]:
        self._note(call, permission)
        return sorted((e for e in self._batch.entities if e.project in permission and wanted(e)), key=lambda e: e.id)

    def _edges(
        self, call: str, permission: frozenset[str], wanted: Callable[[Relationship], bool], statuses: Sequence[str]
    ) -> list[Relationship]:
        self._note(call, permission)
        return sorted(
            (
                replace(r, evidence=tuple(e for e in r.evidence if e.project in permission))
                for r in self._batch.relationships
                if {r.project, r.source.project, r.target.project} <= permission and r.status in statuses and wanted(r)
            ),
            key=lambda r: r.id,
        )

    def _note(self, call: str, permission: frozenset[str]) -> None:
        if permission:
            self.calls.append((call, permission))

    async def find_exact(self, keys: Sequence[str], *, permission: frozenset[str], limit: int = 50) -> list[Entity]:
        folded = {key.casefold() for key in keys}
        return self._entities("find_exact", permission, lambda e: e.key in folded)[:limit]

    async def find_prefix(self, prefix: str, *, permission: frozenset[str], limit: int = 20) -> list[Entity]:
        found = self._entities("find_prefix", permission, lambda e: e.key.startswith(prefix.casefold()))
        return sorted(found, key=lambda e: len(e.key))[:limit]

    async def find_text(self, words: Sequence[str], *, permission: frozenset[str], limit: int = 20) -> list[Entity]:
        wanted = {part for word in words for part in name_parts(word)}
        found = self._entities("find_text", permission, lambda e: not wanted.isdisjoint(name_parts(e.name)))

        def fit(entity: Entity) -> tuple[int, int]:
            parts = name_parts(entity.name)
            return -len(wanted.intersection(parts)), len(" ".join(parts))

        return sorted(found, key=fit)[:limit]

    async def edges(
        self,
        ids: Sequence[str],
        *,
        permission: frozenset[str],
        direction: Direction = "both",
        types: Sequence[str] = (),
        limit: int = 200,
    ) -> list[Relationship]:
        def wanted(edge: Relationship) -> bool:
            leaves = direction != "in" and edge.source.id in ids
            reaches = direction != "out" and edge.target.id in ids
            return (leaves or reaches) and (not types or edge.type in types)

        return self._edges("edges", permission, wanted, ("confirmed",))[:limit]

    async def edges_between(
        self,
        sources: Collection[str],
        targets: Collection[str],
        *,
        permission: frozenset[str],
        types: Sequence[str] = (),
        limit: int = 200,
    ) -> list[Relationship]:
        def wanted(edge: Relationship) -> bool:
            crosses = edge.source.project in sources and edge.target.project in targets
            return crosses and edge.source.project != edge.target.project and (not types or edge.type in types)

        return self._edges("edges_between", permission, wanted, ("confirmed",))[:limit]

    async def paths(
        self,
        source_ids: Sequence[str],
        target_ids: Sequence[str],
        *,
        permission: frozenset[str],
        max_hops: int = 2,
        limit: int = 20,
    ) -> list[GraphPath]:
        edges = self._edges("paths", permission, lambda _: True, ("confirmed",))
        walks: list[tuple[Relationship, ...]] = [(e,) for e in edges if e.source.id in source_ids]
        found: list[tuple[Relationship, ...]] = []
        for _ in range(min(max(max_hops, 1), 4)):
            walks = [walk for walk in walks if len({walk[0].source.id, *(e.target.id for e in walk)}) == len(walk) + 1]
            found += [walk for walk in walks if walk[-1].target.id in target_ids]
            walks = [(*walk, e) for walk in walks for e in edges if e.source.id == walk[-1].target.id]
        return [GraphPath(walk) for walk in found[:limit]]

    async def all_entities(self, *, permission: frozenset[str]) -> list[Entity]:
        return self._entities("all_entities", permission, lambda _: True)

    async def all_edges(self, *, permission: frozenset[str]) -> list[Relationship]:
        return self._edges("all_edges", permission, lambda _: True, ("confirmed", "candidate"))

    async def replace(self, parts: AsyncIterable[GraphBatch]) -> None:
        self._batch = _joined([checked(part) async for part in parts])

    async def is_empty(self) -> bool:
        return not self._batch.entities

    async def update(self, batch: GraphBatch, *, projects: Collection[str], sources: Collection[str]) -> None:
        entities = [e for e in self._batch.entities if e.project not in projects]
        there = {e.id for e in entities}
        relations = [r for r in self._batch.relationships if r.source.project not in sources]
        relations = [r for r in relations if r.source.id in there and r.target.id in there]
        self._batch = _joined([GraphBatch(entities, relations), checked(batch)])

    async def close(self) -> None:
        """Nothing to let go of."""


def _joined(parts: Iterable[GraphBatch]) -> GraphBatch:
    """All of them as one, where an entity of one is the end of another's relation."""
    batches = list(parts)
    return checked(
        GraphBatch(
            [entity for batch in batches for entity in batch.entities],
            [relation for batch in batches for relation in batch.relationships],
        )
    )
