from __future__ import annotations

import pytest

from agents.linking import Link
from agents.scoping import build_scope
from memory.entities import Entity, EvidenceFile
from memory.graph.port import FileMention
from tests.agents.shop import ADAPTER, CUSTOMERS, EDGES, GATEWAY, MODELS, ORDERS, SERVICE, edge


def links(*entities: Entity, confidence: float = 0.8) -> list[Link]:
    return [Link(e.name, e, confidence, "has that name") for e in entities]


def scope_of(found, edges=(), mentions=(), max_projects=10, max_files=20):
    return build_scope(found, edges, mentions, max_projects=max_projects, max_files=max_files)


def test_a_linked_entity_speaks_for_its_project():
    scope = scope_of(links(GATEWAY))
    assert [(p.project, p.confidence, p.because) for p in scope.ranked] == [
        ("payments", 0.8, "defines class PaymentGateway")
    ]
    assert scope.linked == ("PaymentGateway",)


def test_several_speak_as_independent_evidence():
    scope = scope_of(links(CUSTOMERS[0], MODELS[0]))
    assert scope.ranked[0].confidence == pytest.approx(1 - 0.2 * 0.2)


def test_the_other_end_of_an_edge_counts_half():
    scope = scope_of(links(GATEWAY), EDGES)
    assert [(p.project, p.confidence) for p in scope.ranked] == [("payments", 0.8), ("orders", 0.4)]


def test_a_named_project_ranks_first():
    named = [Link("orders", ORDERS, 0.5, "names the project")]
    assert scope_of([*links(GATEWAY), *named]).names == ("orders", "payments")


def test_an_edge_between_two_linked_entities_weighs_three_times():
    scope = scope_of(links(ADAPTER, GATEWAY, confidence=1.0), EDGES)
    weights = {(f.project, f.path): f.weight for f in scope.files}
    assert weights["orders", ADAPTER.path] == 1.0  # 3 of 3
    assert weights["payments", GATEWAY.path] == pytest.approx(1 / 3, abs=1e-4)  # defined there, 1 of 3
    assert weights["orders", SERVICE.path] == pytest.approx(1 / 3, abs=1e-4)  # an edge at one linked end


def test_what_only_defines_proves_nothing():
    assert scope_of(links(GATEWAY), [edge(SERVICE, "DEFINES", GATEWAY)]).names == ("payments",)


def test_edges_between_strangers_prove_nothing():
    assert scope_of(links(CUSTOMERS[0]), [EDGES[0]]).names == ("auth",)


def test_documents_that_mention_it_count_half():
    scope = scope_of(links(GATEWAY, confidence=1.0), (), [FileMention("payments", "docs/gateway.md", GATEWAY.id, 3)])
    assert {f.path: f.weight for f in scope.files} == {GATEWAY.path: 1.0, "docs/gateway.md": 0.5}


def test_a_mention_of_a_stranger_is_no_file():
    assert scope_of(links(GATEWAY), (), [FileMention("crm", "a.md", "somebody", 1)]).names == ("payments",)
    assert len(scope_of(links(GATEWAY), (), [FileMention("crm", "a.md", "somebody", 1)]).files) == 1


def test_the_limits_cut_the_least():
    scope = scope_of(links(*MODELS, GATEWAY), max_projects=2, max_files=1)
    assert scope.names == ("auth", "billing")
    assert len(scope.files) == 1


def test_nothing_linked_is_no_scope():
    assert scope_of([]).ranked == ()


def test_equals_stand_as_the_question_names_them():
    assert scope_of(links(GATEWAY, ADAPTER)).names == ("payments", "orders")
    assert scope_of(links(ADAPTER, GATEWAY)).names == ("orders", "payments")


def test_a_describing_file_weighs_what_it_says_and_keeps_its_opening():
    describing = [EvidenceFile("payments", "README.md", 0.4, "introduces it", opening=True)]
    scope = build_scope(links(GATEWAY), (), (), describing, max_projects=10, max_files=20)
    assert scope.files == (
        EvidenceFile("payments", GATEWAY.path, 1.0, "defines class PaymentGateway"),
        EvidenceFile("payments", "README.md", 0.5, "introduces it", opening=True),  # .4 ÷ .8
    )
