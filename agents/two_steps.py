"""What is asked of a thing that a question describes: one relation finds the thing, the next one the answer (001
§3.1).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from agents.linking import EntityLink
from memory.entities import Entity, Relationship
from memory.graph.port import GraphStore
from memory.question.described import Described, Step
from memory.text import is_test

_T = TypeVar("_T")

_EDGES: Final = 200
_KINDS: Final = {"event": "topic", "queue": "topic", "message": "topic"}
_WHOLES: Final = frozenset({"service", "project", "package", "application", "app", "system", "repository", "library"})
"""What has its code inside: who calls any of it calls it."""


@dataclass(frozen=True, slots=True)
class _Found:
    """A thing that is described, and the relation that says so."""

    thing: Entity
    because: Relationship


async def two_steps(
    described: Described, links: Sequence[EntityLink], store: GraphStore, permission: frozenset[str]
) -> list[tuple[Relationship, ...]]:
    """The relations that lead from what is asked for to what is named, in the order of the question.

    Where nothing calls a thing, it is what publishes an event to which the thing subscribes that sets it going.
    """
    walk = _Walk(store, permission)
    found = await walk.things(await walk.named(described, links), described.first)
    found = _called(described.kind, found, lambda one: one.thing)
    found = [one for one in found if one.because.type != "IMPORTS"] or found  # an import says less than a call
    ways = await walk.on(found, described.then)
    if not ways and _is_whole(described.kind):
        ways = await walk.into(found, described.then)
    if not ways and "CALLS" in described.then.types and not described.then.onward:
        ways = await walk.by_events(found)
    ways = _called(described.wanted, ways, lambda way: way[0].target if described.then.onward else way[0].source)
    ways.sort(key=lambda way: is_test(way[0].path))
    first = {(way[0].source.id, way[0].target.id, way[-1].ends): way for way in reversed(ways)}
    return list(first.values())[::-1]


@dataclass(frozen=True, slots=True)
class _Walk:
    store: GraphStore
    permission: frozenset[str]

    async def named(self, described: Described, links: Sequence[EntityLink]) -> list[Entity]:
        """What the clause names: what was linked, else all that bear the name,
        since their relations select among them.
        """
        names = {name.casefold() for name in described.names}
        linked = [hit.entity for hit in links if names.issuperset(hit.surface.casefold().split())]
        return linked or await self.store.find_exact(sorted(names), permission=self.permission, limit=_EDGES)

    async def things(self, named: Sequence[Entity], step: Step) -> list[_Found]:
        """What the first step leads to."""
        ids = {entity.id for entity in named}
        edges = await self._edges(sorted(ids), step)
        ends = ((edge.target if step.onward else edge.source, edge) for edge in edges)
        return [_Found(end, edge) for end, edge in ends if end.id not in ids]

    async def on(self, found: Sequence[_Found], step: Step) -> list[tuple[Relationship, ...]]:
        """The second step, from or to the things themselves."""
        because = {one.thing.id: one.because for one in reversed(found)}
        edges = await self._edges(sorted(because), step)
        named = {end.id for edge in because.values() for end in (edge.source, edge.target)} - set(because)
        ways = [(edge, because[(edge.source if step.onward else edge.target).id]) for edge in edges]
        return [way for way in ways if (way[0].target if step.onward else way[0].source).id not in named]

    async def into(self, found: Sequence[_Found], step: Step) -> list[tuple[Relationship, ...]]:
        """The second step, between the projects of the things and others."""
        because = {one.thing.project: one.because for one in reversed(found)}
        inside, others = sorted(because), sorted(self.permission)
        between = (inside, others) if step.onward else (others, inside)
        edges = await self.store.edges_between(
            *between, permission=self.permission, types=sorted(step.types), limit=_EDGES
        )
        ends = ((edge.source if step.onward else edge.target, edge) for edge in edges)
        return [(edge, because[end.project]) for end, edge in ends]

    async def by_events(self, found: Sequence[_Found]) -> list[tuple[Relationship, ...]]:
        """Who publishes what the things subscribe to."""
        because = {one.thing.id: one.because for one in reversed(found)}
        heard = await self._edges(sorted(because), Step(frozenset({"SUBSCRIBES", "CONSUMES"}), onward=True))
        published = await self._edges(
            sorted({edge.target.id for edge in heard}), Step(frozenset({"PUBLISHES"}), onward=False)
        )
        return [(p, h, because[h.source.id]) for h in heard for p in published if p.target.id == h.target.id]

    async def _edges(self, ids: Sequence[str], step: Step) -> list[Relationship]:
        if not ids:
            return []
        return await self.store.edges(
            ids,
            permission=self.permission,
            direction="out" if step.onward else "in",
            types=sorted(step.types),
            limit=_EDGES,
        )


def _called(kind: str, found: Sequence[_T], entity: Callable[[_T], Entity]) -> list[_T]:
    """Those that are what the question calls them, all of them where none is."""
    one = kind.removesuffix("s") if not kind.endswith("ss") else kind
    names = {kind, kind.removesuffix("es"), one, _KINDS.get(one, one)}
    return [item for item in found if entity(item).kind in names] or list(found)


def _is_whole(kind: str) -> bool:
    return not _WHOLES.isdisjoint({kind, kind.removesuffix("s"), kind.removesuffix("ies") + "y"})
