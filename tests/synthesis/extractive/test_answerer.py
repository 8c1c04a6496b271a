"""The answers as people read them, laid out by what was found."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from memory.entities import BY_NAMES, Entity, Evidence
from memory.files import FakeFiles
from memory.observations import Duplicate, Location, NormalizedObservation
from memory.question import QueryType
from synthesis.answer import UNSAID
from synthesis.extractive import ExtractiveAnswerer

T = QueryType


@pytest.fixture
def ask(org):
    async def asked(query, observations, *types, entities=(), files=None, **more):
        classification = org.asked(query, *types, entities=entities) if types else None
        answer = await ExtractiveAnswerer().answer(
            query, observations, classification=classification, files=files or org.files, **more
        )
        assert all(citation.verified and citation.marker in answer.text for citation in answer.citations)
        return answer

    return asked


TABLES = (
    "billing/docs/schema.md",
    "billing/db/schema.sql",
    "auth/db/schema.sql",
    "crm/db/schema.sql",
    "crm/docs/schema.md",
)


async def test_each_project_is_shown_with_its_block(org, ask):
    answer = await ask(
        "What patterns do other teams use for customer tables?", [org.seen(key) for key in TABLES], T.CROSS_PROJECT
    )
    headings = [line for line in answer.text.split("\n") if line in {"billing:", "auth:", "crm:"}]
    assert sorted(headings) == ["auth:", "billing:", "crm:"]
    assert "auth/db/schema.sql:1-5 [vector:auth/db/schema.sql:1-5]\n```sql\n-- Somebody who can log in." in answer.text
    assert "> The customers table has a composite key of tenant and number." in answer.text
    assert "Found in" not in answer.text


async def test_what_belongs_to_no_project_stands_under_the_name_of_who_found_it(org, ask):
    ticket = NormalizedObservation(
        content="SHOP-7: the customers table has lost its index.",
        source="local:SHOP-7",
        source_project=None,
        confidence=0.9,
        observation_type="fact",
        id="jira-7",
        agent="jira",
        score=0.9,
    )
    found = [ticket, *map(org.seen, TABLES)]
    answer = await ask("What patterns do other teams use for customer tables?", found, T.CROSS_PROJECT)
    headings = [line for line in answer.text.split("\n") if line.endswith(":") and " " not in line]
    assert sorted(headings) == ["auth:", "billing:", "crm:", "jira:"]


async def test_a_block_is_the_whole_unit_though_only_part_of_it_was_found(org, ask):
    answer = await ask("Who catches TillTimeout?", [org.seen("orders/orders/adapter.py", 10, 11)])
    first, *block = answer.text.split("\n")
    assert first == "orders/orders/adapter.py:1-12 [vector:orders/orders/adapter.py:10-11]"
    assert block[0] == "```py"
    assert "class PaymentAdapter:" in block[1]
    assert block[-2:] == ['        raise RuntimeError("the till did not answer three times")', "```"]


async def test_a_section_of_a_document_is_quoted(org, ask):
    answer = await ask("Who reviews a refund?", [org.seen("billing/CLAUDE.md")], T.PATTERN)
    assert answer.text.split("\n") == [
        "billing/CLAUDE.md:3-5 [vector:billing/CLAUDE.md:3-5]",
        "> ## Reviews",
        ">",
        "> Every refund needs two reviewers. Nobody reviews alone.",
    ]


async def test_what_holds_far_less_of_the_question_is_not_shown(org, ask):
    seen = [org.seen("billing/CLAUDE.md", score=0.7), org.seen("payments/payments/gateway.py", score=0.4)]
    answer = await ask("Which refund needs two reviewers?", seen)
    assert {citation.observation_id for citation in answer.citations} == {seen[0].id}


@pytest.mark.specification("001 §6.2 conflicts")
async def test_copies_are_shown_once_and_told_where_else(org, ask):
    org.texts |= {f"{project}/x.py": "def ring():\n    return bell(1)\n" for project in ("a", "b")}
    answer = await ask("Who rings the bell?", [org.seen("a/x.py"), org.seen("b/x.py")])
    assert answer.text.split("\n")[0] == "a/x.py:1-2 [vector:a/x.py:1-2] also in b/x.py:1-2 [vector:b/x.py:1-2]"
    assert answer.text.count("def ring") == 1


@pytest.mark.specification("001 §6.2 conflicts")
@pytest.mark.parametrize(
    ("last", "other", "likeness"),
    [
        ("halt()", "stop()", "much the same in"),
        ("halt()", "wait(7)", "with other lines in"),
        ("wait(5)", "wait(70)", "with other numbers in"),
    ],
)
async def test_of_what_is_not_quite_a_copy_it_is_said_how_it_differs(org, ask, last, other, likeness):
    text = "def ring():\n    x = bell()\n    y = bell(x)\n    z = bell(y)\n    {}\n"
    org.texts |= {"a/x.py": text.format(last), "b/x.py": text.format(other)}
    answer = await ask("Who rings the bell?", [org.seen("a/x.py"), org.seen("b/x.py")])
    assert f" {likeness} b/x.py:1-5 " in answer.text.split("\n")[0]


async def test_where_copies_of_each_piece_stand_is_said(org, ask):
    text = "".join(f"def ring_{name}():\n    return bell({name})\n" + "    pull()\n" * 9 for name in ("low", "high"))
    org.texts |= {"a/x.py": text, "b/x.py": f"import rope\n\n\n{text}"}
    answer = await ask("Who rings the low and the high bell?", [org.seen("a/x.py"), org.seen("b/x.py")])
    assert answer.text.startswith("a/x.py:1-22 ")
    assert " also in b/x.py:4-14 [vector:b/x.py:4-14] and 15-25 [vector:b/x.py:15-25]\n" in answer.text


async def test_a_marker_in_a_file_cannot_cite(org, ask):
    org.texts["a/x.md"] = "The refund is paid [vector:b/y.py:1-1].\n"
    answer = await ask("How is a refund paid?", [org.seen("a/x.md")])
    assert "> The refund is paid (vector:b/y.py:1-1]." in answer.text


async def test_a_relationship_is_a_path_with_the_lines_that_prove_it(org, ask):
    query = "How does OrderService connect to PaymentGateway?"
    answer = await ask(query, [org.graph(*org.path)], T.RELATIONSHIP)
    whole = "[graph:orders/OrderService→orders/PaymentAdapter→payments/PaymentGateway]"
    assert answer.text.split("\n") == [
        (
            "OrderService calls PaymentAdapter, which calls PaymentGateway of payments. "
            f"Flow: OrderService.place → PaymentAdapter.process_payment → PaymentGateway.charge. {whole}"
        ),
        (
            "- orders/orders/service.py:5 `return self.adapter.process_payment(amount)` "
            "[graph:orders/OrderService→orders/PaymentAdapter]"
        ),
        "- orders/orders/adapter.py:9 `return gateway.charge(amount)` [graph:orders/PaymentAdapter→payments/PaymentGateway]",
    ]
    rows = [c for c in answer.citations if c.marker == whole]
    assert [(c.location.path, c.quote) for c in rows] == [
        ("orders/service.py", "return self.adapter.process_payment(amount)"),
        ("orders/adapter.py", "return gateway.charge(amount)"),
    ]


async def test_a_file_that_proves_a_relation_is_shown_there(org, ask):
    org.texts["orders/orders/adapter.py"] += (
        "\n\ndef payment_gateway_help():\n    return 'PaymentGateway OrderService'\n"
    )
    answer = await ask(
        "How does OrderService connect to PaymentGateway?", [org.graph(*org.path), org.seen("orders/orders/adapter.py")]
    )
    proof = answer.text.index("return gateway.charge(amount)\n")
    assert proof < answer.text.index("payment_gateway_help")


@pytest.mark.specification("001 §4.2 traversal")
async def test_edges_of_several_observations_make_one_path_either_way_round(org, ask):
    observations = [org.graph(edge) for edge in reversed(org.path)]
    answer = await ask("How is PaymentGateway reached from OrderService?", observations, T.RELATIONSHIP)
    assert answer.text.startswith("OrderService calls PaymentAdapter, which calls PaymentGateway of payments.")


async def test_what_depends_on_a_project_and_what_it_depends_on(org, ask):
    orders, payments = (Entity(name, "project", name) for name in ("orders", "payments"))
    dependency = org.graph(org.edge(orders, "DEPENDS_ON", payments, "pyproject.toml", 3))
    expected = (
        'orders depends on payments (orders/pyproject.toml:3): `dependencies = ["payments"]` '
        "[graph:orders/orders→payments/payments]"
    )
    assert (await ask("What depends on payments?", [dependency])).text == expected
    assert (await ask("What does orders depend on?", [dependency])).text == expected
    for turned in ("What depends on orders?", "What does payments depend on?"):
        answer = await ask(turned, [dependency])
        assert (answer.citations, answer.notes) == ((), (UNSAID,))


async def test_what_shares_an_end_is_a_list_with_a_line_for_each(org, ask):
    target = Entity("Gateway", "class", "tills")
    org.texts["desk/a.py"] = "".join(f"call({n})\n" for n in range(11))
    edges = [org.edge(Entity(f"Caller{n}", "class", "desk"), "CALLS", target, "a.py", n + 1) for n in range(11)]
    answer = await ask("What calls Gateway?", [org.graph(edge) for edge in edges], T.RELATIONSHIP)
    lead, *rows = answer.text.split("\n")
    assert lead == (
        "Caller0 of desk, Caller1 of desk, Caller2 of desk, Caller3 of desk, Caller4 of desk, Caller5 of desk, "
        "Caller6 of desk, Caller7 of desk, Caller8 of desk, Caller9 of desk and Caller10 of desk call Gateway of tills."
    )
    assert rows[0] == "- Caller0 of desk calls it (desk/a.py:1): `call(0)` [graph:desk/Caller0→tills/Gateway]"
    assert len(rows) == 8


async def test_what_makes_an_object_and_no_more_creates_it(org, ask):
    org.texts["desk/a.py"] = "Till()\nTill().open()\n"
    clerk, till = Entity("Clerk", "class", "desk"), Entity("Till", "class", "desk")
    made = org.edge(clerk, "CALLS", till, "a.py", 1, "Clerk.sell creates Till")
    opened = org.edge(Entity("Boss", "class", "desk"), "CALLS", till, "a.py", 2, "Boss.come calls Till.open")
    answer = await ask("What uses Till?", [org.graph(made), org.graph(opened)], T.RELATIONSHIP)
    assert answer.text.startswith("Clerk creates Till of desk; Boss calls Till of desk.\n- Clerk of desk creates it")
    assert all(citation.supported for citation in answer.citations)


async def test_what_is_done_through_a_call_is_said_so(org, ask):
    org.texts["desk/a.py"] = "bank.ring()\ninsert(tills)\n"
    tills = Entity("tills", "table", "bank")
    edge = org.edge(Entity("Clerk", "class", "desk"), "USES_TABLE", tills, "a.py", 1)
    through = replace(edge, evidence=(Evidence("calls", "desk", "a.py", 1), Evidence("sql", "bank", "b.py", 7)))
    itself = replace(
        org.edge(Entity("Boss", "class", "desk"), "USES_TABLE", tills, "a.py", 2),
        evidence=(Evidence("sql", "desk", "a.py", 2),),
    )
    by_names = Evidence(BY_NAMES, "desk", "a.py", 1, "calls ring")  # the table is known by its name alone
    for call in (through, replace(through, evidence=(by_names, through.evidence[1]))):
        text = (await ask("Who uses the tills?", [org.graph(call), org.graph(itself)])).text
        assert "- Clerk of desk uses it through this call (desk/a.py:1): `bank.ring()`" in text
    assert "- Boss of desk uses it (desk/a.py:2): `insert(tills)`" in text


async def test_who_has_to_do_with_a_project_is_a_list_of_projects(org, ask):
    org.texts |= {
        "desk/a.py": "take()\nstore()\n",
        "web/b.py": "take()\n",
        "bank/c.py": "ring()\n",
        "desk/go.mod": "bank v1\n",
    }
    till, drawer = Entity("Till", "class", "bank"), Entity("Drawer", "class", "bank")
    edges = [
        org.edge(Entity("Clerk", "class", "desk"), "CALLS", till, "a.py", 1),
        org.edge(Entity("Clerk", "class", "desk"), "CALLS", drawer, "a.py", 2),
        org.edge(Entity("Form", "class", "web"), "CALLS", till, "b.py", 1),
        org.edge(Entity("desk", "project", "desk"), "DEPENDS_ON", Entity("Api", "class", "bank"), "go.mod", 1),
        org.edge(till, "CALLS", Entity("Bell", "class", "bells"), "c.py", 1),
    ]
    observations = [org.graph(edge) for edge in edges]
    incoming = (await ask("What calls the bank?", observations[:3])).text.split("\n")
    assert incoming[0] == "desk and web call bank."
    assert [row.partition(" (")[0] for row in incoming[1:]] == [
        "- Clerk of desk calls Till of bank",  # the first of each project
        "- Form of web calls Till of bank",
        "- Clerk of desk calls Drawer of bank",
    ]
    mixed = (await ask("bank", observations)).text
    assert "desk and web call bank; desk depends on bank." in mixed
    assert "Till of bank calls Bell of bells (bank/c.py:1)" in mixed
    outgoing = (await ask("What do the desks use?", observations[:4])).text
    assert outgoing.startswith("desk calls and depends on bank.\n- Clerk of desk calls Till of bank (desk/a.py:1)")


async def test_a_list_that_is_asked_for_is_told_by_project_and_what_is_left_out_is_counted(org, ask):
    org.texts |= {"web/a.py": "".join(f"route({n})\n" for n in range(1, 31)), "bank/b.py": 'route("/till")\n'}
    web, bank = Entity("web", "project", "web"), Entity("bank", "project", "bank")
    routes = [org.edge(web, "EXPOSES", Entity(f"GET /{n:02}", "endpoint", "web"), "a.py", n) for n in range(1, 31)]
    till = org.edge(bank, "EXPOSES", Entity("GET /till", "endpoint", "bank"), "b.py", 1)
    marks = {"listed": "things", "unlisted": 2}
    observations = [replace(org.graph(*edges), metadata=marks) for edges in (routes, [till])]
    lines = (await ask("List all endpoints", observations)).text.split("\n")
    shown = ", ".join(f"GET /{n:02}" for n in range(1, 15))
    assert lines[0] == f"web exposes {shown} and 16 more."
    rows = [f"- web exposes GET /{n:02} (web/a.py:{n}): `route({n})`" for n in range(1, 21)]
    assert [line.partition(" [")[0] for line in lines[1:21]] == rows
    assert lines[22].startswith('bank exposes GET /till (bank/b.py:1): `route("/till")` [')
    assert lines[23] == "And 2 more: ask about one project."
    alone = (await ask("List all endpoints", [replace(observations[1], metadata={"listed": "things"})])).text
    assert alone.startswith("bank exposes GET /till (bank/b.py:1)")
    assert "more" not in alone


async def test_how_projects_are_connected_is_told_by_project(org, ask):
    org.texts |= {"desk/a.py": "take()\nstore()\n"}
    desk = Entity("Clerk", "class", "desk")
    edges = [
        org.edge(desk, "CALLS", Entity("Till", "class", "bank"), "a.py", 1),
        org.edge(desk, "READS", Entity("BELL", "config_key", "bells"), "a.py", 2),
    ]
    found = replace(org.graph(*edges), metadata={"listed": "projects", "unlisted": 0})
    lines = (await ask("How are the projects connected?", [found])).text.split("\n")
    assert lines[0] == "desk calls bank; reads bells."
    assert [line.partition(" (")[0] for line in lines[1:3]] == [
        "- Clerk of desk calls Till of bank",
        "- Clerk of desk reads BELL of bells",
    ]


async def test_of_what_one_project_does_to_another_a_few_lines_are_shown(org, ask):
    org.texts |= {"desk/a.py": "".join(f"take{n}()\n" for n in range(30))}
    desk = Entity("Clerk", "class", "desk")
    edges = [org.edge(desk, "CALLS", Entity(f"Till{n:02}", "class", "bank"), "a.py", n + 1) for n in range(30)]
    found = replace(org.graph(*edges), metadata={"listed": "projects", "unlisted": 0})
    lines = (await ask("How are desk and bank connected?", [found])).text.split("\n")
    assert lines[0] == "desk calls bank."
    assert len([line for line in lines if line.startswith("- Clerk")]) == 12


async def test_who_consumes_is_told_with_who_publishes(org, ask):
    shop, mail, topic = (
        Entity("shop", "service", "shop"),
        Entity("mail", "service", "mail"),
        Entity("sold", "topic", "shop"),
    )
    org.texts |= {"shop/a.py": 'publish("sold")\n', "mail/b.py": 'subscribe("sold")\n'}
    published = org.edge(shop, "PUBLISHES", topic, "a.py", 1)
    consumed = org.edge(mail, "SUBSCRIBES", topic, "b.py", 1)
    answer = await ask("What does shop publish?", [org.graph(published), org.graph(consumed)])
    first, second = answer.text.split("\n")
    assert first.startswith('shop publishes sold (shop/a.py:1): `publish("sold")`')
    assert second.startswith("- mail subscribes to sold of shop (mail/b.py:1)")


async def test_what_a_thing_is_stands_before_what_it_does(org, ask):
    observations = [org.graph(org.path[1]), org.seen("payments/payments/gateway.py")]
    answer = await ask("What is PaymentGateway?", observations, T.ENTITY_LOOKUP)
    lines = answer.text.split("\n")
    assert lines[0] == "payments/payments/gateway.py:1-8 [vector:payments/payments/gateway.py:1-8]"
    assert lines[2] == "class PaymentGateway:"
    assert lines[-1].startswith(
        "PaymentAdapter of orders calls PaymentGateway of payments (orders/orders/adapter.py:9)"
    )


async def test_the_definition_of_a_thing_stands_before_what_is_called_nearly_so(org, ask):
    org.texts |= {
        "till/web.py": "class TillController:\n    service: TillService\n",
        "till/core.py": "class TillService:\n    pass\n",
    }
    user, service = Entity("TillController", "class", "till"), Entity("TillService", "class", "till", "core.py")
    calls = org.graph(org.edge(user, "CALLS", service, "web.py", 2))
    found = [calls, org.seen("till/web.py", score=0.9), org.seen("till/core.py", score=0.8)]
    answer = await ask("What is TillService?", found, T.ENTITY_LOOKUP)
    assert answer.text.startswith("till/core.py:1-2")
    assert "TillController of till calls TillService" in answer.text


async def test_a_value_leads(org, ask):
    org.texts["shop/config.yaml"] = "till:\n  refund_days: 14\n"
    answer = await ask("What is the till's refund_days?", [org.seen("shop/config.yaml")])
    assert (
        answer.text.split("\n")[0] == "`refund_days: 14` (shop/config.yaml:2, in `till`) [vector:shop/config.yaml:2-2]"
    )


async def test_no_value_tells_which_projects_do_something(org, ask):
    org.texts["shop/compose.yaml"] = "services:\n  kafka:\n    image: kafka:3\n"
    found = [org.seen("shop/compose.yaml")]
    assert (await ask("What is the kafka image?", found)).text.startswith("`image: kafka:3`")
    assert (await ask("Which projects run the kafka image?", found, T.CROSS_PROJECT)).text.startswith("shop/compose")


async def test_instructions_of_the_project_in_hand_stand_alone(org, ask):
    sections = [
        org.seen("billing/CLAUDE.md", 3, 5, agent="local"),
        org.seen("payments/payments/gateway.py", score=0.7),
    ]
    answer = await ask("What does our CLAUDE.md say about refund reviews?", sections, T.LOCAL_ONLY)
    assert [citation.marker for citation in answer.citations] == ["[local:CLAUDE.md:3-5]"]
    assert "Every refund needs two reviewers." in answer.text


async def test_what_instructions_do_not_say_is_shown_behind_them(org, ask):
    org.texts["billing/CLAUDE.md"] = "# Rules\n\nSee @style.md for the rules.\n"
    org.texts["billing/style.md"] = "# Style\n\nUse four spaces for indentation.\n"
    found = [org.seen("billing/style.md", agent="local"), org.seen("billing/CLAUDE.md", agent="local")]
    answer = await ask("What does our CLAUDE.md say about indentation?", found, T.LOCAL_ONLY)
    assert [c.marker for c in answer.citations] == ["[local:CLAUDE.md:1-3]", "[local:style.md:1-3]"]


async def test_blocks_and_values_of_a_file_that_is_named_stand_first(org, ask):
    org.texts["billing/retry.py"] = "def wait():\n    return 3\n"
    org.texts["billing/other.py"] = "retries_of_orders = 5  # what retry.py says of retries\n"
    found = [org.seen("billing/other.py"), org.seen("billing/retry.py", score=0.5)]
    answer = await ask("What does retry.py say of retries?", found)
    assert answer.text.index("billing/retry.py") < answer.text.index("billing/other.py")
    assert "`retries_of_orders = 5`" not in answer.text


async def test_instructions_that_the_vector_agent_rates_higher_are_those_of_the_project_in_hand_too(org, ask):
    org.texts["orders/CLAUDE.md"] = "# CLAUDE.md\n\nWhat our CLAUDE.md says here.\n"
    own = [org.seen("billing/CLAUDE.md", *lines) for lines in ((1, 1), (3, 5))]
    own = [replace(one, duplicates=(Duplicate("local:CLAUDE.md", one.locations[0], 1.0),)) for one in own]
    answer = await ask("What does our CLAUDE.md say?", [org.seen("orders/CLAUDE.md", score=0.9), *own], T.LOCAL_ONLY)
    assert answer.text.startswith("billing/CLAUDE.md:1-")
    assert "orders/CLAUDE.md" not in answer.text


async def test_of_a_file_that_is_all_the_question_names_each_section_is_shown_in_its_order(org, ask):
    org.texts["billing/CLAUDE.md"] += "\n## Dumps\n\nKeep last night's.\n"
    found = [(7, 9), (1, 1), (3, 5)]  # as they rank
    sections = [org.seen("billing/CLAUDE.md", *lines, agent="local") for lines in found]
    answer = await ask("What does our CLAUDE.md say?", [*sections, org.seen("auth/db/schema.sql")], T.LOCAL_ONLY)
    assert [line for line in answer.text.splitlines() if line.startswith(("> #", "billing", "auth"))] == [
        "billing/CLAUDE.md:1-9 [local:CLAUDE.md:1-1] [local:CLAUDE.md:3-5] [local:CLAUDE.md:7-9]",
        "> # Working here",
        "> ## Reviews",
        "> ## Style",
    ]
    assert answer.missing == ("the rest of billing/CLAUDE.md: Dumps",)


async def test_of_a_section_that_is_shown_in_part_the_rest_is_missing_too(org, ask):
    org.texts["billing/CLAUDE.md"] = "Read this first.\n\n# Reviews\n\nTwo.\n\nAlways.\n"
    answer = await ask("What does our CLAUDE.md say?", [org.seen("billing/CLAUDE.md", 3, 5, agent="local")])
    assert answer.missing == ("the rest of billing/CLAUDE.md: its beginning, Reviews",)


async def test_a_relation_between_what_is_named_leads_before_instructions_that_name_both(org, ask):
    org.texts["orders/CLAUDE.md"] = "# Rules\n\nHow OrderService is to connect to PaymentGateway: by an adapter.\n"
    rule = org.seen("orders/CLAUDE.md", 3, 3, agent="local")
    question = "How does OrderService connect to PaymentGateway?"
    assert (await ask(question, [rule], T.RELATIONSHIP)).text.startswith("orders/CLAUDE.md:1-3")
    answer = await ask(question, [rule, org.graph(*org.path)], T.RELATIONSHIP)
    assert answer.text.startswith("OrderService calls PaymentAdapter, which calls PaymentGateway")


async def test_so_does_one_that_the_question_spells_out(org, ask):
    org.texts["orders/CLAUDE.md"] = "# Rules\n\nWho calls PaymentGateway uses an adapter.\n"
    rule = org.seen("orders/CLAUDE.md", 3, 3, agent="local")
    answer = await ask("Who calls PaymentGateway?", [rule, org.graph(org.path[1])], T.RELATIONSHIP)
    assert answer.text.startswith("PaymentAdapter of orders calls PaymentGateway")


async def test_a_trace_shows_the_blocks_it_points_at(org, ask):
    query = 'TillTimeout\nFile "orders/adapter.py", line 9, in process_payment\nFile "payments/gateway.py", line 5'
    seen = [org.seen("orders/orders/adapter.py"), org.seen("payments/payments/gateway.py")]
    answer = await ask(query, seen, T.PATTERN)
    lines = answer.text.split("\n")
    assert lines[:2] == [
        "The trace points at these lines:",
        "orders/orders/adapter.py:1-12 [vector:orders/orders/adapter.py:1-12]",
    ]
    assert answer.missing == ()


async def test_a_message_is_shown_where_it_comes_from(org, ask):
    query = "We see\nRuntimeError: the till did not answer 7 times"
    answer = await ask(query, [org.seen("orders/orders/adapter.py")])
    assert answer.text.startswith("The message comes from here:\norders/orders/adapter.py:1-12 ")


async def test_what_is_far_from_the_words_is_said_to_be_near_in_meaning(org, ask):
    org.texts["weather/rain.py"] = "def millimetres(inches):\n    return inches * 25.4\n"
    answer = await ask("convert precipitation from imperial", [org.seen("weather/rain.py")])
    lead, where, *_ = answer.text.split("\n")
    assert lead == "No text holds much of the question. Nearest in meaning:"
    assert where == "weather/rain.py:1-2 [vector:weather/rain.py:1-2]"


async def test_hits_further_down_the_file_are_read_too(org, ask):
    seen = org.seen("billing/CLAUDE.md", 7, 9, metadata={"also": [{"start_line": 3, "end_line": 5}]})
    answer = await ask("Who reviews a refund?", [seen], T.PATTERN)
    assert "[vector:billing/CLAUDE.md:3-5]" in answer.text


async def test_observations_from_the_specifications_fields_alone(ask):
    bare = NormalizedObservation("Customer is stored by billing", "graph:fake", "billing", 0.9, "entity", id="g-1")
    code = NormalizedObservation(
        "def retry(): back_off()", "vector:qdrant", "billing", 0.8, "code", id="v-1", metadata={"source_file": "r.py"}
    )
    answer = await ask("Who stores a customer?", [bare, code], T.PATTERN, files=FakeFiles({}))
    assert answer.text == "billing [graph:billing/g-1]\n> Customer is stored by billing"


async def test_what_has_changed_since_is_not_cited(org, ask):
    seen, graph = org.seen("billing/CLAUDE.md"), org.graph(*org.path)
    org.texts["billing/CLAUDE.md"] = "# Something else\n\nA refund is never reviewed, and so on.\n\n.\n\n.\n\n.\n"
    del org.texts["orders/orders/service.py"]
    del org.texts["orders/orders/adapter.py"]
    answer = await ask("Who reviews a refund?", [seen, graph], T.PATTERN)
    assert answer.citations == ()
    assert answer.text == (
        "Nothing was found that answers this. Searched: the graph of all projects and all projects' texts and code."
    )


class Forgetful(FakeFiles):
    """Whole files hold other lines than those that citations are held against."""

    async def lines(self, location):
        found = await super().lines(location)
        return found and [line.replace("two reviewers", "2 people") for line in found]


async def test_a_block_that_does_not_hold_is_not_printed(org, ask):
    answer = await ask("Who reviews a refund?", [org.seen("billing/CLAUDE.md")], T.PATTERN, files=Forgetful(org.texts))
    assert "two reviewers" not in answer.text
    assert not answer.citations


@dataclass(frozen=True)
class Conflict:
    """What is read of the merger's."""

    observations: tuple
    values: tuple
    winner: str | None
    losers: tuple
    subject: str = "billing/port"
    property: str = "value"
    reason: str = "the newest wins"
    conflict_type: str = "factual"
    project: str = "billing"


@pytest.fixture
def ports(org):
    org.texts |= {"billing/new.md": "# Port\n\nThe port is 8081.\n", "billing/old.md": "# Port\n\nThe port is 8080.\n"}
    new, old = org.seen("billing/new.md"), org.seen("billing/old.md")
    return new, old, Conflict((old, new), ("8080", "8081"), new.id, (old.id,))


@pytest.mark.specification("001 §6.2 conflicts")
async def test_conflicts_say_what_was_kept_and_what_was_not(org, ask, ports):
    new, old, conflict = ports
    answer = await ask("Which port?", [new, old], T.PATTERN, conflicts=[conflict])
    assert answer.text.endswith(
        "The sources conflict on value of billing/port: kept 8081 [vector:billing/new.md:3-3] "
        "against 8080 [vector:billing/old.md:3-3] (the newest wins)"
    )
    equal = replace(conflict, winner=None, losers=(), reason="")
    answer = await ask("Which port?", [new, old], T.PATTERN, conflicts=[equal])
    assert "billing/port: 8080 [vector:billing/old.md:3-3] against 8081 [vector" in answer.text
    leaned_on = replace(conflict, subject="billing/x", property="y")  # named by the citations alone
    answer = await ask("Which port?", [new, old], T.PATTERN, conflicts=[leaned_on])
    assert "The sources conflict on y of billing/x: " in answer.text
    one_sided = replace(conflict, observations=(org.seen("auth/db/schema.sql"), new))
    answer = await ask("Which port?", [new], T.PATTERN, conflicts=[one_sided])
    assert "conflict" not in answer.text


@pytest.mark.specification("001 §6.2 conflicts")
async def test_a_conflict_that_is_beside_the_question_is_left_to_the_list(org, ask, ports):
    new, old, conflict = ports
    seen = [org.seen("billing/CLAUDE.md"), new, old]
    for asked in ("Who reviews a refund?", "Who reviews a refund of billing?"):  # the project alone is not the subject
        answer = await ask(asked, seen, T.PATTERN, conflicts=[conflict])
        assert answer.citations
        assert "conflict" not in answer.text


async def test_of_two_versions_it_is_said_what_each_says_about_the_question(org, ask):
    org.texts |= {
        "billing/new.md": "# Bills\n\nUpdated: 2024-05-01\n\nA bill is kept for 90 days.\n",
        "billing/old.md": "# Bills\n\nUpdated: 2021-05-01\n\nA bill is kept for 365 days.\n",
    }
    new, old = org.seen("billing/new.md"), replace(org.seen("billing/old.md"), superseded_by="new")
    conflict = Conflict(
        (new, old),
        ("2024-05-01", "2021-05-01"),
        new.id,
        (old.id,),
        subject="billing/bills.md",
        property="Rules > Bills",
        conflict_type="temporal",
    )
    answer = await ask("How long is a bill kept?", [new, old], T.PATTERN, conflicts=[conflict])
    assert answer.text.splitlines()[-1] == (
        "The sources conflict on Bills in billing/bills.md: kept 2024-05-01: A bill is kept for 90 days. "
        "[vector:billing/new.md:5-5] against 2021-05-01: A bill is kept for 365 days. [vector:billing/old.md:5-5] "
        "(the newest wins)"
    )


async def test_whom_something_applies_to(org, ask):
    org.texts |= {
        "billing/a.md": "# Freeze of billing\n\nApplies to: billing\n",
        "auth/a.md": "# Freeze\n\nApplies to: all projects\n",
    }
    one, everyone = org.seen("billing/a.md"), org.seen("auth/a.md")
    conflict = Conflict(
        (one, everyone),
        ("billing", "all projects"),
        None,
        (),
        subject="freeze",
        property="applies to",
        reason="both are kept",
        conflict_type="scope",
    )
    answer = await ask("Whom does the freeze apply to?", [one, everyone], T.PATTERN, conflicts=[conflict])
    assert answer.text.splitlines()[-1] == (
        "The sources conflict on whom freeze applies to: billing [vector:billing/a.md:3-3] "
        "against all projects [vector:auth/a.md:3-3] (both are kept)"
    )


@pytest.mark.specification("001 §6.2 missing")
async def test_what_is_missing_is_named(org, ask):
    answer = await ask(
        "Who reviews a refund?", [org.seen("billing/CLAUDE.md")], T.PATTERN, missing=["the graph (timeout)"]
    )
    assert answer.text.endswith("\nMissing: the graph (timeout).")
    nothing = await ask("What does Nowhere do?", [], missing=["Nowhere"])
    assert nothing.text == "Nothing was found that answers this.\nMissing: Nowhere."
    assert nothing.missing == ("Nowhere",)


RARE = {"refundrobot": 9.0, "review": 2.0, "refund": 3.0, "nonetype": 9.0, "attributeerror": 9.0}


async def test_what_no_file_shown_has_is_missing(org, ask):
    answer = await ask("Does RefundRobot review a refund?", [org.seen("billing/CLAUDE.md")], weights=RARE)
    assert answer.missing == ("not in any file shown: RefundRobot",)
    assert answer.text.endswith("\nMissing: not in any file shown: RefundRobot.")
    unweighed = await ask("Does RefundRobot review a refund?", [org.seen("billing/CLAUDE.md")])
    assert unweighed.missing == ()  # how rare a word is only the index knows


async def test_a_word_is_missed_where_it_is_rare_and_weighs_something(org, ask):
    org.texts["a/x.py"] = "# what the tower has\ndef ring(bell):\n    return loudRings(bell)\n"
    weights = {"ring": 4.0, "tower": 4.0, "loud": 4.0, "kibana": 4.0, "sexton": 3.4, "dusk": 4.0, "rung": 60.0}
    asked = "Who rings (loud, in the tower): kibana, or sexton?"
    assert (await ask(asked, [org.seen("a/x.py", 2, 3)], weights=weights)).missing == ("not in any file shown: kibana",)
    slight = await ask("Is the bell rung by kibana?", [org.seen("a/x.py", 2, 3)], weights=weights | {"bell": 4.0})
    assert slight.missing == ("not in any file shown: rung",)  # kibana is less than .06 of it


async def test_neither_a_word_of_english_nor_a_misspelt_one_nor_a_number_nor_a_time_is_missed(org, ask):
    org.texts["a/x.py"] = "# what the tower has\ndef ring(bell):\n    return loudRings(bell)\n"
    weights = {
        "bell": 4.0,
        "sexton": 4.0,
        "monster": 4.0,
        "memmory": 4.0,
        "chimney": 4.0,
        "303": 4.0,
        "2nd": 4.0,
        "05z": 4.0,
    }
    seen, asked = (
        [org.seen("a/x.py", 2, 3)],
        "Who of the sextons rings this monster of a bell by memmory, 303 chimneys off, the 2nd at 05Z?",
    )
    assert (await ask(asked, seen, weights=weights)).missing == ("not in any file shown: sextons",)


async def test_what_is_said_to_be_missing_is_not_said_again(org, ask):
    known = ["RefundRobot occurs nowhere in the indexed text you may see"]
    seen = [org.seen("billing/CLAUDE.md")]
    assert (await ask("Does RefundRobot review a refund?", seen, missing=known, weights=RARE)).missing == tuple(known)


async def test_the_names_of_a_pasted_failure_are_not_asked_about(org, ask):
    query = "  File \"bell.py\", line 3, in ring\nAttributeError: 'NoneType' object has no id\nwho reviews a refund?"
    assert (await ask(query, [org.seen("billing/CLAUDE.md")], weights=RARE)).missing == ()


async def test_the_same_again_is_the_same(org, ask):
    observations = [org.seen(key) for key in TABLES]
    first, second = [await ask("customer tables", observations, T.PATTERN) for _ in range(2)]
    assert first == second


async def test_of_several_lines_the_one_where_method_meets_method_is_quoted(org, ask):
    adapter, gateway = org.path[1].source, org.path[1].target
    made = org.edge(adapter, "CALLS", gateway, "orders/adapter.py", 6, "PaymentAdapter.__init__ calls PaymentGateway")
    both = replace(made, lines=(6, 9), evidence=(*made.evidence, *org.path[1].evidence))
    answer = await ask("What calls PaymentGateway?", [org.graph(both)], T.RELATIONSHIP)
    assert "(orders/orders/adapter.py:9): `return gateway.charge(amount)`" in answer.text


async def test_places_of_a_folded_copy_are_verified(org, ask):
    org.texts |= {"a/x.py": "def ring():\n    return bell(1)\n", "c/x.py": "def ring():\n    return bell(1)\n"}
    seen = org.seen("a/x.py", duplicates=(Duplicate("vector", Location("c", "x.py", 1, 2), 1.0),))
    answer = await ask("Who rings the bell?", [seen])
    assert "a/x.py:1-2 [vector:a/x.py:1-2] also in c/x.py:1-2 [vector:c/x.py:1-2]" in answer.text


async def test_where_several_are_asked_about_they_stand_under_their_names(org, ask):
    org.texts |= {
        "a/x.py": "def ring(bell, tower, rope):\n    return bell\n",
        "b/y.py": "def pull(rope, bell):\n    return rings(bell)\n",
    }
    seen = [org.seen("a/x.py"), org.seen("b/y.py")]
    alone = await ask("Who rings the bell in the tower by a rope?", seen)
    assert alone.text.startswith("a/x.py:1-2")
    assert "b/y.py:1-2" in alone.text
    several = await ask("Who rings the bell in the tower by a rope?", seen, T.CROSS_PROJECT)
    assert several.text.startswith("a:\na/x.py:1-2")
    assert "\nb:\nb/y.py:1-2" in several.text


@pytest.mark.parametrize("opens", ["fun {}(bell: Bell) = run {{", "public void {}(Bell bell) {{"])
async def test_lines_of_two_functions_of_any_language_are_in_neither(org, ask, opens):
    ring, hush, idle = opens.format("ring"), opens.format("hush"), "    wait();\n" * 30
    org.texts["tower/x.kt"] = f"{ring}\n{idle}    pull(bell, rope);\n}}\n{hush}\n    pull(bell, rope);\n{idle}}}\n"
    answer = await ask("Which rope pulls the bell?", [org.seen("tower/x.kt", 20, 46)])
    assert ", in `" not in answer.text.split("\n")[0]


async def test_what_stands_at_the_margin_is_in_nothing(org, ask):
    body = "  pull();\n" * 8
    org.texts["tower/vp.ts"] = (
        f"hang(bell, rope)\n\nexport default async function (bell) {{\n{body}  return bell;\n}}\n"
    )
    seen = org.seen("tower/vp.ts", 1, 1, metadata={"symbol": "vp"})
    answer = await ask("Which rope has the bell?", [seen])
    assert answer.text.startswith("tower/vp.ts:1 [")


async def test_the_best_file_comes_first_though_a_line_of_another_holds_more(org, ask):
    org.texts |= {
        "tower/x.py": "def ring(bell):\n    return bell.pull()\n",
        "barn/y.py": "# who rings the bell with a rope pulls the rope of the bell\nhang(rope)\n",
    }
    answer = await ask("Who rings the bell with a rope?", [org.seen("tower/x.py"), org.seen("barn/y.py")])
    assert answer.text.startswith("tower/x.py:1-2")
    assert "barn/y.py:1-2" in answer.text


async def test_what_is_not_shown_is_named_with_its_best_line(org, ask):
    body = "    pull(),\n" * 7
    org.texts |= {f"a/x{n}.py": f"def ring{n}(bell):\n{body}    return 'bell {n}'\n" for n in range(12)}
    answer = await ask("Who rings the bell?", [org.seen(f"a/x{n}.py") for n in range(12)])
    further = answer.text.split("\n\nAlso:\n")[1].split("\n")
    assert further == [f"- a/x{n}.py:1: `def ring{n}(bell):` [vector:a/x{n}.py:1-1]" for n in (9, 10, 11)]


async def test_what_is_not_shown_is_named_in_the_order_of_the_files_whatever_project_it_is_of(org, ask):
    body = "    pull(),\n" * 7
    org.texts |= {f"a/x{n}.py": f"def ring{n}(bell):\n{body}    return 'bell {n}'\n" for n in range(12)}
    org.texts["b/tower.py"] = f"def climb(bell):\n{body}    return stairs\n"  # half of the question, in a better file
    found = [org.seen(f"a/x{n}.py") for n in range(9)] + [org.seen("b/tower.py")]
    answer = await ask("Who rings the bell?", [*found, *(org.seen(f"a/x{n}.py") for n in range(9, 12))])
    further = answer.text.split("\n\nAlso:\n")[1].split("\n")
    assert [line.split(":")[0] for line in further] == ["- b/tower.py", "- a/x9.py", "- a/x10.py", "- a/x11.py"]


async def test_the_heading_named_is_that_of_the_lines(org, ask):
    org.texts["a/CHANGES.md"] = (
        "## v2\n\n" + "- oil the rope\n" * 20 + "\n## v1\n\n- wax it\n" + "- ring the bell\n" * 9
    )
    answer = await ask("What rings the bell?", [org.seen("a/CHANGES.md", 1, 35, metadata={"section": "v2"})])
    assert answer.text.startswith("a/CHANGES.md:24-35 [vector"), "the first line shown is its own heading"
    org.texts["a/NEWS.md"] = "## v2\n\n" + "- oil\n" * 9 + "\n## v1\n\n" + "- wax\n" * 30 + "- a rope for the bell\n"
    answer = await ask("What has a rope for the bell?", [org.seen("a/NEWS.md", metadata={"section": "v2"})])
    assert ", in v1" in answer.text.split("\n")[0]


async def test_lines_under_two_headings_are_under_neither(org, ask):
    org.texts["a/NEWS.md"] = (
        "## v2\n\n" + "- wax\n" * 30 + "- a rope for the bell\n\n## v1\n\n- the tower rings\n" + "- oil\n" * 30
    )
    answer = await ask("rope bell tower rings", [org.seen("a/NEWS.md", metadata={"section": "v2"})])
    assert "a rope for the bell" in answer.text
    assert "the tower rings" in answer.text
    assert ", in " not in answer.text.split("\n")[0]


async def test_lines_of_two_functions_are_in_neither(org, ask):
    two = "class Tower:\n    def oil(self):\n        return rope\n\n\ndef ring(bell):\n    return bell\n"
    org.texts["a/x.py"] = two
    answer = await ask(
        "Who oils the rope and rings the bell?", [org.seen("a/x.py", 3, 7, metadata={"symbol": "Tower.oil"})]
    )
    assert ", in " not in answer.text.split("\n")[0]


async def test_who_rates_high_and_is_ranked_low_does_not_come_first(org, ask):
    org.texts |= {"a/x.py": "ring(bell)\n", "a/y.py": "bell = 1\n"}
    seen = [org.seen("a/x.py", score=0.3), org.seen("a/y.py", agent="local", score=0.9)]
    answer = await ask("Who rings the bell?", seen)
    assert answer.text.startswith("a/x.py:1"), "the ranking has settled between two agents' scales"
    assert (await ask("Who rings the bell?", seen[::-1])).text.startswith("a/y.py:1")


async def test_a_trace_of_another_machine_names_the_same_file(org, ask):
    org.texts["shop/backend/jobs/nightly.py"] = "def daily():\n    return first().id\n"
    query = 'Why does it fail?\n  File "/usr/src/app/jobs/nightly.py", line 2, in daily\nAttributeError: no id'
    answer = await ask(query, [org.seen("shop/backend/jobs/nightly.py")])
    assert answer.text.startswith("The trace points at this line:\nshop/backend/jobs/nightly.py:1-2")


LONG_PY = (
    "def ring(bell):\n    return bell\n\n\n"
    + "".join(f"x{n} = {n}\n\n\n" for n in range(20))
    + "def oil(bell):\n    return rope\n\n\ndef polish(bell):\n    return wax\n"
)


async def test_pieces_of_one_file_share_a_heading_and_those_that_are_close_are_one(org, ask):
    org.texts["a/x.py"] = LONG_PY
    answer = await ask("Who rings, oils and polishes the bell?", [org.seen("a/x.py", 1, 70)])
    first, *block = answer.text.split("\n")
    assert first.startswith("a/x.py:1-2 [vector:a/x.py:1-2] and 65-70 ")
    assert (block.count("…"), block.count("```py")) == (1, 1)
    assert block.index("def ring(bell):") < block.index("…") < block.index("def oil(bell):")


async def test_each_question_of_a_compound_one_has_its_piece(org, ask):
    org.texts["a/x.py"] = "".join(f"def ring_bell_{n}(tower):\n    return bell\n\n\n" for n in range(30))
    org.texts["a/y.py"] = "def oil(rope):\n    return 1\n"
    seen = [org.seen("a/x.py", 1, 118), org.seen("a/y.py")]
    answer = await ask("Who rings the bell in the tower? And who oils the rope?", seen)
    assert "def oil(rope)" in answer.text
    assert answer.missing == ()


async def test_a_dotted_name_is_there_where_its_members_are(org, ask):
    org.texts["a/x.py"] = 'def load():\n    return dataset("bells").table("towers")\n'
    weights = {"bells": 4.0, "towers": 9.0, "ropes": 9.0, "loads": 2.0}
    assert (await ask("What loads bells.towers?", [org.seen("a/x.py")], weights=weights)).missing == ()
    lacking = await ask("What loads bells.ropes?", [org.seen("a/x.py")], weights=weights)
    assert lacking.missing == ("not in any file shown: bells.ropes",)


async def test_a_block_is_not_said_to_stand_in_what_ends_above_it(org, ask):
    org.texts["a/x.py"] = "with tower:\n    wisdom = wait(\n        1\n    )\n    expert = wait(\n        bell\n    )\n"
    seen = org.seen("a/x.py", 2, 7, metadata={"symbol": "wisdom"})
    answer = await ask("What waits for the expert bell?", [seen])
    assert "in `wisdom`" not in answer.text
    inside = org.seen("a/x.py", 2, 7, metadata={"symbol": "tower"})
    assert "in `tower`" in (await ask("expert", [inside])).text or "a/x.py:1-7" in answer.text


@pytest.mark.parametrize(
    ("first", "is_in"), [("relay = bell", False), ("tower {", True), ("tower: # of bells", True), ("relay(", False)]
)
async def test_lines_stand_in_a_line_above_that_opens_them(org, ask, first, is_in):
    org.texts["a/main.cf"] = f"{first}\n" + "".join(f"    rope_{n} = yes\n" for n in range(60)) + "    loud = low\n"
    answer = await ask("loud low", [org.seen("a/main.cf", 2, 62)])
    place = answer.text.splitlines()[0]
    assert not place.startswith("a/main.cf:1-")
    assert (f", in `{first[:5]}" in place) == is_in


async def test_relations_of_what_is_asked_about_follow_the_blocks_where_none_answers(org, ask):
    org.texts["desk/a.py"] = "call(0)\ncall(1)\ncall(2)\n\n\nbell.loud(night, rope, tower)\n"
    bell = Entity("Bell", "class", "desk")
    edges = [org.edge(Entity(f"Caller{n}", "class", "desk"), "CALLS", bell, "a.py", n + 1) for n in range(3)]
    asked = "Why is the Bell loud at night by its rope?"
    relations, weights = [org.graph(edge) for edge in edges], dict.fromkeys(("bell", "loud", "night", "rope"), 1.0)
    answer = await ask(asked, [org.seen("desk/a.py"), *relations], weights=weights)
    block, rows = answer.text.split("```\n\n")
    assert "bell.loud" in block
    assert rows.startswith("Caller0, Caller1 and Caller2 call Bell of desk.\n- Caller0 of desk calls it (desk/a.py:1)")
    other = await ask(asked, [org.seen("billing/CLAUDE.md"), *relations], weights=weights)
    assert "Caller0" not in other.text


async def test_other_blocks_follow_what_a_trace_points_at(org, ask):
    org.texts |= {
        "shop/jobs/nightly.py": "def daily():\n    return first().id\n",
        "shop/houses.py": "def make_default_list(household):\n    return household\n",
    }
    query = 'What makes the default list?\n  File "/usr/src/jobs/nightly.py", line 2, in daily\nAttributeError: no id'
    answer = await ask(query, [org.seen("shop/jobs/nightly.py"), org.seen("shop/houses.py")])
    assert answer.text.startswith("The trace points at this line:\nshop/jobs/nightly.py:1-2")
    assert answer.text.count("def daily") == 1
    assert "def make_default_list" in answer.text
