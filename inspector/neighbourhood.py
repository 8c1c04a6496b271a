"""The part of the graph that made the scope: entities in columns, one a project, and the relations between them.

The layout is a table: projects from left to right as the scope ranks them, in each the entities that the question was
linked to first, then those with the most relations, then by name. Nothing is random, so the same run looks the same.

The neighbourhood as SVG: a column a project, curves between the entities, everything in whole pixels.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from inspector.markup import Html, count, join, section, tag
from memory.observations import GraphObservation
from memory.text.output import shortened
from orchestrator.events import ObservationAdded, ScopeFound

if TYPE_CHECKING:
    from inspector.inspection import Inspection
    from memory.entities import Entity, Relationship, Scope

_COLUMNS: Final = 6
_ROWS: Final = 7


@dataclass(frozen=True, slots=True)
class GraphNode:
    """An entity, where it is in the table, and whether the question was linked to it."""

    entity: Entity
    column: int
    row: int
    linked: bool


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """All relations from one entity to another, by what they are called."""

    source: GraphNode
    target: GraphNode
    relations: tuple[Relationship, ...]

    @property
    def types(self) -> tuple[str, ...]:
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
    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
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
) -> dict[str, GraphNode]:
    linked = {name.casefold() for name in scope.linked} if scope else set()
    degree = Counter(end for source, _, target in relations for end in (source, target))

    def order(entity: Entity) -> tuple[bool, int, str, str]:
        return entity.key not in linked, -degree[entity.id], entity.name, entity.id

    nodes: dict[str, GraphNode] = {}
    for place, column in enumerate(columns):
        own = sorted((e for e in entities.values() if e.project == column.project), key=order)
        nodes |= {e.id: GraphNode(e, place, row, e.key in linked) for row, e in enumerate(own[:_ROWS])}
    return nodes


def _edges(nodes: dict[str, GraphNode], relations: dict[tuple[str, str, str], Relationship]) -> tuple[GraphEdge, ...]:
    between: dict[tuple[str, str], list[Relationship]] = {}
    for (source, _, target), relation in relations.items():
        if source in nodes and target in nodes and source != target:
            between.setdefault((source, target), []).append(relation)
    return tuple(GraphEdge(nodes[source], nodes[target], tuple(found)) for (source, target), found in between.items())


_WIDE, _HIGH = 170, 44  # an entity
_GAP, _BETWEEN = 16, 68  # below it, and between two columns
_HEAD, _EDGE, _BESIDE = 52, 14, 46  # a column's head, around it, and room for curves beside the last
_CHARS: Final = 21


def drawing(inspection: Inspection) -> Html:
    known = neighbourhood(inspection)
    scope = inspection.result["scope"]
    projects = tag("ol", *(_project(p) for p in scope["projects"]), class_="projects") if scope["projects"] else ""
    how = f"{scope['mode'].replace('_', ' ')}, {scope['strength']}"
    widened = tag("p", "Hits outside the scope came up in ", ", ".join(scope["widened_by"]), ".", class_="note")
    if not known.nodes:
        ended = {one["agent"]: one["status"] for one in inspection.result["coverage"]["agents"]}
        why = "named no entity" if ended.get("graph") in {"ok", "empty"} else f"ended {ended.get('graph', 'skipped')}"
        empty = tag("p", f"The graph {why}, so nothing narrowed the search.", class_="empty")
        return section("graph", "Graph and scope", projects or empty, note=how)
    svg = tag("div", _svg(known), class_="wide graph-drawing", tabindex="0", role="group", aria_label="Drawing")
    left = tag("p", f"Not drawn: {count(known.left_out, 'entity', 'entities')}.", class_="note")
    return section(
        "graph",
        "Graph and scope",
        svg,
        left if known.left_out else "",
        projects or tag("p", "No scope came of it.", class_="empty"),
        widened if scope["widened"] else "",
        _listed(known),
        note=how,
    )


def _project(scoped: dict[str, object]) -> Html:
    head = join(tag("b", scoped["project"]), " ", tag("span", f"{scoped['confidence']:.2f}", class_="num soft"))
    return tag("li", tag("span", head), tag("span", str(scoped["because"]), class_="because"))


def _svg(known: Neighbourhood) -> Html:
    rows = max(node.row for node in known.nodes) + 1
    width = 2 * _EDGE + len(known.columns) * _WIDE + (len(known.columns) - 1) * _BETWEEN + _BESIDE
    height = _HEAD + rows * (_HIGH + _GAP) + _EDGE
    arrow = tag(
        "defs",
        tag(
            "marker",
            tag("path", d="M0 0 8 4 0 8z", class_="tip"),
            id="tip",
            viewBox="0 0 8 8",
            refX="7",
            refY="4",
            markerWidth="7",
            markerHeight="7",
            orient="auto",
        ),
    )
    title = f"{count(len(known.nodes), 'entity', 'entities')} and {count(len(known.edges), 'relation')}, by project"
    return tag(
        "svg",
        tag("title", title),
        arrow,
        *(_column(place, column, height) for place, column in enumerate(known.columns)),
        *(_edge(edge) for edge in known.edges),
        *(_node(node) for node in known.nodes),
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        role="img",
    )


def _left(column: int) -> int:
    return _EDGE + column * (_WIDE + _BETWEEN)


def _top(row: int) -> int:
    return _HEAD + row * (_HIGH + _GAP)


def _column(place: int, column: Column, height: int) -> Html:
    x = _left(place)
    label = f"in scope, {column.confidence:.2f}" if column.confidence is not None else "not in scope"
    return tag(
        "g",
        tag("rect", x=x - 10, y=4, width=_WIDE + 20, height=height - 8, rx=10, class_="column"),
        tag("text", shortened(column.project, _CHARS), x=x, y=24, class_="project"),
        tag("text", label, x=x, y=40, class_="caption"),
        class_="in" if column.confidence is not None else "out",
    )


def _node(node: GraphNode) -> Html:
    x, y = _left(node.column), _top(node.row)
    entity = node.entity
    return tag(
        "g",
        tag("title", f"{entity.label}: {entity.kind}, {entity.path}:{entity.start_line}. {entity.summary}"),
        tag("rect", x=x, y=y, width=_WIDE, height=_HIGH, rx=7, class_="box"),
        tag("text", shortened(entity.name, _CHARS), x=x + 12, y=y + 19, class_="name"),
        tag(
            "text",
            f"{shortened(entity.kind, _CHARS)}{', in the question' if node.linked else ''}",
            x=x + 12,
            y=y + 35,
            class_="caption",
        ),
        class_="node linked" if node.linked else "node",
    )


def _edge(edge: GraphEdge) -> Html:
    a, b = edge.source, edge.target
    sure = all(relation.status == "confirmed" for relation in edge.relations)
    return tag(
        "g",
        tag("title", f"{a.entity.label} {', '.join(edge.types)} {b.entity.label}"),
        tag("path", d=_curve(a, b), class_="edge", marker_end="url(#tip)"),
        class_="relation" if sure else "relation candidate",
    )


def _curve(a: GraphNode, b: GraphNode) -> str:
    """From the side of one that faces the other; within a column a bow beside it."""
    ya, yb = _top(a.row) + _HIGH // 2 - 5, _top(b.row) + _HIGH // 2 + 5
    right = a.column <= b.column
    xa = _left(a.column) + (_WIDE if right else 0)
    xb = _left(b.column) + (0 if a.column < b.column else _WIDE)
    if a.column == b.column:
        out = xa + min(16 + 7 * abs(a.row - b.row), _BETWEEN - 10)
        return f"M{xa} {ya}C{out} {ya} {out} {yb} {xb} {yb}"
    half = _BETWEEN // 2 if right else -_BETWEEN // 2
    if abs(a.column - b.column) == 1:
        return f"M{xa} {ya}C{xa + half} {ya} {xb - half} {yb} {xb} {yb}"
    gap = _top(a.row) + _HIGH + _GAP // 2  # past the columns between, below the source's row
    there = f"C{xa + half} {ya} {xa + half} {gap} {xa + 2 * half} {gap}"
    return f"M{xa} {ya}{there}H{xb - 2 * half}C{xb - half} {gap} {xb - half} {yb} {xb} {yb}"


def _listed(known: Neighbourhood) -> Html:
    rows = [
        tag(
            "li",
            tag("b", edge.source.entity.label),
            " ",
            tag("span", relation.type.lower().replace("_", " "), class_="verb"),
            " ",
            tag("b", edge.target.entity.label),
            tag("span", f" {relation.project}/{relation.path}:{min(relation.lines)}", class_="soft place")
            if relation.lines
            else "",
            tag("span", " candidate", class_="soft") if relation.status != "confirmed" else "",
        )
        for edge in known.edges
        for relation in edge.relations
    ]
    if not rows:
        return join()
    return tag("details", tag("summary", f"{count(len(rows), 'relation')} as a list"), tag("ul", *rows), class_="quiet")
