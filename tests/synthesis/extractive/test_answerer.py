"""The answers as people read them, one for each kind of question."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from memory.entities import Entity
from memory.files import FakeFiles
from memory.observations import Duplicate, Location, NormalizedObservation
from memory.query import QueryType
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


async def test_patterns_name_the_projects_what_each_does_and_where_they_agree(org, ask):
    answer = await ask(
        "What patterns do other teams use for customer tables?", [org.seen(key) for key in TABLES], T.CROSS_PROJECT, T.PATTERN
    )  # fmt: skip
    lead, *bullets, agree, differ = answer.text.split("\n")
    assert lead == "Three projects have a table `customers`: crm, billing and auth."
    assert bullets == [
        "- crm: The customers table has a composite key of tenant and number. [vector:crm/docs/schema.md:3-3]",
        "- billing: The table `customers` of billing uses a random UUID key. [vector:billing/docs/schema.md:5-5]",
        (
            "- auth: Somebody who can log in. [vector:auth/db/schema.sql:1-1] Columns `email` and `created_at`. "
            "[vector:auth/db/schema.sql:2-5] Its primary key is `email` (TEXT). [vector:auth/db/schema.sql:3-3]"
        ),
    ]
    assert agree.startswith("All three have `created_at`. [vector:crm/db/schema.sql:4-4]")
    assert differ.startswith(
        "They differ in the primary key: crm `tenant_id` + `number`, billing `id` (UUID), auth `email` (TEXT). "
        "[vector:crm/db/schema.sql:5-5]"
    )


async def test_tables_of_other_names_and_the_same_key(org, ask):
    org.texts["auth/db/schema.sql"] = org.texts["auth/db/schema.sql"].replace("customers", "customer_logins")
    org.texts["billing/db/schema.sql"] = "CREATE TABLE customers (\n  email TEXT PRIMARY KEY\n);\n"
    answer = await ask(
        "Which customer tables are there?", [org.seen("billing/db/schema.sql"), org.seen("auth/db/schema.sql")]
    )
    assert "Two projects have such a table: auth (`customer_logins`) and billing (`customers`)." in answer.text
    assert "Both have the primary key `email` (TEXT)." in answer.text


async def test_without_tables_the_names_they_share(org, ask):
    org.texts["a/x.py"] = "def f():\n    return retry(max_retries=3)\n"
    org.texts["b/y.py"] = '"""Each call is retried."""\nmax_retries = 5\n'
    copy = Duplicate("vector", Location("c", "x.py", 1, 2), 1.0)
    org.texts["c/x.py"] = org.texts["a/x.py"]
    answer = await ask("How are retries done?", [org.seen("a/x.py", duplicates=(copy,)), org.seen("b/y.py")], T.PATTERN)
    assert answer.text.split("\n") == [
        "Found in two projects: b and a.",
        "- b: Each call is retried. [vector:b/y.py:1-1] `max_retries = 5` [vector:b/y.py:2-2]",
        "- a: `f`: `return retry(max_retries=3)` [vector:a/x.py:2-2] The same in c. [vector:c/x.py:1-2]",
        "Both use `max_retries`. [vector:b/y.py:2-2] [vector:a/x.py:2-2]",
    ]


async def test_one_project_gives_its_best_sentences_under_their_headings(org, ask):
    answer = await ask("Who reviews a refund?", [org.seen("billing/CLAUDE.md")], T.PATTERN)
    assert answer.text == "- billing, Reviews: Every refund needs two reviewers. [vector:billing/CLAUDE.md:5-5]"


async def test_a_relationship_is_a_path_with_the_lines_that_prove_it(org, ask):
    query = "How does OrderService connect to PaymentGateway?"
    answer = await ask(query, [org.graph(*org.path)], T.RELATIONSHIP)
    whole = "[graph:orders/OrderService→orders/PaymentAdapter→payments/PaymentGateway]"
    first, *steps, handling = answer.text.split("\n")
    assert first == (
        "OrderService calls PaymentAdapter, which calls PaymentGateway of payments. "
        f"Flow: OrderService.place → PaymentAdapter.process_payment → PaymentGateway.charge. {whole}"
    )
    assert steps == [
        (
            "- orders/orders/service.py:5 `return self.adapter.process_payment(amount)` "
            "[graph:orders/OrderService→orders/PaymentAdapter]"
        ),
        "- orders/orders/adapter.py:9 `return gateway.charge(amount)` [graph:orders/PaymentAdapter→payments/PaymentGateway]",
    ]
    assert handling.startswith(
        "PaymentAdapter.process_payment tries up to `3` times, catches `TillTimeout`, waits with"
    )
    assert "“Charge it; a late till is asked again.” [graph:orders/PaymentAdapter]" in handling
    rows = [c for c in answer.citations if c.marker == whole]
    assert [(c.location.path, c.quote) for c in rows] == [
        ("orders/service.py", "return self.adapter.process_payment(amount)"),
        ("orders/adapter.py", "return gateway.charge(amount)"),
    ]


async def test_edges_of_several_observations_make_one_path_either_way_round(org, ask):
    observations = [org.graph(edge) for edge in reversed(org.path)]
    answer = await ask("How is PaymentGateway reached from OrderService?", observations, T.RELATIONSHIP)
    assert answer.text.startswith("OrderService calls PaymentAdapter, which calls PaymentGateway of payments.")


async def test_two_that_meet_and_two_that_do_not(org, ask):
    service, adapter = org.path[0].source, org.path[0].target
    report = Entity("ReportJob", "class", "desk")
    meeting = [org.graph(org.path[0]), org.graph(org.edge(report, "CALLS", adapter))]
    answer = await ask("How does OrderService connect to ReportJob?", meeting, T.RELATIONSHIP)
    assert answer.text.startswith(
        "OrderService and ReportJob do not reach each other; they meet at PaymentAdapter of orders."
    )
    apart = [org.graph(org.path[0]), org.graph(org.edge(report, "CALLS", Entity("Printer", "class", "desk")))]
    answer = await ask("How does OrderService connect to ReportJob?", apart, T.RELATIONSHIP)
    assert answer.text.startswith(
        "No path between OrderService and ReportJob is known. What is known of them:\n- OrderService"
    )
    assert service.name in answer.text


async def test_what_depends_on_a_project(org, ask):
    orders, payments = (Entity(name, "project", name) for name in ("orders", "payments"))
    dependency = org.edge(orders, "DEPENDS_ON", payments, "pyproject.toml", 3)
    observations = [org.graph(dependency), org.graph(*org.path)]
    answer = await ask("What depends on payments?", observations, T.RELATIONSHIP)
    assert answer.text.split("\n") == [
        "One project depends on payments: orders.",
        '- orders depends on payments (pyproject.toml:3): `dependencies = ["payments"]` [graph:orders/orders→payments/payments]',
        (
            "- PaymentAdapter calls PaymentGateway of payments (orders/adapter.py:9): `return gateway.charge(amount)` "
            "[graph:orders/PaymentAdapter→payments/PaymentGateway]"
        ),
    ]
    answer = await ask("What does orders depend on?", observations, T.RELATIONSHIP)
    assert answer.text.startswith("orders reaches into one project: payments.")
    answer = await ask("What depends on orders?", observations, T.RELATIONSHIP)
    assert answer.text.startswith("Nothing is known to depend on orders. What is known:")
    answer = await ask("What does payments depend on?", observations, T.RELATIONSHIP)
    assert answer.text.startswith("payments is not known to depend on anything. What is known:")


async def test_many_dependants_are_cut(org, ask):
    target = Entity("Gateway", "class", "tills")
    edges = [org.edge(Entity(f"Caller{n}", "class", "desk"), "CALLS", target) for n in range(11)]
    answer = await ask("What calls Gateway?", [org.graph(edge) for edge in edges], T.RELATIONSHIP)
    assert answer.text.endswith("… and 3 more.")


async def test_multi_hop_names_who_comes_through_whom(org, ask):
    answer = await ask("What calls the service that uses PaymentGateway?", [org.graph(*org.path)], T.MULTI_HOP)
    first, second = answer.text.split("\n")
    assert first.startswith("- OrderService calls PaymentAdapter, which calls PaymentGateway of payments.")
    assert second.startswith("- PaymentAdapter calls PaymentGateway")


async def test_a_relationship_nobody_named_lists_what_there_is(org, ask):
    answer = await ask("What is connected?", [org.graph(*org.path)], T.RELATIONSHIP)
    assert answer.text.startswith("- OrderService calls PaymentAdapter (orders/service.py:5):")


async def test_similar_code_shows_the_closest_and_lists_the_others(org, ask):
    query = (
        "Find code similar to this: for attempt in range(3): try: send() except TimeoutError: time.sleep(2**attempt)"
    )
    metadata = {"lang": "python", "symbol": "PaymentAdapter"}
    observations = [
        org.seen("payments/payments/gateway.py", score=0.62),
        org.seen("orders/orders/adapter.py", score=0.6, metadata=metadata),
        org.seen("orders/orders/service.py", score=0.6),
    ]
    answer = await ask(query, observations, T.SIMILARITY)
    lead, closest, *code = answer.text.split("\n")
    assert lead == "Found one similar place in orders."
    assert closest.startswith("Closest: `PaymentAdapter.process_payment` in orders tries up to `3` times")
    assert closest.endswith("[vector:orders/orders/adapter.py:4-12]")
    assert code[0] == "```python"
    assert "        except TillTimeout:" in code
    assert code[-1] == "```"  # the others do nothing about failure
    plain = await ask("Find code similar to a till that is charged", observations, T.SIMILARITY)
    lead, *_, last = plain.text.split("\n")
    assert lead == "Found three similar places in payments and orders, most of them in orders."
    assert last.endswith("[vector:orders/orders/service.py:1-5]")


async def test_what_a_thing_is_what_it_does_and_who_uses_it(org, ask):
    gateway = org.path[1].target
    observations = [org.known(gateway), org.graph(*org.path)]
    answer = await ask("What is PaymentGateway?", observations, T.ENTITY_LOOKUP, entities=("PaymentGateway",))
    assert answer.text.split("\n") == [
        (
            "PaymentGateway is a class in payments (payments/gateway.py:1). Talks to the tills. Its methods: `charge` and "
            "`refund`. [graph:payments/PaymentGateway]"
        ),
        (
            "- PaymentAdapter calls PaymentGateway of payments (orders/adapter.py:9): `return gateway.charge(amount)` "
            "[graph:orders/PaymentAdapter→payments/PaymentGateway]"
        ),
    ]


async def test_a_table_is_told_by_its_columns_and_a_project_by_its_texts(org, ask):
    table = org.entity("customers", "auth/db/schema.sql", 2, "table")
    answer = await ask("What is `customers`?", [org.known(table)], T.ENTITY_LOOKUP)
    assert answer.text == (
        "customers is a table in auth (db/schema.sql:2). Its columns: `email` and `created_at`. [graph:auth/customers]"
    )
    project = org.known(Entity("billing", "project", "billing"))
    answer = await ask("What is billing?", [project, org.seen("billing/docs/schema.md")], T.ENTITY_LOOKUP)
    assert answer.text.startswith("billing is a project of billing. [graph:billing/billing] ")
    assert "[vector:billing/docs/schema.md:5-5]" in answer.text


async def test_an_unknown_entity_falls_back_to_what_was_found(org, ask):
    answer = await ask("What is a refund?", [org.seen("billing/CLAUDE.md")], T.ENTITY_LOOKUP)
    assert "Every refund needs two reviewers." in answer.text


async def test_local_only_gives_the_sections_sentences(org, ask):
    sections = [org.seen("billing/CLAUDE.md", 3, 5, agent="local"), org.seen("billing/CLAUDE.md", 7, 9, agent="local")]
    answer = await ask("What does our CLAUDE.md say about refund reviews?", sections, T.LOCAL_ONLY)
    assert answer.text == (
        "CLAUDE.md, Reviews: Every refund needs two reviewers. Nobody reviews alone. [local:CLAUDE.md:5-5]"
    )


async def test_hits_further_down_the_file_are_read_too(org, ask):
    seen = org.seen("billing/CLAUDE.md", 7, 9, metadata={"also": [{"start_line": 3, "end_line": 5}]})
    answer = await ask("Who reviews a refund?", [seen], T.PATTERN)
    assert "[vector:billing/CLAUDE.md:5-5]" in answer.text


async def test_observations_from_the_specifications_fields_alone(ask):
    bare = NormalizedObservation("Customer is stored by billing", "graph:fake", "billing", 0.9, "entity", id="g-1")
    code = NormalizedObservation(
        "def retry(): back_off()", "vector:qdrant", "billing", 0.8, "code", id="v-1", metadata={"source_file": "r.py"}
    )
    answer = await ask("Who stores a customer?", [bare, code], T.PATTERN, files=FakeFiles({}))
    assert answer.text == "- billing: Customer is stored by billing. [graph:billing/g-1]"


async def test_what_has_changed_since_is_not_cited(org, ask):
    seen, graph = org.seen("billing/CLAUDE.md"), org.graph(*org.path)
    org.texts["billing/CLAUDE.md"] = (
        "# Something else\n\nA refund is never reviewed, and so on and so forth.\n\n.\n\n.\n\n.\n"
    )
    del org.texts["orders/orders/service.py"]
    del org.texts["orders/orders/adapter.py"]
    answer = await ask("Who reviews a refund?", [seen, graph], T.PATTERN)
    assert answer.citations == ()
    assert answer.text == (
        "Nothing was found that answers this. Searched: the graph of all projects and all projects' texts and code."
    )


class Forgetful(FakeFiles):
    """Reads a file twice and finds other lines the second time."""

    async def lines(self, location):
        found = await super().lines(location)
        self._files = {key: text.replace("two reviewers", "2 people") for key, text in self._files.items()}
        return found


async def test_a_statement_that_does_not_hold_is_not_printed(org, ask):
    seen = org.seen("billing/CLAUDE.md")
    answer = await ask("Who reviews a refund?", [seen], T.PATTERN, files=Forgetful(org.texts))
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


@pytest.mark.specification("001 §6.2 conflicts")
async def test_conflicts_say_what_was_kept_and_what_was_not(org, ask):
    org.texts |= {"billing/new.md": "# Port\n\nThe port is 8081.\n", "billing/old.md": "# Port\n\nThe port is 8080.\n"}
    new, old = org.seen("billing/new.md"), org.seen("billing/old.md")
    conflict = Conflict((old, new), ("8080", "8081"), new.id, (old.id,))
    answer = await ask("Which port?", [new, old], T.PATTERN, conflicts=[conflict])
    assert answer.text.endswith(
        "The sources conflict on value of billing/port: kept 8081 [vector:billing/new.md:3-3] "
        "against 8080 [vector:billing/old.md:3-3] (the newest wins)"
    )
    equal = replace(conflict, winner=None, losers=(), reason="")
    answer = await ask("Which port?", [new, old], T.PATTERN, conflicts=[equal])
    assert "billing/port: 8080 [vector:billing/old.md:3-3] against 8081 [vector" in answer.text
    one_sided = replace(conflict, observations=(org.seen("auth/db/schema.sql"), new))
    answer = await ask("Which port?", [new], T.PATTERN, conflicts=[one_sided])
    assert "conflict" not in answer.text


async def test_a_conflict_that_is_beside_the_question_is_left_to_the_list(org, ask):
    org.texts |= {"billing/new.md": "# Port\n\nThe port is 8081.\n", "billing/old.md": "# Port\n\nThe port is 8080.\n"}
    new, old = org.seen("billing/new.md"), org.seen("billing/old.md")
    conflict = Conflict((old, new), ("8080", "8081"), new.id, (old.id,))
    answer = await ask(
        "Who reviews a migration?", [org.seen("billing/CLAUDE.md"), new, old], T.PATTERN, conflicts=[conflict]
    )
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
    said = answer.text.splitlines()[-1]
    assert said == (
        "The sources conflict on Bills in billing/bills.md: kept 2024-05-01 [vector:billing/new.md:5-5] "
        "against 2021-05-01: A bill is kept for 365 days. [vector:billing/old.md:5-5] (the newest wins)"
    )
    answer = await ask("What changed lately in billing?", [new, old], T.PATTERN, conflicts=[conflict])
    assert "kept 2024-05-01 [vector:billing/new.md:" in answer.text


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
    assert nothing.text == "Nothing was found that answers this. Missing: Nowhere."
    assert nothing.missing == ("Nowhere",)


async def test_the_same_again_is_the_same(org, ask):
    observations = [org.seen(key) for key in TABLES]
    first, second = [await ask("customer tables", observations, T.PATTERN) for _ in range(2)]
    assert first == second


async def test_of_several_lines_the_one_where_method_meets_method_is_quoted(org, ask):
    adapter, gateway = org.path[1].source, org.path[1].target
    made = org.edge(adapter, "CALLS", gateway, "orders/adapter.py", 6, "PaymentAdapter.__init__ calls PaymentGateway")
    both = replace(made, lines=(6, 9), evidence=(*made.evidence, *org.path[1].evidence))
    answer = await ask("What calls PaymentGateway?", [org.graph(both)], T.RELATIONSHIP)
    assert "(orders/adapter.py:9): `return gateway.charge(amount)`" in answer.text


async def test_a_name_that_is_only_part_of_a_word_is_not_looked_up(org, ask):
    observations = [org.known(org.path[1].target), org.seen("billing/CLAUDE.md")]
    answer = await ask("What is a refund?", observations, T.ENTITY_LOOKUP, entities=("PaymentGateway",))
    assert "PaymentGateway is a" not in answer.text


async def test_a_value_is_told_by_the_line_that_states_it(org, ask):
    org.texts |= {
        "a/x.py": "TIMEOUT = 5.0  # noqa\n",
        "b/docs/y.md": "# Calls\n\nThe timeout of a call is the caller's business. The timeout is 8 seconds.\n",
        "c/z.py": "def f():\n    return timeout\n",
    }
    seen = [org.seen(key) for key in ("c/z.py", "b/docs/y.md", "a/x.py")]
    answer = await ask("What is the timeout of each service?", seen, T.PATTERN)
    assert answer.text.split("\n") == [
        "Found in two projects: a and b.",
        "- a: `TIMEOUT = 5.0` [vector:a/x.py:1-1]",
        "- b: The timeout is 8 seconds. [vector:b/docs/y.md:3-3]",
    ]
    named = await ask("What is the timeout of a and of c?", seen, T.PATTERN)
    assert named.text == (
        "- a: `TIMEOUT = 5.0` [vector:a/x.py:1-1]\nMissing: nothing that answers this was found of c."
    )
    assert named.missing == ("nothing that answers this was found of c",)


async def test_a_name_of_several_words_is_said_however_they_are_joined(org, ask):
    org.texts |= {"a/x.py": "timeout_keep_alive = 5\n", "a/y.md": "# Y\n\nA keep-alive is not kept for ever.\n"}
    question = "What is the keep-alive timeout of a?"
    answer = await ask(question, [org.seen("a/x.py"), org.seen("a/y.md")], T.PATTERN, entities=("keep-alive",))
    assert "`timeout_keep_alive = 5`" in answer.text
    assert answer.missing == ()


async def test_a_list_holds_every_project_that_speaks_of_it_and_no_other(org, ask):
    org.texts |= {
        "a/m.md": "# A\n\nRuns on trio too. Never elsewhere.\n",
        "b/m.py": "# Where trio is in hand it is asked.\nx = trio.now()\n",
        "c/m.md": "# C\n\nWe support packages of any size.\n",
    }
    answer = await ask(
        "Which packages support trio?", [org.seen(f"{p}") for p in ("a/m.md", "b/m.py", "c/m.md")], T.PATTERN
    )
    assert answer.text.startswith("Found in two projects: a and b.")


async def test_a_chunk_that_begins_in_a_docstring_is_known_by_what_is_above_it(org, ask):
    org.texts["a/x.py"] = 'def f():\n    """Rings.\n\n    The bell is loud\n    and a refund is quiet.\n    """\n'
    answer = await ask("What is said about a refund?", [org.seen("a/x.py", 4, 5)], T.PATTERN)
    assert answer.text == "- a: The bell is loud and a refund is quiet. [vector:a/x.py:4-5]"
