"""The shortest paths between what a question names, and those that join what nothing direct joins (001 §4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from agents.linking import EntityLink, is_project
from agents.statements import path_observation
from configs.settings import GraphSettings
from memory.entities import STRUCTURAL, Relationship
from memory.graph.port import GraphPath, GraphStore
from memory.observations import GraphObservation

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
