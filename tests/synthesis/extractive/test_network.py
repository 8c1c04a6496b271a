from __future__ import annotations

from memory.entities import Entity, Relationship
from memory.observations import NormalizedObservation
from synthesis.extractive.network import Network
from synthesis.extractive.sources import Edge

A, B, C, D = (
    Entity(name, "class", project)
    for name, project in (
        ("OrderService", "orders"),
        ("Adapter", "orders"),
        ("till-gateway", "tills"),
        ("Report", "desk"),
    )
)
TILLS = Entity("tills", "project", "tills")
OBSERVATION = NormalizedObservation("x", "graph:fake", "orders", 0.9, "relationship", id="g")


def network(*pairs: tuple[Entity, Entity], kind: str = "CALLS") -> Network:
    return Network([Edge(OBSERVATION, Relationship(a, kind, b), None, "x") for a, b in pairs])


def steps(edges) -> list[tuple[str, str]]:
    return [(e.relation.source.name, e.relation.target.name) for e in edges]


NET = network((A, B), (B, C), (D, C), (A, TILLS))


def test_names_in_the_order_of_the_question():
    assert NET.named_in("How does till_gateway reach orderservice?") == ["till-gateway", "OrderService"]
    assert NET.named_in("What depends on tills?") == ["tills"]
    assert NET.named_in("the till gateway", ["till-gateway"]) == ["till-gateway"]  # once that is what was linked
    assert NET.named_in("the till gateway") == []
    assert NET.named_in("Which Report of tills calls Adapter?") == ["Report", "Adapter", "tills"]
    assert NET.named_in("a report on an adapter") == []
    assert NET.named_in("a report on an adapter", ["adapter"]) == ["Adapter"]


def test_the_shortest_way_along_the_arrows():
    assert steps(NET.path("OrderService", "till-gateway")) == [("OrderService", "Adapter"), ("Adapter", "till-gateway")]
    assert NET.path("till-gateway", "OrderService") == []
    assert steps(network((A, B), (B, A), (B, C)).path("OrderService", "till-gateway"))[-1] == (
        "Adapter",
        "till-gateway",
    )


def test_two_that_use_the_same_thing_meet_there():
    first, second = NET.meeting("Adapter", "Report")
    assert (steps(first), steps(second)) == ([("Adapter", "till-gateway")], [("Report", "till-gateway")])
    assert network((A, B), (D, C)).meeting("OrderService", "Report") == ([], [])


def test_who_reaches_it_and_what_it_reaches():
    assert steps(NET.into("tills")) == [
        ("Adapter", "till-gateway"),
        ("Report", "till-gateway"),
        ("OrderService", "tills"),
    ]
    assert steps(NET.out_of("orders")) == [("Adapter", "till-gateway"), ("OrderService", "tills")]
    assert [steps(chain) for chain in NET.chains_into("till-gateway")] == [
        [("OrderService", "Adapter"), ("Adapter", "till-gateway")]
    ]


def test_what_merely_stands_inside_is_no_dependence():
    assert network((A, B), kind="DEFINES").into("Adapter") == []


def test_a_method_belongs_to_its_class():
    method = Entity("Adapter.send", "method", "orders")
    assert Network.means(method, "adapter")
    assert Network.means(method, "orders/Adapter.send")
    assert not Network.means(method, "Adap")


def test_the_import_behind_a_use_is_not_told_twice():
    module = Entity("orders.adapter", "module", "orders")
    uses = Relationship(B, "CALLS", C, project="orders", path="adapter.py")
    imports = Relationship(module, "IMPORTS", C, project="orders", path="adapter.py")
    alone = Relationship(module, "IMPORTS", C, project="orders", path="other.py")
    edges = [Edge(OBSERVATION, relation, None, "x") for relation in (uses, imports, alone)]
    assert [edge.relation for edge in Network(edges).into("till-gateway")] == [uses, alone]
