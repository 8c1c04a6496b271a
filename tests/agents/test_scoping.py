from __future__ import annotations

import pytest

from agents.linking import EntityLink
from agents.scoping import build_scope
from memory.entities import Entity, Relationship
from memory.statements import FoundStatement
from tests.agents.shop import ADAPTER, CUSTOMERS, EDGES, GATEWAY, MODELS, ORDERS, SERVICE, edge


def links(*entities: Entity, confidence: float = 0.8) -> list[EntityLink]:
    return [EntityLink(e.name, e, confidence, "has that name") for e in entities]


def scope_of(found, edges=(), max_projects=10):
    return build_scope(found, edges, max_projects=max_projects)


def test_a_linked_entity_speaks_for_its_project():
    scope = scope_of(links(GATEWAY))
    assert [(p.project, p.confidence, p.because) for p in scope.ranked] == [
        ("payments", 0.8, "defines class PaymentGateway")
    ]
    assert scope.linked == ("PaymentGateway",)


@pytest.mark.specification("001 §2.2 step 3")
def test_several_speak_as_independent_evidence():
    scope = scope_of(links(CUSTOMERS[0], MODELS[0]))
    assert scope.ranked[0].confidence == pytest.approx(1 - 0.2 * 0.2)


def test_the_other_end_of_an_edge_counts_half():
    scope = scope_of(links(GATEWAY), EDGES)
    assert [(p.project, p.confidence) for p in scope.ranked] == [("payments", 0.8), ("orders", 0.4)]


def test_a_named_project_ranks_first():
    named = [EntityLink("orders", ORDERS, 0.5, "names the project")]
    assert scope_of([*links(GATEWAY), *named]).names == ("orders", "payments")


def test_what_only_defines_proves_nothing():
    assert scope_of(links(GATEWAY), [edge(SERVICE, "DEFINES", GATEWAY)]).names == ("payments",)


def test_edges_between_strangers_prove_nothing():
    assert scope_of(links(CUSTOMERS[0]), [EDGES[0]]).names == ("auth",)


def test_the_limit_cuts_the_least():
    assert scope_of(links(*MODELS, GATEWAY), max_projects=2).names == ("auth", "billing")


def test_nothing_linked_is_no_scope():
    assert scope_of([]).ranked == ()


def test_equals_stand_as_the_question_names_them():
    assert scope_of(links(GATEWAY, ADAPTER)).names == ("payments", "orders")
    assert scope_of(links(ADAPTER, GATEWAY)).names == ("orders", "payments")


def spoken(*found: tuple[Relationship, float]) -> list[FoundStatement]:
    return [FoundStatement(one, coverage) for one, coverage in found]


def test_where_nothing_is_linked_what_holds_most_of_the_question_speaks():
    stores = EDGES[3:]  # a Customer in auth, billing and crm, each stored in its customers
    scope = build_scope([], (), spoken(*((one, 0.4) for one in stores), (EDGES[1], 0.3)), max_projects=10)
    assert [(p.project, p.confidence, p.because) for p in scope.ranked] == [
        (project, 0.4, "Customer STORES_IN customers") for project in ("auth", "billing", "crm")
    ]
    assert (scope.linked, scope.guessed) == ((), True)


def test_both_ends_of_such_a_relation_speak_once():
    scope = build_scope([], (), spoken((EDGES[1], 0.3), (EDGES[0], 0.3)), max_projects=10)
    # orders: 1 − .7 · .7 by two relations, payments by one
    assert {p.project: p.confidence for p in scope.ranked} == {"orders": pytest.approx(0.51), "payments": 0.3}


def test_what_is_linked_speaks_alone():
    scope = build_scope(links(GATEWAY), (), spoken((EDGES[3], 0.9)), max_projects=10)
    assert (scope.names, scope.guessed) == (("payments",), False)
