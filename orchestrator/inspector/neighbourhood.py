"""The part of the graph that made the scope: entities in columns, one a project, and the relations between them.

The layout is a table: projects from left to right as the scope ranks them, in each the entities that the question was
linked to first, then those with the most relations, then by name. Nothing is random, so the same run looks the same.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from memory.observations import GraphObservation
from orchestrator.events import ObservationAdded, ScopeFound

if TYPE_CHECKING:
    from memory.entities import Entity, Relationship, Scope
    from orchestrator.inspector.inspection import Inspection

__all__ = ["Column", "Edge", "Neighbourhood", "Node", "neighbourhood"]

_COLUMNS: Final = 6
_ROWS: Final = 7


@dataclass(frozen=True, slots=True)
class Node:
    """An entity, where it stands in the table, and whether the question was linked to it."""

    entity: Entity
    column: int
    row: int
    linked: bool


@dataclass(frozen=True, slots=True)
class Edge:
    """All relations from one entity to another, by what they are called."""

    source: Node
    target: Node
    relations: tuple[Relationship, ...]

    @property
    def types(self) -> tuple[str, ...]:
        """Each once."""
        return tuple(dict.fromkeys(relation.type for relation in self.relations))


@dataclass(frozen=True, slots=True)
class Column:
    """A project; confidence and because: the scope's, None and "" where it is not in it."""

    project: str
    confidence: float | None
    because: str = ""


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """What is drawn; left_out: entities for which there is no room."""

    columns: tuple[Column, ...]
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    left_out: int = 0


def neighbourhood(inspection: Inspection) -> Neighbourhood:
    """Of the entities and relations that the graph's observations name."""
    scope = next((event.scope for _, event in inspection.of(ScopeFound)), None)
    entities: dict[str, Entity] = {}
    relations: dict[tuple[str, str, str], Relationship] = {}
    for _, event in inspection.of(ObservationAdded):
        if isinstance(event.observation, GraphObservation):
            for relation in event.observation.relationships:
                relations.setdefault(relation.ends, relation)
                entities.setdefault(relation.source.id, relation.source)
                entities.setdefault(relation.target.id, relation.target)
            for entity in event.observation.entities:
                entities.setdefault(entity.id, entity)
    columns = _columns(scope, entities)
    nodes = _nodes(columns, scope, entities, relations)
    return Neighbourhood(columns, tuple(nodes.values()), _edges(nodes, relations), len(entities) - len(nodes))


def _columns(scope: Scope | None, entities: dict[str, Entity]) -> tuple[Column, ...]:
    """The scope's projects that have an entity to show, best first, then the others."""
    there = dict.fromkeys(entity.project for entity in entities.values())
    ranked = [p for p in scope.ranked if p.project in there] if scope else []
    inside = [Column(p.project, p.confidence, p.because) for p in ranked]
    named = {column.project for column in inside}
    outside = [Column(project, None) for project in there if project not in named]
    return (*inside, *outside)[:_COLUMNS]


def _nodes(
    columns: tuple[Column, ...],
    scope: Scope | None,
    entities: dict[str, Entity],
    relations: dict[tuple[str, str, str], Relationship],
) -> dict[str, Node]:
    linked = {name.casefold() for name in scope.linked} if scope else set()
    degree = Counter(end for source, _, target in relations for end in (source, target))

    def order(entity: Entity) -> tuple[bool, int, str, str]:
        return entity.key not in linked, -degree[entity.id], entity.name, entity.id

    nodes: dict[str, Node] = {}
    for place, column in enumerate(columns):
        own = sorted((e for e in entities.values() if e.project == column.project), key=order)
        nodes |= {e.id: Node(e, place, row, e.key in linked) for row, e in enumerate(own[:_ROWS])}
    return nodes


def _edges(nodes: dict[str, Node], relations: dict[tuple[str, str, str], Relationship]) -> tuple[Edge, ...]:
    between: dict[tuple[str, str], list[Relationship]] = {}
    for (source, _, target), relation in relations.items():
        if source in nodes and target in nodes and source != target:
            between.setdefault((source, target), []).append(relation)
    return tuple(Edge(nodes[source], nodes[target], tuple(found)) for (source, target), found in between.items())
