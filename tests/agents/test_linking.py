from __future__ import annotations

import pytest

from agents.linking import EntityMention, find_mentions, is_project, link, linked_names
from memory.entities import Entity
from memory.graph import GraphBatch, as_parts
from memory.graph.fake import FakeGraphStore
from memory.question import read_question
from tests.agents.shop import ADAPTER, BATCH, CHARGE, CUSTOMERS, EVERYONE, GATEWAY, MODELS, ORDERS, PAYMENTS, SERVICE


def by_surface(question: str) -> dict[str, EntityMention]:
    return {m.surface: m for m in find_mentions(read_question(question))}


def test_what_is_written_as_no_word_is_is_an_identifier():
    found = by_surface("How does OrderService call process_payment of order-api or a.bc, and HTTPClient2x?")
    names = ("OrderService", "process_payment", "order-api", "a.bc", "HTTPClient2x")
    assert all(found[name].identifier for name in names)
    assert found["process_payment"].keys == ("process_payment",)
    assert found["OrderService"].keys == ("orderservice", "orderservices")
    assert not found["call"].identifier


def test_a_word_is_a_word_in_any_case():
    found = by_surface("how late may payments of a Customer be")
    assert all(not found[word].identifier for word in ("late", "payments", "Customer"))
    assert found["Customer"].keys == ("customer", "customers")
    assert found["payments"].keys == ("payments", "payment")


def test_stop_words_name_nothing():
    assert by_surface("what is it and where are they").keys() == set()


def test_groups_of_words_are_spelt_in_one():
    assert by_surface("the payment gateway of ours")["payment gateway"].keys == (
        "paymentgateway",
        "payment-gateway",
        "payment_gateway",
        "payment.gateway",
        "payment gateway",
    )


def test_a_group_has_up_to_three_words_and_small_ones_inside_only():
    found = by_surface("Which tables does Bank of Anthos have")
    assert "Bank of Anthos" in found
    assert not {"Bank of", "of Anthos", "does Bank"} & found.keys()
    assert max(len(surface.split()) for surface in found) == 3


def test_an_identifier_inside_a_group_ends_it():
    assert "call order-api" not in by_surface("call order-api now")


def test_single_words_come_first_and_in_order():
    surfaces = [m.surface for m in find_mentions(read_question("payment gateway retries"))]
    assert surfaces == [
        "payment",
        "gateway",
        "retries",
        "payment gateway",
        "gateway retries",
        "payment gateway retries",
    ]


def test_a_path_names_what_is_served_there_by_any_method():
    [found] = [m for m in find_mentions(read_question("who calls /Cart/items?")) if m.surface == "/Cart/items"]
    assert found.keys[:2] == ("get /cart/items", "post /cart/items")
    assert found.identifier
    assert "src/cart.py" in by_surface("what is in src/cart.py?")
    traced = find_mentions(read_question('why\n```\nTraceback:\n  File "/srv/a.py", line 1, in x\n```'))
    assert not any("get /srv/a.py" in mention.keys for mention in traced)


def test_a_key_of_a_store_is_one_name():
    assert "orders:cart" in by_surface("who reads orders:cart in redis?")["orders cart"].keys
    assert "orders:cart" not in by_surface("who reads orders, cart by cart?")["orders cart"].keys


def test_quoted_phrases_and_backticks_are_identifiers_in_any_spelling():
    found = by_surface('what is "order service" and `charge`')
    assert found["order service"].keys == (
        "order service",
        "orderservice",
        "order-service",
        "order_service",
        "order.service",
    )
    assert found["order service"].identifier
    assert found["charge"].identifier


@pytest.mark.parametrize("question", ["", "?!", "``", "the of and"])
def test_nothing_in_nothing_out(question):
    assert list(find_mentions(read_question(question))) == []


def test_what_stands_in_pasted_code_is_marked():
    found = by_surface("Where is Order like this:\n    charge(order_id)\n")
    assert {name for name, mention in found.items() if mention.pasted} >= {"charge", "order_id"}
    assert not found["Order"].pasted


@pytest.fixture
async def graph() -> FakeGraphStore:
    store = FakeGraphStore()
    await store.replace(as_parts([BATCH]))
    return store


async def names(
    graph: FakeGraphStore, question: str, *mentions: str, permission: frozenset[str] = EVERYONE
) -> dict[str, float]:
    return {hit.entity.id: hit.confidence for hit in await link(read_question(question), mentions, graph, permission)}


@pytest.mark.specification("001 §4.2 lookup")
async def test_identifiers_link_in_any_case(graph):
    assert await names(graph, "how does orderService connect to PaymentGateway") == {SERVICE.id: 1.0, GATEWAY.id: 1.0}


@pytest.mark.specification("001 §4.2 across projects")
async def test_a_table_is_called_by_a_plain_word_in_whichever_project(graph):
    assert await names(graph, "What patterns do other teams use for customers?") == {t.id: 0.8 for t in CUSTOMERS}


async def test_a_capital_names_the_class_that_is_written_so(graph):
    assert await names(graph, "patterns for Customer") == {e.id: 0.8 for e in MODELS}


@pytest.mark.specification("001 §1 scope", "001 §2.2 step 2", "001 §4.2 across projects")
async def test_a_word_that_more_than_three_bear_selects_none_of_them_unless_it_is_quoted_as_code():
    tables = [Entity("customers", "table", project) for project in "abcd"]
    store = FakeGraphStore(GraphBatch(tables, []))
    assert await names(store, "Who reads customers?", permission=frozenset("abcd")) == {}
    assert await names(store, "Who reads customers?", permission=frozenset("abc")) == {t.id: 0.8 for t in tables[:3]}
    assert await names(store, "Who reads `customers`?", permission=frozenset("abcd")) == {t.id: 1.0 for t in tables}
    assert len(await names(store, "Who reads `customers`?", permission=frozenset("abcd"))) == 4
    project = Entity("customers", "project", "customers")
    store = FakeGraphStore(GraphBatch([*tables, project], []))
    assert await names(store, "Who reads customers?", permission=frozenset({*"abcd", "customers"})) == {project.id: 1.0}


async def test_of_several_that_bear_a_name_those_are_meant_that_are_written_so():
    service, topic = Entity("cartservice", "service", "shop"), Entity("CARTSERVICE", "topic", "shop")
    classes = [Entity("CartService", "class", project) for project in ("shop", "demo", "till")]
    store, allowed = FakeGraphStore(GraphBatch([service, topic, *classes], [])), frozenset({"shop", "demo", "till"})
    assert await names(store, "What calls cartservice?", permission=allowed) == {service.id: 0.8}
    assert await names(store, "What calls CartService?", permission=allowed) == {one.id: 1.0 for one in classes}
    assert len(await names(store, "What calls `cartService`?", permission=allowed)) == 5


async def test_a_word_for_a_kind_names_nothing_that_is_called_so():
    store = FakeGraphStore(GraphBatch([Entity("table", "table", "tests")], []))
    for question in ("Who inserts into that table?", "which tables are there"):
        assert await names(store, question, permission=frozenset({"tests"})) == {}
    assert len(await names(store, "Who inserts into `table`?", permission=frozenset({"tests"}))) == 1


async def test_a_word_is_looked_up_in_its_other_number_where_nothing_has_the_one_it_is_written_in(graph):
    assert await names(graph, "what patterns are there for customer tables") == {t.id: 0.8 for t in CUSTOMERS}
    assert await names(graph, "what do we payment") == {PAYMENTS.id: 0.8}  # less sure than by its own name
    assert await names(graph, "the payments and `orders`") == {PAYMENTS.id: 1.0, ORDERS.id: 1.0}
    assert await names(graph, "the `order`") == {ORDERS.id: 1.0}


async def test_a_plain_word_is_no_class_or_function(graph):
    assert await names(graph, "what does a charge cost") == {}


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
    found = await link(read_question("who calls `charge`"), ["charge"], graph, EVERYONE)
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
    assert linked_names(await link(read_question("Customer or customers"), [], graph, EVERYONE)) == (
        "Customer",
        "customers",
    )


async def test_a_project_is_also_meant_by_its_packages_name():
    own = Entity("shopbus", "package", "platform", "pyproject.toml", 6, 6)
    inner = Entity("shipping", "package", "platform", "crates/shipping/Cargo.toml", 2, 2)
    store = FakeGraphStore()
    await store.replace(as_parts([GraphBatch((own, inner), (), ())]))
    everyone = frozenset({"platform"})
    assert await names(store, "Which services depend on shopbus?", permission=everyone) == {own.id: 1.0}
    assert await names(store, "the shipping package", permission=everyone) == {inner.id: 0.8}


async def test_a_project_is_meant_by_its_title_in_any_case():
    title = Entity("Web Shop", "project", "shop-v2", "README.md", 1, 1)
    store = FakeGraphStore()
    await store.replace(as_parts([GraphBatch([title, Entity("shop-v2", "project", "shop-v2", "README.md", 1, 1)], [])]))
    for question in ("What is the web shop?", "Which tables does Web Shop own?"):
        (hit,) = await link(read_question(question), (), store, frozenset({"shop-v2"}))
        assert (hit.entity, hit.confidence, hit.how) == (title, 1.0, "has that name")
    assert await link(read_question("Where do people shop on the web?"), (), store, frozenset({"shop-v2"})) == []


async def test_a_service_that_is_called_so_is_meant_beside_what_is_spelt_in_one_word():
    here = Entity("accounting", "service", "bank", "compose.yml", 3, 5)
    there = Entity("AccountingService", "class", "store", "accounting.py", 1, 9)
    store = FakeGraphStore(GraphBatch([here, there], []))
    everyone = frozenset({"bank", "store"})
    assert await names(store, "What does the accounting service do?", permission=everyone) == {
        here.id: 0.8,
        there.id: 0.9,
    }


@pytest.mark.specification("001 §3.3 entities")
async def test_a_misspelt_name_links_the_nearest_spelling(graph):
    [hit] = await link(read_question("What does PaymentGatewy do?"), (), graph, EVERYONE)
    assert (hit.entity.name, hit.confidence, hit.how) == ("PaymentGateway", 0.6, "is spelt almost so")
    assert linked_names([hit]) == ("PaymentGateway", "PaymentGatewy")
    assert await names(graph, "What does PaymntGatwy do?") == {}  # 11 letters of 11 and 14: 22 ÷ 25 = .88, under .9
    assert await names(graph, "What does PaymentGatewy do?", permission=frozenset({"crm"})) == {}


async def test_file_names_are_not_misspelt(graph):
    assert await names(graph, "Who wrote PaymentGatewy.md?") == {}


@pytest.mark.specification("001 §3.3 entities")
async def test_a_class_of_several_words_is_found_in_small_letters(graph):
    assert await names(graph, "what is the paymentgateway") == {GATEWAY.id: 0.8}


async def test_a_service_is_meant_before_a_function_of_its_name(graph):
    service = Entity("checkout", "service", "shop", "a.yaml", 1, 2)
    function = Entity("checkout", "function", "shop", "load.py", 1, 2)
    await graph.replace(as_parts([GraphBatch([service, function], [], [])]))
    assert await names(graph, "What does checkout call?", permission=frozenset({"shop"})) == {service.id: 0.8}


async def test_a_name_within_a_longer_one_still_counts_as_known_to_be_meant(graph):
    trace = "at org.shop.PaymentGateway.charge(PaymentGateway.java:7)"
    assert CHARGE.id in await names(graph, trace, "PaymentGateway.charge")


@pytest.mark.parametrize(
    ("question", "linked"),
    [
        ("Who reads MAIL_HOST?", {"MAIL_HOST"}),
        ("Who reads `DB`?", {"DB"}),
        ("Which DB does the mail host use?", {"DB", "MAIL_HOST"}),
        ("Which db does the host use?", set()),
    ],
)
async def test_a_config_key_is_meant_by_its_name_or_all_of_its_words(question, linked):
    store = FakeGraphStore()
    await store.replace(
        as_parts([GraphBatch([Entity(name, "config_key", "orders") for name in ("DB", "MAIL_HOST")], [], [])])
    )
    assert {hit.entity.name for hit in await link(read_question(question), (), store, frozenset({"orders"}))} == linked


async def test_all_that_bears_an_identifier_is_meant():
    project = Entity("web-shop", "project", "web-shop", "README.md", 1, 1)
    topic = Entity("web-shop", "topic", "web-shop", "bus.py", 3, 3)
    elsewhere = Entity("web-shop", "topic", "bank", "bus.py", 9, 9)
    store = FakeGraphStore(GraphBatch([project, topic, elsewhere], []))
    found = await link(read_question("What is in web-shop?"), (), store, frozenset({"web-shop", "bank"}))
    assert {hit.entity for hit in found} == {project, topic, elsewhere}


async def test_a_class_spelt_otherwise_than_its_project_is_meant():
    project, own = Entity("flask", "project", "flask"), Entity("Flask", "class", "flask", "app.py", 1, 9)
    store = FakeGraphStore(GraphBatch([project, own], []))
    assert {hit.entity for hit in await link(read_question("Who calls Flask?"), (), store, frozenset({"flask"}))} == {
        project,
        own,
    }


async def test_a_function_is_not_meant_by_the_name_of_a_service(graph):
    service = Entity("booking-service", "service", "cinema", "Dockerfile", 1, 1)
    function = Entity("booking", "function", "cinema", "api.js", 4, 9)
    await graph.replace(as_parts([GraphBatch([service, function], [])]))
    assert await names(graph, "How does the booking service notify users?", permission=frozenset({"cinema"})) == {
        service.id: 0.9
    }


def test_a_project_is_itself_and_the_package_that_it_is():
    assert is_project(ORDERS)
    assert is_project(Entity("shopbus", "package", "platform", "pyproject.toml"))
    assert not is_project(Entity("shipping", "package", "platform", "crates/shipping/Cargo.toml"))
    assert is_project(Entity("web_shop", "module", "web-shop"))
    assert not is_project(Entity("till", "module", "web-shop"))
