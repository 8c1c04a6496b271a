from __future__ import annotations

from dataclasses import replace

from inspector.inspection import Inspection
from inspector.neighbourhood import drawing, neighbourhood
from memory.entities import Entity, Relationship, Scope, ScopedProject
from memory.observations import GraphObservation
from orchestrator.events import ObservationAdded, ScopeFound

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


def test_a_drawing_and_what_it_says(shipped, tree):
    section = tree(drawing(shipped("b-order-to-payment")))
    svg = section.one("svg")
    assert [text.text for text in svg.all("text", class_="project")] == ["orders", "payments", "platform"]
    boxes, ways = list(svg.all("rect", class_="box")), list(svg.all("path", class_="edge"))
    assert svg.children[0].text == f"{len(boxes)} entities and {len(ways)} relations, by project"
    # two edges of 14, three columns of 170, two gaps of 68, 46 beside the last
    assert svg.attributes["width"] == str(28 + 510 + 136 + 46)
    # the head of 52, rows of 44 + 16, 14 below the last
    assert svg.attributes["height"] == str(max(int(box.attributes["y"]) for box in boxes) + 60 + 14)
    assert [title.text for title in svg.all("title")].count("orders/OrderService CALLS orders/PaymentAdapter") == 1
    listed = [item.text for item in section.one("details", class_="quiet").all("li")]
    assert "orders/OrderService calls orders/PaymentAdapter orders/orders/service.py:31" in listed


def test_the_scope_with_its_reasons(shipped, tree):
    projects = tree(drawing(shipped("b-order-to-payment"))).one("ol", class_="projects")
    assert next(projects.all("li")).text == "orders 0.99defines class OrderService"


def test_hits_outside_the_scope_are_told(shipped, tree):
    text = tree(drawing(shipped("scope-late"))).text
    assert "Hits outside the scope came up in " in text


def test_no_graph(shipped, tree):
    assert "The graph ended error, so nothing narrowed" in tree(drawing(shipped("graph-fails"))).text
    assert "The graph named no entity" in tree(drawing(made(shipped, [], [], status="empty"))).text
    assert not list(tree(drawing(shipped("graph-late"))).all("svg"))


def made(shipped, entities, relations, projects=(), status="ok"):
    """A run whose graph found just this."""
    found = GraphObservation("text", entities, relations, [], 1, 0.9, "relationship")
    base = shipped("nobody-answers")
    scope = {**base.result["scope"], "projects": [{"project": p, "confidence": 0.5, "because": ""} for p in projects]}
    events = (ObservationAdded("graph-1", "graph", found), ScopeFound(Scope(list(projects))))
    coverage = {"agents": [{"agent": "graph", "status": status}]}
    return replace(
        base,
        result={**base.result, "scope": scope, "coverage": coverage},
        events=tuple((0.0, event) for event in events),
    )


def curves(section):
    return [path.attributes["d"] for path in section.one("svg").all("path", class_="edge")]


def test_curves_leave_on_the_side_that_faces_the_other(shipped, tree):
    a, b, c = (Entity(name, project=name) for name in "abc")
    ways = [Relationship(a, "CALLS", b), Relationship(b, "CALLS", a), Relationship(a, "CALLS", c)]
    section = tree(drawing(made(shipped, [a, b, c], ways, "abc")))
    # columns begin at 14, 252, 490; an edge leaves at 52 + 22 - 5 = 69 and arrives at 79; half of a gap is 34
    assert curves(section)[:2] == ["M184 69C218 69 218 79 252 79", "M252 69C218 69 218 79 184 79"]
    # past b, below its row: 52 + 44 + 8 = 104
    assert curves(section)[2] == "M184 69C218 69 218 104 252 104H422C456 104 456 79 490 79"


def test_a_bow_within_a_column_and_what_is_not_sure(shipped, tree):
    a, b = (Entity(name, project="p") for name in ("A", "A_name_that_is_longer_than_its_box"))
    section = tree(drawing(made(shipped, [a, b], [Relationship(a, "CALLS", b, status="candidate")])))
    # 184 + 16 + 7 * 1 = 207; the second row is 60 lower
    assert curves(section) == ["M184 69C207 69 207 139 184 139"]
    assert list(section.all("g", class_="candidate"))
    assert section.one("details").one("li").text.endswith(" candidate")
    assert "A_name_that_is_longe…" in [text.text for text in section.all("text")]
    assert "No scope came of it." in section.text
    assert "not in scope" in section.text


def test_entities_without_relations_and_without_room(shipped, tree):
    section = tree(drawing(made(shipped, [Entity(f"E{n}", project="p") for n in range(8)], [])))
    assert "Not drawn: 1 entity." in section.text
    assert not list(section.all("details"))
