"""The edges a question asks for: those its walk follows from what it means, and those between the projects it names."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from agents.direction import Walk
from agents.linking import Link, is_place, is_project
from memory.entities import Relationship
from memory.graph.port import GraphStore

__all__ = ["STRUCTURAL", "Walker"]

STRUCTURAL: Final = frozenset({"DEFINES"})
"""Relations that only say what stands inside what."""
_MESSAGING: Final = frozenset({"PUBLISHES", "SUBSCRIBES", "CONSUMES"})
_LIMIT: Final = 200


class Walker:
    """Follows walks in a store, `max_hops` edges at most in each direction it takes."""

    def __init__(self, store: GraphStore, *, max_hops: int) -> None:
        self._store = store
        self._max_hops = max_hops

    async def edges(
        self, question: str, links: Sequence[Link], walk: Walk, permission: frozenset[str]
    ) -> list[Relationship]:
        """The edges a question asks for: between the projects it names, and at the entities it means.

        A named project is where to look, not what is meant: its own edges count only when the question walks them and
        has nothing else to walk from.
        """
        named = [hit for hit in links if not (walk.direction != "both" and is_place(question, hit, links))]
        between = await self._between_projects(named, walk, permission)
        starts = [hit.entity.id for hit in named if walk.direction != "both" or not is_project(hit.entity)]
        found = {edge.id: edge for edge in between}
        found.update((edge.id, edge) for edge in await self._walk(starts, walk, permission))
        return [edge for edge in found.values() if edge.type not in STRUCTURAL]

    async def _walk(self, starts: Sequence[str], walk: Walk, permission: frozenset[str]) -> list[Relationship]:
        """The edges in the walk's direction, followed as many hops as it asks for, and then the walk from there."""
        found: dict[str, Relationship] = {}
        seen, ids = set(starts), list(starts)
        for _ in range(min(walk.hops, self._max_hops)):
            if not ids:
                break
            edges = await self._store.edges(
                ids, permission=permission, direction=walk.direction, types=walk.types, limit=_LIMIT
            )
            found.update((edge.id, edge) for edge in edges)
            ids = sorted(_ends(edges) - seen)
            seen.update(ids)
        if found and walk.then:
            found.update((edge.id, edge) for edge in await self._walk(ids, walk.then, permission))
        if found or not walk.types:
            return list(found.values())
        return await self._in_other_words(sorted(seen), walk, permission)

    async def _in_other_words(self, ids: Sequence[str], walk: Walk, permission: frozenset[str]) -> list[Relationship]:
        """Nothing by the verb that was used: any relation is better than none.

        Of a message broker, which nothing publishes, those of its users that publish something, and what they publish.
        """
        edges = await self._walk(ids, Walk(walk.direction, (), walk.hops), permission)
        if walk.direction != "in" or not _MESSAGING.intersection(walk.types):
            return edges
        users = _ends(edges) - set(ids)
        does = await self._store.edges(
            sorted(users), permission=permission, direction="out", types=walk.types, limit=_LIMIT
        )
        doing = {edge.source.id for edge in does}
        return [edge for edge in edges if edge.source.id in doing] + does if does else edges

    async def _between_projects(
        self, links: Sequence[Link], walk: Walk, permission: frozenset[str]
    ) -> list[Relationship]:
        """How the projects that the question names are connected: with each other, or, where it walks from one, with all."""
        named = {hit.entity.project for hit in links if hit.entity.kind == "project"}
        if not named or (len(named) == 1 and walk.direction == "both"):
            return []
        sources: Collection[str] = named if len(named) > 1 or walk.direction == "out" else permission
        targets: Collection[str] = named if len(named) > 1 or walk.direction == "in" else permission
        return await self._store.edges_between(sources, targets, permission=permission, types=walk.types, limit=_LIMIT)


def _ends(edges: Sequence[Relationship]) -> set[str]:
    return {end.id for edge in edges for end in (edge.source, edge.target)}
