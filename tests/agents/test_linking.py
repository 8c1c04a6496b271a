from __future__ import annotations

import pytest

from agents.linking import Link, is_place, link, linked_names
from memory.entities import Entity
from memory.graph import GraphBatch
from memory.graph.fake import FakeGraphStore
from tests.agents.shop import ADAPTER, BATCH, CHARGE, CUSTOMERS, EVERYONE, GATEWAY, MODELS, ORDERS, PAYMENTS, SERVICE


@pytest.fixture
async def graph() -> FakeGraphStore:
    store = FakeGraphStore()
    await store.replace([BATCH])
    return store


async def names(
    graph: FakeGraphStore, question: str, *mentions: str, permission: frozenset[str] = EVERYONE
) -> dict[str, float]:
    return {hit.entity.id: hit.confidence for hit in await link(question, mentions, graph, permission)}


@pytest.mark.specification("001 §4.2 lookup")
async def test_identifiers_link_in_any_case(graph):
    assert await names(graph, "how does orderService connect to PaymentGateway") == {SERVICE.id: 1.0, GATEWAY.id: 1.0}


async def test_lower_case_tables_link_the_tables_of_that_name(graph):
    assert await names(graph, "What patterns do other teams use for customer tables?") == {
        t.id: 0.85 for t in CUSTOMERS
    }


@pytest.mark.specification("001 §4.2 across projects")
async def test_capital_tables_link_the_classes_as_well(graph):
    found = await names(graph, "patterns for Customer tables")
    assert set(found) == {e.id for e in (*CUSTOMERS, *MODELS)}


async def test_a_plain_word_is_no_entity(graph):
    assert await names(graph, "what does a customer pay") == {}
    assert await names(graph, "what is a CUSTOMER") == {}


async def test_projects_link_in_lower_case(graph):
    assert await names(graph, "does orders depend on payments") == {ORDERS.id: 1.0, PAYMENTS.id: 1.0}


async def test_words_spelt_in_one_link_and_shadow_the_single_word(graph):
    assert await names(graph, "how does the payment gateway work") == {GATEWAY.id: 0.9}


async def test_an_unknown_identifier_links_what_it_begins(graph):
    assert await names(graph, "what is PaymentGate") == {
        GATEWAY.id: 0.7,
        "payments/method/payments/paymentgateway.py/PaymentGateway.charge": 0.7,
    }


async def test_an_unknown_identifier_links_a_member_of_that_name(graph):
    found = await link("who calls `charge`", ["charge"], graph, EVERYONE)
    assert {hit.entity.name: hit.how for hit in found}["PaymentGateway.charge"] == "has a member of that name"


async def test_an_unknown_identifier_links_what_shares_most_of_its_parts(graph):
    # {payment, order, adapter} and {payment, adapter} share 2 of 3
    found = await names(graph, "what is PaymentOrderAdapter")
    assert found == {ADAPTER.id: pytest.approx(0.6 * 2 / 3)}


async def test_mentions_of_the_context_count(graph):
    assert await names(graph, "", "PaymentAdapter") == {ADAPTER.id: 1.0}


async def test_nothing_outside_the_permission_is_linked(graph):
    assert await names(graph, "OrderService and PaymentGateway", permission=frozenset({"orders"})) == {SERVICE.id: 1.0}


async def test_names_are_told_once(graph):
    assert linked_names(await link("Customer tables", [], graph, EVERYONE)) == ("Customer", "customers")


async def test_a_project_is_also_meant_by_its_packages_name():
    own = Entity("shopbus", "package", "platform", "pyproject.toml", 6, 6)
    inner = Entity("shipping", "package", "platform", "crates/shipping/Cargo.toml", 2, 2)
    store = FakeGraphStore()
    await store.replace([GraphBatch((own, inner), (), ())])
    everyone = frozenset({"platform"})
    assert await names(store, "Which services depend on shopbus?", permission=everyone) == {own.id: 1.0}
    assert await names(store, "what does shipping cost", permission=everyone) == {}
    assert await names(store, "the shipping package", permission=everyone) == {inner.id: 0.85}


async def test_a_project_is_meant_by_its_title_in_any_case():
    title = Entity("Web Shop", "project", "shop-v2", "README.md", 1, 1)
    store = FakeGraphStore()
    await store.replace([GraphBatch([title, Entity("shop-v2", "project", "shop-v2", "README.md", 1, 1)], [])])
    for question in ("What is the web shop?", "Which tables does Web Shop own?"):
        (hit,) = await link(question, (), store, frozenset({"shop-v2"}))
        assert (hit.entity, hit.confidence, hit.how) == (title, 1.0, "names the project")
    assert await link("Where do people shop on the web?", (), store, frozenset({"shop-v2"})) == []


async def test_what_another_project_has_of_that_name_is_meant_half_as_much():
    here = Entity("accounting", "service", "bank", "compose.yml", 3, 5)
    there = Entity("AccountingService", "class", "store", "accounting.py", 1, 9)
    store = FakeGraphStore()
    await store.replace([GraphBatch([here, there, Entity("bank", "project", "bank", "README.md", 1, 1)], [])])

    async def meant(question):
        found = await link(question, (), store, frozenset({"bank", "store"}))
        return {hit.entity.name: hit.confidence for hit in found if hit.entity.kind != "project"}

    assert await meant("What does the accounting service do?") == {"accounting": 0.85, "AccountingService": 0.9}
    assert await meant("What does the accounting service of bank do?") == {
        "accounting": 0.85,
        "AccountingService": 0.45,
    }
    assert await meant("Does the accounting service call bank?") == {"accounting": 0.85, "AccountingService": 0.9}


async def test_a_misspelt_name_links_the_nearest_spelling(graph):
    [hit] = await link("What does PaymentGatewy do?", (), graph, EVERYONE)
    assert (hit.entity.name, hit.confidence, hit.how) == ("PaymentGateway", 0.6, "is spelt almost so")
    assert linked_names([hit]) == ("PaymentGateway", "PaymentGatewy")
    assert await names(graph, "What does PaymntGatwy do?") == {}  # 11 letters of 11 and 14: 22 ÷ 25 = .88, under .9
    assert await names(graph, "What does PaymentGatewy do?", permission=frozenset({"crm"})) == {}


async def test_pasted_code_and_file_names_are_not_misspelt(graph):
    assert await names(graph, "Find code like:\n  PaymentGatewy()") == {}
    assert await names(graph, "Who wrote PaymentGatewy.md?") == {}


async def test_a_plain_word_may_be_misspelt_where_a_thing_is_named(graph):
    checkout = Entity("checkoutservice", "service", "shop", "a.yaml", 1, 2)
    interface = Entity("CheckoutService", "interface", "shop", "a.proto", 1, 2)
    await graph.replace([GraphBatch([checkout, interface], [], [])])
    assert await names(graph, "What is chekoutservice?", permission=frozenset({"shop"})) == {checkout.id: 0.6}
    assert await names(graph, "may chekoutservice be slow", permission=frozenset({"shop"})) == {}
    assert await names(graph, "What is chkout?", permission=frozenset({"shop"})) == {}  # too short to tell


async def test_a_class_of_several_words_is_found_in_small_letters(graph):
    assert await names(graph, "what is the paymentgateway") == {GATEWAY.id: 0.9}


async def test_a_service_is_meant_before_a_function_of_its_name(graph):
    service = Entity("checkout", "service", "shop", "a.yaml", 1, 2)
    function = Entity("checkout", "function", "shop", "load.py", 1, 2)
    await graph.replace([GraphBatch([service, function], [], [])])
    assert await names(graph, "What does checkout call?", permission=frozenset({"shop"})) == {service.id: 0.85}


async def test_a_name_within_a_longer_one_still_counts_as_known_to_be_meant(graph):
    trace = "at org.shop.PaymentGateway.charge(PaymentGateway.java:7)"
    assert CHARGE.id in await names(graph, trace, "PaymentGateway.charge")


@pytest.mark.parametrize(
    ("question", "linked"),
    [
        ("Who reads MAIL_HOST?", {"MAIL_HOST"}),
        ("Who reads `DB`?", {"DB"}),
        ("Which DB does the mail host use?", set()),
    ],
)
async def test_a_config_key_is_meant_only_as_it_is_spelt(question, linked):
    store = FakeGraphStore()
    await store.replace([GraphBatch([Entity(name, "config_key", "orders") for name in ("DB", "MAIL_HOST")], [], [])])
    assert {hit.entity.name for hit in await link(question, (), store, frozenset({"orders"}))} == linked


async def test_a_named_project_shadows_what_bears_its_name_inside_unless_its_kind_is_said():
    project = Entity("web-shop", "project", "web-shop", "README.md", 1, 1)
    topic = Entity("web-shop", "topic", "web-shop", "bus.py", 3, 3)
    service = Entity("web-shop", "service", "web-shop", "compose.yml", 3, 5)
    elsewhere = Entity("web-shop", "topic", "bank", "bus.py", 9, 9)
    store = FakeGraphStore(GraphBatch([project, topic, service, elsewhere], []))

    async def meant(question):
        return {hit.entity for hit in await link(question, (), store, frozenset({"web-shop", "bank"}))}

    assert await meant("What is in web-shop?") == {project, service, elsewhere}
    assert await meant("Who reads the web-shop topic?") == {project, service, topic, elsewhere}


async def test_a_class_spelt_otherwise_than_its_project_is_meant():
    project, own = Entity("flask", "project", "flask"), Entity("Flask", "class", "flask", "app.py", 1, 9)
    store = FakeGraphStore(GraphBatch([project, own], []))
    assert {hit.entity for hit in await link("Who calls Flask?", (), store, frozenset({"flask"}))} == {project, own}


async def test_a_function_is_not_meant_by_the_name_of_a_service(graph):
    service = Entity("booking-service", "service", "cinema", "Dockerfile", 1, 1)
    function = Entity("booking", "function", "cinema", "api.js", 4, 9)
    await graph.replace([GraphBatch([service, function], [])])
    assert await names(graph, "How does the booking service notify users?", permission=frozenset({"cinema"})) == {
        service.id: 0.9
    }


def test_a_project_is_a_place_beside_something_else():
    shop, till = Link("shop", Entity("shop", "project", "shop"), 1.0, ""), Link("till", Entity("till"), 1.0, "")
    assert is_place("Who calls till in shop?", shop, [shop, till])
    assert not is_place("Who calls till in shop?", till, [shop, till])
    assert not is_place("Who calls shop from till?", shop, [shop, till])
    assert not is_place("What is in shop?", shop, [shop])
