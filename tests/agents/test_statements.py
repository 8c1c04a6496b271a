from __future__ import annotations

from dataclasses import replace

import pytest

from agents.linking import Link
from agents.statements import entity_observation, path_observation, relation_observation
from memory.entities import Evidence
from memory.graph.port import GraphPath
from memory.observations import Location
from tests.agents.shop import ADAPTER, CUSTOMERS, EDGES, GATEWAY, ORDERS, SERVICE, edge


@pytest.mark.specification("001 §4.2 output")
def test_a_path_is_told_edge_by_edge_with_its_lines():
    told = path_observation(GraphPath(tuple(EDGES[:2])), 0.8, "kglite", 5)
    assert told.content == (
        "OrderService of orders calls PaymentAdapter of orders (orders/orderservice.py:12); "
        "PaymentAdapter of orders calls PaymentGateway of payments (orders/paymentadapter.py:8). "
        "OrderService.place calls PaymentAdapter.process_payment. PaymentAdapter.process_payment calls PaymentGateway.charge."
    )
    assert [e.name for e in told.entities] == ["OrderService", "PaymentAdapter", "PaymentGateway"]
    assert told.source_projects == ["orders", "payments"]
    assert told.hop_depth == 2
    assert told.metadata["path"] == ["orders/OrderService", "orders/PaymentAdapter", "payments/PaymentGateway"]


def test_every_edge_proves_itself_before_one_proves_itself_twice():
    places = path_observation(GraphPath(tuple(EDGES[:2])), 0.8, "kglite", 2).locations
    assert places == (Location("orders", SERVICE.path, 12, 12), Location("orders", ADAPTER.path, 8, 8))
    assert len(path_observation(GraphPath(tuple(EDGES[:2])), 0.8, "kglite", 5).locations) == 3


@pytest.mark.specification("001 §4.2 output")
def test_a_relation_across_projects_is_a_cross_reference():
    assert relation_observation([EDGES[1]], 0.7, "kglite", 5).observation_type == "cross_ref"
    assert relation_observation([EDGES[0]], 0.7, "kglite", 5).observation_type == "relationship"
    assert relation_observation([EDGES[2]], 0.7, "neo4j", 5).content == "orders depends on payments (pyproject.toml:4)."


def test_an_unknown_relation_reads_as_it_is_written():
    assert (
        "orders is owned by payments"
        in relation_observation([edge(ORDERS, "IS_OWNED_BY", EDGES[2].target)], 0.7, "x", 5).content
    )


@pytest.mark.specification("001 §4.2 lookup")
def test_an_entity_says_what_it_is_and_who_uses_it():
    told = entity_observation(Link("PaymentGateway", GATEWAY, 1.0, "has that name"), EDGES, "kglite")
    assert told.content == (
        "PaymentGateway is a class of payments (payments/paymentgateway.py:1). Talks to the tills. Used by orders/PaymentAdapter."
    )
    assert told.locations == (Location("payments", GATEWAY.path, 1, 10),)


def test_many_users_are_not_all_named():
    edges = [edge(table, "CALLS", GATEWAY) for table in CUSTOMERS] + [
        edge(e, "CALLS", GATEWAY) for e in (SERVICE, ADAPTER, ORDERS)
    ]
    assert entity_observation(Link("x", GATEWAY, 1.0, ""), edges, "kglite").content.endswith(" and others.")


def test_a_project_is_a_project():
    assert (
        entity_observation(Link("orders", ORDERS, 1.0, ""), [], "kglite").content
        == "orders is a project (pyproject.toml:1)."
    )


def test_a_relation_is_proved_by_its_evidence_before_its_variants():
    told = replace(
        EDGES[1], evidence=(Evidence("kubernetes", "orders", "k8s/orders.yaml", 7), Evidence("x", "orders", "", 0))
    )
    variant = replace(EDGES[1], path="variant.py", lines=(3, 4))
    places = relation_observation([told, variant], 0.7, "kglite", 5).locations
    assert places == (
        *(Location("orders", told.path, line, line) for line in told.lines[:1]),
        Location("orders", "k8s/orders.yaml", 7, 7),
        Location("orders", "variant.py", 3, 3),
        *(Location("orders", told.path, line, line) for line in told.lines[1:]),
        Location("orders", "variant.py", 4, 4),
    )
