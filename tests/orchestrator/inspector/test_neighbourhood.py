"""Which entities are drawn, and where."""

from __future__ import annotations

from memory.entities import Entity, Relationship, Scope, ScopedProject
from memory.observations import GraphObservation
from orchestrator.events import ObservationAdded, ScopeFound
from orchestrator.inspector.inspection import Inspection
from orchestrator.inspector.neighbourhood import neighbourhood

A1, A2, A3 = (Entity(name, "class", "a", f"{name}.py", 1, 2) for name in ("Zebra", "Yak", "Ant"))
B1 = Entity("Bee", "class", "b")
SCOPE = Scope(
    [ScopedProject("b", 0.9, "because"), ScopedProject("empty", 0.5), ScopedProject("a", 0.4)], linked=("zebra",)
)


def known(entities, relations, scope=SCOPE):
    found = GraphObservation("text", entities, relations, [], 1, 0.9, "relationship")
    events = [(0.0, ObservationAdded("graph-1", "graph", found))]
    if scope is not None:
        events.append((1.0, ScopeFound(scope)))
    return neighbourhood(Inspection({}, tuple(events), 1, 1))


def places(found):
    return {node.entity.name: (node.column, node.row) for node in found.nodes}


def test_columns_are_the_scopes_projects_then_the_others():
    found = known([A1, B1, Entity("Cat", project="c")], [])
    assert [(c.project, c.confidence, c.because) for c in found.columns] == [
        ("b", 0.9, "because"),
        ("a", 0.4, ""),
        ("c", None, ""),
    ]


def test_linked_entities_come_first_then_those_with_most_relations_then_by_name():
    relations = [Relationship(A2, "CALLS", B1), Relationship(A2, "CALLS", A3), Relationship(A2, "IMPORTS", B1)]
    found = known([A3, A2, A1], relations)
    # Zebra is linked; Yak has three relations, Ant one
    assert places(found) == {"Bee": (0, 0), "Zebra": (1, 0), "Yak": (1, 1), "Ant": (1, 2)}
    assert [(node.entity.name, node.linked) for node in found.nodes][1] == ("Zebra", True)


def test_relations_between_the_same_two_are_one_edge():
    relations = [Relationship(A1, "CALLS", B1), Relationship(A1, "IMPORTS", B1), Relationship(A1, "CALLS", B1)]
    [edge] = known([], relations).edges
    assert (edge.source.entity, edge.target.entity, edge.types) == (A1, B1, ("CALLS", "IMPORTS"))
    assert len(edge.relations) == 2  # the third says what the first says


def test_what_has_no_room_is_counted():
    many = [Entity(f"E{n}", project="a") for n in range(9)] + [Entity("P", project=f"p{n}") for n in range(7)]
    found = known(many, [Relationship(many[0], "CALLS", many[0])], scope=None)
    assert len(found.columns) == 6  # a, p0 .. p4
    assert (len(found.nodes), found.left_out) == (7 + 5, 2 + 2)
    assert found.edges == ()


def test_nothing_is_known():
    found = neighbourhood(Inspection({}, (), 1, 1))
    assert (found.columns, found.nodes, found.edges, found.left_out) == ((), (), (), 0)
