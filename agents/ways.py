"""Ways of several relations that a question asks for: steps to and from what it describes, paths between what it names.

Of a thing that is described (001 §3.1), one relation finds the thing and the next one the answer; a thing that is
described by another such thing takes one more. Between what is named the shortest paths are told, and those that join
what nothing direct joins (001 §4.2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final

from agents.linking import EntityLink, is_project
from agents.statements import path_observation
from configs.settings import GraphSettings
from memory.entities import STRUCTURAL, Entity, Relationship
from memory.graph.port import GraphPath, GraphStore
from memory.observations import GraphObservation
from memory.question.described import Described, Step
from memory.text import is_test

_EDGES: Final = 200
_KINDS: Final = {"event": "topic", "queue": "topic", "message": "topic"}
_WHOLES: Final = frozenset({"service", "project", "package", "application", "app", "system", "repository", "library"})
"""What has its code inside: who calls any of it calls it."""


@dataclass(frozen=True, slots=True)
class _Found:
    """A thing, and the relations that lead from it to what is named."""

    thing: Entity
    way: tuple[Relationship, ...] = ()


async def two_steps(
    described: Described, links: Sequence[EntityLink], store: GraphStore, permission: frozenset[str]
) -> list[tuple[Relationship, ...]]:
    """The relations that lead from what is asked for to what is named, in the order of the question: two, and one more
    for each further clause.

    Where nothing calls a thing, it is what publishes an event to which the thing subscribes that sets it going.
    """
    walk = _Walk(store, permission)
    named = await walk.named(described, links)
    ids = {entity.id for entity in named}
    start = [_Found(entity) for entity in named]
    found = await walk.on(start, described.first)
    if not found and (whole := [one for one in start if _is_whole(one.thing.kind)]):
        found = await walk.into(whole, described.first)
    kind, found = described.kind, _described(described.kind, [one for one in found if one.thing.id not in ids])
    for further, step in described.further:
        kind, found = further, _described(further, await walk.beyond(found, kind, step))
    asked = await walk.beyond(found, kind, described.then)
    if not asked and "CALLS" in described.then.types and not described.then.onward:
        asked = await walk.by_events(found)
    ways = [one.way for one in _called(described.wanted, asked)]
    ways.sort(key=lambda way: is_test(way[0].path))
    first = {(way[0].source.id, way[0].target.id, way[-1].ends): way for way in reversed(ways)}
    return list(first.values())[::-1]


@dataclass(frozen=True, slots=True)
class _Walk:
    store: GraphStore
    permission: frozenset[str]

    async def named(self, described: Described, links: Sequence[EntityLink]) -> list[Entity]:
        """What the clause names: what was linked, else all that bear the name, since their relations select among them;
        a project that is named beside these says whose they are.
        """
        names = {name.casefold() for name in described.names}
        named = [hit for hit in links if names.issuperset(hit.surface.casefold().split())]
        linked = [hit.entity for hit in named]
        borne = [entity for entity in linked if not is_project(entity)]
        rest = names.difference(word for hit in named for word in hit.surface.casefold().split())
        if not borne and rest:
            borne = await self.store.find_exact(sorted(rest), permission=self.permission, limit=_EDGES)
        projects = {entity.project for entity in linked if is_project(entity)}
        return [entity for entity in borne if entity.project in projects] or borne or linked

    async def beyond(self, found: Sequence[_Found], kind: str, step: Step) -> list[_Found]:
        """What a step leads to from things of this kind; from each that has its code inside what lies outside it,
        else what its code leads to, else what lies inside.
        """
        reached = await self.on(found, step)
        if not _is_whole(kind):
            return reached
        outside = [one for one in reached if one.way[0].source.project != one.way[0].target.project]
        left = {one.thing.id for one in found} - {_start(one, step).id for one in outside}
        into = await self.into([one for one in found if one.thing.id in left], step)
        known = {_start(one, step).project for one in into}
        inside = [one for one in reached if _start(one, step).id in left and _start(one, step).project not in known]
        told = {one.way[0].id for one in outside}  # of a neighbour in the same project
        return [*outside, *(one for one in into if one.way[0].id not in told), *inside]

    async def on(self, found: Sequence[_Found], step: Step) -> list[_Found]:
        """A step from or to the things themselves, to what no way has passed."""
        by_id = {one.thing.id: one for one in reversed(found)}
        edges = await self._edges(sorted(by_id), step)
        passed = {end for one in by_id.values() for end in _ends(one)} - set(by_id)
        reached = list[_Found]()
        for edge in edges:
            start, end = _along(edge, step)
            one = by_id[start.id]
            if end.id not in passed | (_ends(one) - {start.id}):
                reached.append(_Found(end, (edge, *one.way)))
        return reached

    async def into(self, found: Sequence[_Found], step: Step) -> list[_Found]:
        """A step between the projects of the things and others."""
        by_project = {one.thing.project: one for one in reversed(found)}
        inside, others = sorted(by_project), sorted(self.permission)
        between = (inside, others) if step.onward else (others, inside)
        edges = await self.store.edges_between(
            *between, permission=self.permission, types=sorted(step.types), limit=_EDGES
        )
        reached = list[_Found]()
        for edge in edges:
            start, end = _along(edge, step)
            reached.append(_Found(end, (edge, *by_project[start.project].way)))
        return reached

    async def by_events(self, found: Sequence[_Found]) -> list[_Found]:
        """Who publishes what the things subscribe to."""
        ways = {one.thing.id: one.way for one in reversed(found)}
        heard = await self._edges(sorted(ways), Step(frozenset({"SUBSCRIBES", "CONSUMES"}), onward=True))
        published = await self._edges(
            sorted({edge.target.id for edge in heard}), Step(frozenset({"PUBLISHES"}), onward=False)
        )
        return [
            _Found(p.source, (p, h, *ways[h.source.id])) for h in heard for p in published if p.target.id == h.target.id
        ]

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


def _along(edge: Relationship, step: Step) -> tuple[Entity, Entity]:
    """Where a step along this relation begins, and where it leads."""
    return (edge.source, edge.target) if step.onward else (edge.target, edge.source)


def _start(found: _Found, step: Step) -> Entity:
    """What the last step to a thing set out from."""
    return _along(found.way[0], step)[0]


def _ends(found: _Found) -> set[str]:
    return {end.id for edge in found.way for end in (edge.source, edge.target)}


def _described(kind: str, found: Sequence[_Found]) -> list[_Found]:
    """Those that a clause describes: of its kind, and by more than an import, which says less than a call."""
    called = _called(kind, found)
    return [one for one in called if one.way[0].type != "IMPORTS"] or called


def _called(kind: str, found: Sequence[_Found]) -> list[_Found]:
    """Those that are what the question calls them, all of them where none is."""
    one = kind.removesuffix("s") if not kind.endswith("ss") else kind
    names = {kind, kind.removesuffix("es"), one, _KINDS.get(one, one)}
    return [item for item in found if item.thing.kind in names] or list(found)


def _is_whole(kind: str) -> bool:
    return not _WHOLES.isdisjoint({kind, kind.removesuffix("s"), kind.removesuffix("ies") + "y"})


_THINGS, _PROJECTS = 3, 5
"""Between so many of what is named paths are looked for."""


async def shortest_paths(
    links: Sequence[EntityLink],
    store: GraphStore,
    settings: GraphSettings,
    permission: frozenset[str],
    *,
    of_projects: bool,
) -> list[GraphObservation]:
    """The shortest paths between entities that different parts of the question mean, whichever way they lead.

    of_projects: whether between projects; else these are left out, which much leads to. Raises StoreError.
    """
    groups: dict[str, list[EntityLink]] = {}
    for hit in links:
        if is_project(hit.entity) == of_projects:
            groups.setdefault(hit.surface, []).append(hit)
    most = _PROJECTS if of_projects else _THINGS
    found: list[tuple[GraphPath, float]] = []
    for start, end in permutations(list(groups)[:most], 2):
        paths = await store.paths(
            [hit.entity.id for hit in groups[start]],
            [hit.entity.id for hit in groups[end]],
            permission=permission,
            max_hops=settings.max_path_hops,
            limit=5,
        )
        sure = min(groups[start][0].confidence, groups[end][0].confidence)
        shortest = min((path.hops for path in paths), default=0)
        found += [(path, sure) for path in paths if path.hops <= shortest + 1 and not _structural(path.edges)]
    found.sort(
        key=lambda item: (
            item[0].hops,
            -item[1],
            sum(edge.path != edge.source.path for edge in item[0].edges),
            [edge.id for edge in item[0].edges],
        )
    )
    ways: dict[tuple[str, ...], list[tuple[GraphPath, float]]] = {}
    for path, sure in found:
        ways.setdefault((path.edges[0].source.id, *(edge.target.id for edge in path.edges)), []).append((path, sure))
    return [
        path_observation(
            own[0][0].edges,
            own[0][1] * settings.hop_decay ** (own[0][0].hops - 1),
            store.engine,
            settings.max_locations,
            [edge for path, _ in own[1:] for edge in path.edges],
        )
        for own in list(ways.values())[:most]
    ]


def joining(found: Sequence[GraphObservation], ways: Sequence[GraphObservation]) -> list[GraphObservation]:
    """Of these paths, in their order, those that join projects which neither the relations in hand nor a path before
    joins.
    """
    groups: list[set[str]] = []
    for observation in found:
        for edge in observation.relationships:
            _join(groups, {edge.source.project, edge.target.project})
    return [way for way in ways if _join(groups, set(way.source_projects))]


def _join(groups: list[set[str]], projects: set[str]) -> bool:
    """Unite the groups that these projects are of, and them; whether that joins what was apart."""
    apart = not any(projects <= group for group in groups)
    met = [group for group in groups if not group.isdisjoint(projects)]
    groups[:] = [group for group in groups if group not in met] + [projects.union(*met)]
    return apart


def _structural(edges: Sequence[Relationship]) -> bool:
    return all(edge.type in STRUCTURAL for edge in edges)
