"""Which relations answer, and from which end they are asked for."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from memory.entities import Entity
from memory.question import read_question
from synthesis.extractive.facts import answering, facts_of
from synthesis.extractive.sources import grounded
from synthesis.extractive.telling import fact_lines
from synthesis.extractive.weighted_question import WeightedQuestion

CART, SHOP, TILL = (Entity(name, "service", "shop") for name in ("cart", "storefront", "till-service"))
WEIGHTS = {
    "cart": 4.0, "storefront": 4.0, "till": 4.0, "call": 2.0, "calls": 2.0, "called": 2.0, "services": 1.0,
    "connect": 2.0, "show": 1.0, "code": 1.0, "explain": 1.0, "depends": 2.0, "redis": 5.0, "breaks": 3.0, "bank": 4.0, "shop": 4.0, "ledger": 4.0,
    "consumes": 3.0, "exposes": 2.0, "cartservice": 6.0,
}  # fmt: skip


@pytest.fixture
def told(org):
    async def asked(question, *edges, coverage=None, projects=()):
        observations = [org.graph(edge) for edge in edges]
        if coverage is not None:
            observations = [type(o)(**{**vars(o), "metadata": {"coverage": coverage}}) for o in observations]
        ground = await grounded(observations, org.files)
        words = {word: weight for word, weight in WEIGHTS.items() if word in question.lower()}
        facts = facts_of(WeightedQuestion.of(read_question(question), words, []), ground.chains)
        found = answering(facts, projects)
        return [f"{f.source.name} {f.type} {f.target.name}" for f in found]

    return asked


@pytest.fixture
def calls(org):
    return (org.edge(SHOP, "CALLS", CART), org.edge(CART, "CALLS", TILL))


@pytest.mark.parametrize(
    "question",
    ["What calls cart?", "Which services call the cart?", "What depends on cart?", "What breaks without the cart?"],
)
async def test_words_in_front_of_a_name_ask_what_leads_to_it(told, calls, question):
    assert await told(question, *calls) == ["storefront CALLS cart"]


@pytest.mark.parametrize("question", ["What does cart call?", "Which services does the cart call?", "cart depends on?"])
async def test_words_behind_a_name_ask_what_it_leads_to(told, calls, question):
    assert await told(question, *calls) == ["cart CALLS till-service"]


async def test_where_projects_are_named_nothing_is_said_of_others(told, org, calls):
    elsewhere = org.edge(replace(SHOP, project="bank"), "CALLS", replace(CART, project="bank"))
    question = "What calls cart?"
    assert len(await told(question, elsewhere)) == 1
    assert await told(question, elsewhere, projects=["shop"]) == []
    assert await told(question, *calls, projects=["shop"]) == ["storefront CALLS cart"]
    deployed = replace(SHOP, name="shop", project="platform"), "CALLS", replace(CART, project="platform")
    assert await told(question, org.edge(*deployed), projects=["shop"]) == ["shop CALLS cart"]


async def test_the_verb_that_asks_is_held_by_every_relation_of_its_kind(told, org):
    topic = Entity("ledger", "topic", "shop")
    module, listener, bank = (Entity(*row) for row in (
        ("cart.consume", "module", "shop"), ("Listener", "class", "shop"), ("Bank", "class", "shop")))  # fmt: skip
    edges = [org.edge(one, "SUBSCRIBES", topic) for one in (module, listener)]
    found = await told("Who consumes ledger?", *edges, org.edge(bank, "PUBLISHES", topic))
    assert found == ["cart.consume SUBSCRIBES ledger", "Listener SUBSCRIBES ledger"]


async def test_who_names_whose_a_thing_is_asks_for_something_else_of_it(told, org):
    route = Entity("GET /ledger", "endpoint", "till")
    owns = org.edge(Entity("till", "project", "till"), "EXPOSES", route)
    uses = org.edge(CART, "INVOKES", route)
    assert await told("What breaks if the till changes /ledger?", owns, uses) == ["cart INVOKES GET /ledger"]
    assert await told("Who calls /ledger of the till?", owns, uses) == ["cart INVOKES GET /ledger"]
    assert await told("Which till exposes /ledger?", owns, uses) == ["till EXPOSES GET /ledger"]


async def test_what_acts_stands_behind_by(told, calls):
    assert await told("Which services are called by the cart?", *calls) == ["cart CALLS till-service"]


@pytest.mark.parametrize("question", ["How is cart called?", "where is the cart called", "Who is cart called by?"])
async def test_what_is_acted_on_stands_between_be_and_a_participle(told, calls, question):
    assert await told(question, *calls) == ["storefront CALLS cart"]


@pytest.mark.parametrize("question", ["cart?", "Show me the code of the cart", "explain cart"])
async def test_a_name_alone_asks_for_both_directions(told, calls, question):
    assert await told(question, *calls) == ["storefront CALLS cart", "cart CALLS till-service"]


async def test_a_name_in_another_case_is_stated_behind_the_one_that_is_written(told, org):
    named, class_ = Entity("cartservice", "service", "shop"), Entity("CartService", "interface", "shop")
    calls = (org.edge(TILL, "INVOKES", class_), org.edge(TILL, "CALLS", named))
    assert await told("What calls cartservice?", *calls) == [
        "till-service CALLS cartservice",
        "till-service INVOKES CartService",
    ]
    assert await told("What calls CartService?", *calls) == [
        "till-service INVOKES CartService",
        "till-service CALLS cartservice",
    ]


async def test_tests_are_stated_behind_others(told, org):
    tested = replace(org.edge(TILL, "CALLS", CART), path="tests/test_cart.py")
    assert await told("What calls cart?", tested, org.edge(SHOP, "CALLS", CART)) == [
        "storefront CALLS cart",
        "till-service CALLS cart",
    ]


async def test_the_name_of_a_test_answers_nothing(org):
    test = Entity("TestCart_services_depends", "service", "shop")
    called, tested = org.edge(SHOP, "CALLS", CART), org.edge(test, "CALLS", CART)
    tested = replace(tested, path="tests/test_cart.py")

    async def facts(question):
        words = {word: weight for word, weight in WEIGHTS.items() if word in question.lower()}
        ground = await grounded([org.graph(tested), org.graph(called)], org.files)
        found = answering(facts_of(WeightedQuestion.of(read_question(question), words, []), ground.chains))
        return [f.source.name for f in found]

    assert await facts("Which services depends on a bank with a cart?") == []
    assert await facts("What calls cart?") == ["storefront", "TestCart_services_depends"]


@pytest.mark.parametrize(("question", "named"), [("What calls /cart?", True), ("What calls /carts?", False)])
async def test_a_path_names_what_is_served_there_by_any_method(org, question, named):
    edge = org.edge(SHOP, "INVOKES", Entity("POST /cart", "endpoint", "till"))
    ground = await grounded([org.graph(edge)], org.files)
    [fact] = facts_of(WeightedQuestion.of(read_question(question), {"cart": 4.0, "calls": 2.0}, []), ground.chains)
    assert fact.asks_target is named


async def test_two_names_ask_for_what_joins_them(told, calls):
    assert await told("How does cart connect to the till?", *calls) == ["cart CALLS till-service"]


@pytest.mark.specification("001 §4.2 traversal")
async def test_relations_in_a_row_join_two_names(told, calls):
    assert await told("How does the storefront connect to till?", *calls) == ["storefront CALLS till-service"]


@pytest.mark.specification("001 §4.2 traversal")
@pytest.mark.parametrize(("between", "joined"), [(1, [2]), (2, [3]), (3, [4]), (4, [])])
async def test_as_many_as_four_relations_are_joined(org, between, joined):
    names = ["storefront", *["cart", "mangle", "spindle", "bobbin"][:between], "tillx"]
    ends = [Entity(name, "service", "shop") for name in names]
    edges = [org.edge(one, "CALLS", two) for one, two in pairwise(ends)]
    ground = await grounded([org.graph(one) for one in edges], org.files)
    question = read_question("How does the storefront connect to tillx?")
    asked = WeightedQuestion.of(question, {"storefront": 4.0, "tillx": 4.0, "connect": 2.0}, [])
    facts = answering(facts_of(asked, ground.chains))
    assert [len(f.edges) for f in facts if (f.source.name, f.target.name) == ("storefront", "tillx")] == joined


async def test_what_covers_too_little_answers_nothing(told, calls):
    assert await told("Does cart call redis?", calls[1], coverage=0.49) == []
    assert await told("Does cart call redis?", calls[1], coverage=0.5) == ["cart CALLS till-service"]


async def test_an_import_answers_only_who_asks_for_imports(org, told):
    edge = org.edge(SHOP, "IMPORTS", CART)
    assert await told("What calls cart?", edge, coverage=0.9) == []
    question = "What imports cart?"
    ground = await grounded([org.graph(edge)], org.files)
    asked = WeightedQuestion.of(read_question(question), {"imports": 3.0, "cart": 4.0}, [])
    assert len(answering(facts_of(asked, ground.chains))) == 1


@pytest.mark.parametrize("project", ["shop", ""])
async def test_that_a_worker_takes_the_jobs_called_like_it_answers_nothing(org, told, project):
    edge = org.edge(CART, "SUBSCRIBES", Entity("cart", "topic", project))
    assert await told("What calls cart?", edge, coverage=0.9) == []


async def test_a_service_is_told_rather_than_its_class_where_one_line_proves_both(org, told):
    client = Entity("ShopClient", "class", "shop")
    edges = [org.edge(end, "CALLS", CART, "x.py", 1) for end in (client, SHOP)]
    org.texts["shop/x.py"] = "call(cart)\n"
    assert await told("What calls cart?", *edges) == ["storefront CALLS cart"]


@pytest.mark.parametrize("own", [("cart", "topic"), ("POST /cart", "remote_endpoint")])
async def test_what_another_project_has_is_told_once_and_with_that_project(org, told, own):
    org.texts["shop/x.py"] = "call(cart)\n"
    there = Entity("cart", "topic", "bank")
    edges = [org.edge(SHOP, "CALLS", end, "x.py", 1) for end in (Entity(*own, "shop", "x.py", 1), there)]
    assert await told("What calls cart?", *edges) == ["storefront CALLS cart"]


async def test_who_publishes_is_told_once_beside_those_who_subscribe(org):
    sold, mail = Entity("sold", "topic", "shop"), Entity("mail", "service", "mail")
    org.texts["shop/x.py"] = "publish(sold)\n"
    edges = [org.edge(SHOP, "PUBLISHES", sold, "x.py", 1), org.edge(mail, "SUBSCRIBES", sold)]
    ground = await grounded([org.graph(edge) for edge in edges], org.files)
    facts = facts_of(WeightedQuestion.of(read_question("sold"), {"sold": 1.0}, []), ground.chains)
    text = "\n".join(claim.text for line in fact_lines(facts, facts) for claim in line.claims)
    assert text.count("shop/x.py:1") == 1


LEDGER, BOOK = Entity("ledger", "class", "bank"), Entity("book", "function", "bank")


@pytest.fixture
def between(org):
    """Relations between the shop and the bank, and one inside the bank."""
    return (org.edge(CART, "CALLS", LEDGER), org.edge(BOOK, "CALLS", TILL), org.edge(BOOK, "CALLS", LEDGER))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What calls the bank?", ["cart CALLS ledger"]),
        ("What does the bank call?", ["book CALLS till-service"]),
        ("How does the shop connect to the bank?", ["cart CALLS ledger", "book CALLS till-service"]),
        ("What calls till in the shop?", ["book CALLS till-service"]),
    ],
)
async def test_a_project_is_named_by_what_is_in_it_where_another_has_to_do_with_that(
    org, told, between, question, expected
):
    assert await told(question, *between) == expected


async def test_a_project_uses_tables_of_another_not_the_other_as_a_table(org):
    tables = [Entity(name, "table", "bank") for name in ("carts:open", "carts:paid")]
    edges = [org.edge(CART, "USES_TABLE", table) for table in tables]
    ground = await grounded([org.graph(edge) for edge in edges], org.files)
    question = WeightedQuestion.of(read_question("What connects shop and bank?"), {"shop": 4.0, "bank": 4.0}, [])
    found = answering(facts_of(question, ground.chains))
    assert "".join(claim.text for claim in fact_lines(found, found)[0].claims) == "shop uses tables of bank."
