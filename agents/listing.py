"""What the graph holds of one kind, of the projects or the things that a question names, an observation for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from agents.inventory import Inventory
from agents.linking import Link, is_project
from memory.entities import Entity, Relationship
from memory.graph.port import GraphStore
from memory.observations import GraphObservation, Location

__all__ = ["inventories", "services_of"]

_READ: Final = 5_000
_SHOWN: Final = 25
_SURE: Final = 0.7
_EVERYWHERE: Final = 0.7
_OWN: Final = {"endpoint": ("EXPOSES",)}
"""By which relation a thing has its own, where the question names none: it may call the endpoints of others."""
_LIKELY: Final = 0.8
"""Of what is meant less surely than this share of the surest link nothing is listed."""


async def inventories(
    asked: Inventory, links: Sequence[Link], store: GraphStore, permission: frozenset[str]
) -> list[GraphObservation]:
    """One observation a project, or a thing such as a service, with what it has of the kind; empty where nothing has.

    Of the things named within a project it is theirs that is listed, not all of the project's; of a thing that has none
    (the service `billing` of another project's manifests) the project's that is called so too.
    """
    projects = {hit.entity.project: hit.confidence for hit in reversed(links) if is_project(hit.entity)}
    things = [hit for hit in links if not is_project(hit.entity) and hit.confidence >= _SURE]
    surest = max((hit.confidence for hit in things), default=0.0)
    things = [hit for hit in things if hit.confidence >= _LIKELY * surest]
    inside = [hit for hit in things if hit.entity.project in projects]
    told = [await _of_thing(asked, hit, store, permission) for hit in inside or things]
    of_things = [said for said in told if said is not None]
    if of_things or inside or (things and not projects):
        return of_things
    if projects and asked.contained:
        found = await _held(asked, store, permission & frozenset(projects))
        return [_of_project(asked, project, found[project], projects[project], store.engine) for project in found]
    if projects or not asked.everywhere:
        return []
    found = await _held(asked, store, permission)
    most = sorted(found, key=lambda project: (-len(found[project]), project))
    return [_of_project(asked, project, found[project], _EVERYWHERE, store.engine) for project in most]


async def services_of(
    projects: Sequence[Link], store: GraphStore, permission: frozenset[str]
) -> list[GraphObservation]:
    """Which services a project consists of, where it is more than one: said beside what the project is."""
    asked = Inventory("service", ("service",))
    found = await _held(asked, store, permission & {hit.entity.project for hit in projects})
    told = [
        _of_project(asked, project, own, _EVERYWHERE, store.engine) for project, own in found.items() if len(own) > 1
    ]
    return [replace(said, metadata={**said.metadata, "beside": True}) for said in told]


async def _held(asked: Inventory, store: GraphStore, permission: frozenset[str]) -> dict[str, list[Entity]]:
    """The entities of the kind by project; where a relation is asked for, those that it leads to within the project."""
    entities = await store.of_kind(asked.kinds, permission=permission, limit=_READ)
    if asked.types and "READS" not in asked.types:
        edges = await store.edges(
            [entity.id for entity in entities], permission=permission, direction="in", types=asked.types, limit=_READ
        )
        reached = {edge.target.id for edge in edges if edge.source.project == edge.target.project}
        entities = [entity for entity in entities if entity.id in reached]
    found: dict[str, list[Entity]] = {}
    for entity in entities:
        found.setdefault(entity.project, []).append(entity)
    return found


async def _of_thing(
    asked: Inventory, hit: Link, store: GraphStore, permission: frozenset[str]
) -> GraphObservation | None:
    """What a thing's own relations lead to."""
    types = asked.types or _OWN.get(asked.noun, ())
    edges = await store.edges([hit.entity.id], permission=permission, direction="out", types=types, limit=_READ)
    own = {edge.ends[2]: edge for edge in reversed(edges) if edge.target.kind in asked.kinds}
    proved = sorted(own.values(), key=lambda edge: (edge.target.name, edge.id))
    if not proved:
        return None
    shown = proved[:_SHOWN]
    places = (Location(edge.project, edge.path, line, line) for edge in shown for line in edge.lines[:1])
    return _observation(
        asked,
        hit.entity.name if hit.entity.name == hit.entity.project else f"{hit.entity.name} of {hit.entity.project}",
        [edge.target for edge in proved],
        hit.confidence,
        store.engine,
        locations=tuple(dict.fromkeys(places)),
        relationships=shown,
        projects=[hit.entity.project],
        hops=1,
    )


def _of_project(
    asked: Inventory, project: str, entities: Sequence[Entity], confidence: float, engine: str
) -> GraphObservation:
    shown = _once(entities)[:_SHOWN]
    places = (Location(e.project, e.path, e.start_line, e.start_line) for e in shown if e.path and e.start_line)
    return _observation(
        asked, project, entities, confidence, engine, locations=tuple(dict.fromkeys(places)), projects=[project]
    )


def _observation(
    asked: Inventory,
    owner: str,
    entities: Sequence[Entity],
    confidence: float,
    engine: str,
    *,
    locations: tuple[Location, ...],
    projects: Sequence[str],
    relationships: Sequence[Relationship] = (),
    hops: int = 0,
) -> GraphObservation:
    named = _once(entities)
    names = ", ".join(entity.name for entity in named[:_SHOWN])
    more = f" and {len(named) - _SHOWN} more" if len(named) > _SHOWN else ""
    metadata: dict[str, Any] = {
        "kind": "inventory",
        "noun": asked.noun,
        "plural": asked.plural,
        "owner": owner,
        "total": len(entities),
        "names": len(named),
        "times": {name: many for name, many in Counter(e.name for e in entities).items() if many > 1},
    }
    return GraphObservation(
        content=f"{owner} has {len(entities)} {asked.noun if len(entities) == 1 else asked.plural}: {names}{more}.",
        entities=named[:_SHOWN],
        relationships=list(relationships),
        source_projects=list(projects),
        hop_depth=hops,
        confidence=round(confidence, 4),
        observation_type="pattern",
        engine=engine,
        locations=locations,
        metadata=metadata,
    )


def _once(entities: Sequence[Entity]) -> list[Entity]:
    """The first of each name: several services may have an endpoint `GET /health`."""
    named: dict[str, Entity] = {}
    for entity in entities:
        named.setdefault(entity.name, entity)
    return list(named.values())
