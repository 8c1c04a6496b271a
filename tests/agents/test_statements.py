from __future__ import annotations

from dataclasses import replace

import pytest

from agents.linking import EntityLink
from agents.statements import entity_observation, path_observation, statement_observation
from memory.entities import Evidence, Relationship
from memory.observations import GraphObservation, Location
from memory.statements import FoundStatement
from tests.agents.shop import ADAPTER, CUSTOMERS, EDGES, GATEWAY, ORDERS, SERVICE, edge


def stated(*edges: Relationship, coverage: float = 0.7, locations: int = 5) -> GraphObservation:
    return statement_observation([FoundStatement(one, coverage) for one in edges], "kglite", locations)


@pytest.mark.specification("001 §4.2 output")
def test_a_path_is_told_edge_by_edge_with_its_lines():
    told = path_observation(EDGES[:2], 0.8, "kglite", 5)
    assert told.content == (
        "class OrderService of orders calls class PaymentAdapter (orders/orderservice.py:12); "
        "class PaymentAdapter of orders calls class PaymentGateway of payments (orders/paymentadapter.py:8). "
        "OrderService.place calls PaymentAdapter.process_payment. PaymentAdapter.process_payment calls PaymentGateway.charge."
    )
    assert [e.name for e in told.entities] == ["OrderService", "PaymentAdapter", "PaymentGateway"]
    assert told.source_projects == ["orders", "payments"]
    assert (told.hop_depth, told.confidence) == (2, 0.8)
    assert told.relationships == EDGES[:2]
    assert told.metadata["path"] == ["orders/OrderService", "orders/PaymentAdapter", "payments/PaymentGateway"]


def test_every_edge_proves_itself_before_one_proves_itself_twice():
    places = path_observation(EDGES[:2], 0.8, "kglite", 2).locations
    assert places == (Location("orders", SERVICE.path, 12, 12), Location("orders", ADAPTER.path, 8, 8))
    assert len(path_observation(EDGES[:2], 0.8, "kglite", 5).locations) == 3


@pytest.mark.specification("001 §4.2 output")
def test_a_relation_across_projects_is_a_cross_reference():
    assert stated(EDGES[1]).observation_type == "cross_ref"
    assert stated(EDGES[0]).observation_type == "relationship"
    assert stated(EDGES[2]).content == "project orders depends on project payments (pyproject.toml:4)."


def test_statements_are_told_each_with_its_line_and_then_what_their_evidence_says():
    told = stated(EDGES[1], EDGES[0], coverage=0.75)
    assert told.content == (
        "class PaymentAdapter of orders calls class PaymentGateway of payments (orders/paymentadapter.py:8). "
        "class OrderService of orders calls class PaymentAdapter (orders/orderservice.py:12). "
        "PaymentAdapter.process_payment calls PaymentGateway.charge. "
        "OrderService.place calls PaymentAdapter.process_payment."
    )
    assert told.relationships == [EDGES[1], EDGES[0]]
    assert [e.name for e in told.entities] == ["PaymentAdapter", "PaymentGateway", "OrderService"]
    assert told.source_projects == ["orders", "payments"]
    assert (told.confidence, told.metadata["coverage"], told.hop_depth) == (0.75, 0.75, 1)


def test_what_is_said_at_the_other_end_is_not_told_of_the_source():
    other = Evidence("calls", "payments", GATEWAY.path, 3, "publishes to payment.settled")
    told = stated(replace(EDGES[1], evidence=(*EDGES[1].evidence, other)))
    assert "PaymentAdapter.process_payment calls PaymentGateway.charge." in told.content
    assert "publishes" not in told.content


def test_one_relation_that_two_files_prove_is_told_once():
    variant = replace(EDGES[0], path="variant.py", lines=(3,), id="variant")
    told = stated(EDGES[0], variant)
    assert told.content.count("calls class PaymentAdapter") == 1
    assert told.content.startswith(
        "class OrderService of orders calls class PaymentAdapter (orders/orderservice.py:12)."
    )
    assert Location("orders", "variant.py", 3, 3) in told.locations


def test_every_relation_that_is_told_keeps_its_proof_however_many_there_are():
    many = [edge(SERVICE, "CALLS", table, (n,)) for n, table in enumerate(CUSTOMERS * 3, 1)]
    several = [replace(one, target=replace(one.target, id=f"{n}"), id=f"{n}") for n, one in enumerate(many)]
    assert len(stated(*several, locations=2).locations) == 9
    assert stated(*several).content.count(" calls ") == 9


def test_what_a_statement_covers_is_never_more_than_all():
    assert stated(EDGES[0], coverage=1.0000004).confidence == 1.0


def test_an_unknown_relation_reads_as_it_is_written():
    told = stated(edge(ORDERS, "IS_OWNED_BY", EDGES[2].target))
    assert "project orders is owned by project payments" in told.content


@pytest.mark.specification("001 §4.2 lookup")
def test_an_entity_says_what_it_is_and_who_uses_it():
    told = entity_observation(EntityLink("PaymentGateway", GATEWAY, 1.0, "has that name"), EDGES, "kglite")
    assert told.content == (
        "PaymentGateway is a class of payments (payments/paymentgateway.py:1). Talks to the tills. Used by orders/PaymentAdapter."
    )
    assert told.locations == (Location("payments", GATEWAY.path, 1, 10),)


def test_many_users_are_not_all_named():
    edges = [edge(table, "CALLS", GATEWAY) for table in CUSTOMERS] + [
        edge(e, "CALLS", GATEWAY) for e in (SERVICE, ADAPTER, ORDERS)
    ]
    assert entity_observation(EntityLink("x", GATEWAY, 1.0, ""), edges, "kglite").content.endswith(" and others.")


def test_a_project_is_a_project():
    assert (
        entity_observation(EntityLink("orders", ORDERS, 1.0, ""), [], "kglite").content
        == "orders is a project (pyproject.toml:1)."
    )


def test_a_relation_is_proved_by_its_evidence_before_its_variants():
    told = replace(
        EDGES[1], evidence=(Evidence("kubernetes", "orders", "k8s/orders.yaml", 7), Evidence("x", "orders", "", 0))
    )
    variant = replace(EDGES[1], path="variant.py", lines=(3, 4))
    places = stated(told, variant).locations
    assert places == (
        *(Location("orders", told.path, line, line) for line in told.lines[:1]),
        Location("orders", "k8s/orders.yaml", 7, 7),
        Location("orders", "variant.py", 3, 3),
        *(Location("orders", told.path, line, line) for line in told.lines[1:]),
        Location("orders", "variant.py", 4, 4),
    )
