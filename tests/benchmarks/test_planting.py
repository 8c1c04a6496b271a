"""Every kind of false citation that the mutator makes is caught, and what it is made from holds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.planting import KINDS, Source, plant, stated
from memory.observations import Location
from synthesis.answer import Citation, lines_marker, parse_markers
from synthesis.citing import checked_text
from synthesis.language_model import build_synthesis_context


def quoted(org, key, line, claim, **more):
    seen = org.seen(key, **more)
    project, path = key.split("/", 1)
    at = Location(project, path, line, line)
    return seen, Citation(
        lines_marker(seen, at), seen.id, claim, org.lines(key, line, line).strip(), at, located=True, supported=True
    )


@pytest.fixture
def sources(org):
    pairs = [
        quoted(org, "billing/db/schema.sql", 3, "billing: the primary key is `id` (UUID)"),
        quoted(org, "crm/db/schema.sql", 5, "crm: the key is `tenant_id` + `number`"),
        quoted(org, "orders/orders/adapter.py", 7, "PaymentAdapter.process_payment tries 3 times"),
        quoted(org, "orders/orders/adapter.py", 11, "time.sleep(2**attempt)"),
        quoted(org, "payments/payments/gateway.py", 8, "Give it back."),
    ]
    graph = org.graph(*org.path)
    at = Location("orders", "orders/service.py", 5, 5)
    marker = "[graph:orders/OrderService→orders/PaymentAdapter]"
    quote = org.lines("orders/orders/service.py", 5, 5).strip()
    edge = Citation(marker, graph.id, "OrderService calls PaymentAdapter", quote, at, located=True, supported=True)
    read = {seen.id: seen for seen, _ in pairs}
    observations = (*read.values(), graph)
    return [Source(citation, observations) for citation in (*(c for _, c in pairs), edge)]


async def faults(org, text, observations):
    _, citations = await checked_text(text, observations, org.files)
    assert citations
    return [citation.reason for citation in citations if not citation.verified]


async def test_what_they_are_made_from_holds(org, sources):
    for source in sources:
        assert await faults(org, stated(source.citation), source.observations) == [], stated(source.citation)


def test_what_was_cut_is_stated_as_one_would_write_it():
    long = "x" * 150 + " RestApiTool is called"
    cited = Citation(
        "[vector:a/b.py:1-1]", "1", f"Says {long}.", long, Location("a", "b.py", 1, 1), located=True, supported=True
    )
    assert stated(cited) == f"Says `{'x' * 150}` RestApiTool is called. [vector:a/b.py:1-1]"
    open_one = Citation("[vector:a/b.py:1-1]", "1", "Rows (via `SELECT ...", "rows", None, located=True, supported=True)
    assert stated(open_one) == "Rows (via SELECT: `rows`. [vector:a/b.py:1-1]"
    unbroken = replace(cited, claim="All of it", quote="y" * 200)
    assert stated(unbroken) == f"All of it: `{'y' * 160}`. [vector:a/b.py:1-1]"


async def test_a_name_that_the_graph_says_beside_the_cited_one_is_not_planted(org, sources):
    graph = sources[-1]
    known = " ".join(o.content for o in graph.observations if o.agent == "graph").casefold()
    planted = [one for seed in range(20) for one in plant("altered identifier", [graph], 4, seed)]
    assert planted
    for one in planted:
        said = set(one.text.replace("`", " ").split()) - set(one.made_from.replace("`", " ").split())
        assert not [word for word in said if word.strip(".:,").casefold() in known]


@pytest.mark.parametrize("kind", KINDS)
async def test_every_one_is_caught(org, sources, kind):
    planted = [one for seed in range(6) for one in plant(kind, sources, 40, seed)]
    assert len(planted) >= 6
    for one in planted:
        assert one.kind == kind
        assert one.text != one.made_from
        assert await faults(org, one.text, one.observations), one.text


def test_the_seed_decides(sources):
    again = [[one.text for one in plant("wrong lines", sources, 10, seed)] for seed in (1, 1, 2)]
    assert again[0] == again[1] != again[2]


@pytest.mark.parametrize("seed", range(8))
def test_an_instruction_cannot_leave_its_fence(sources, seed):
    for one in plant("instruction", sources, 5, seed):
        context = build_synthesis_context("q", one.observations)
        assert context.count("<retrieved>") == context.count("</retrieved>") == len(one.observations)
        inside = [part.split("</retrieved>")[0] for part in context.split("<retrieved>")[1:]]
        assert not any(parse_markers(text) for text in inside)
        assert sum(new != old for new, old in zip(one.observations, sources[0].observations, strict=True)) == 1


def test_a_quotation_stands_in_marks_that_it_does_not_hold(sources):
    citation = replace(sources[0].citation, claim="It says", quote="a `b` c")
    assert stated(citation).startswith("It says: “a `b` c”. [")
    assert stated(replace(citation, quote="so ”it” goes")).startswith("It says. [")
    assert stated(replace(citation, claim="It is a b: c", quote="a b")).startswith("It is `a b`: c. [")


def test_what_gives_no_false_one_gives_none(org):
    seen, citation = quoted(org, "payments/payments/gateway.py", 8, "Give it back.")
    alone = Source(replace(citation, quote="", claim="so it is"), (seen,))
    assert plant("altered number", [alone], 5, 1) == []
    assert plant("altered identifier", [alone], 5, 1) == []
    assert plant("invented edge", [alone], 5, 1) == []
    assert plant("wrong file", [alone], 5, 1) == []
    bare = Source(replace(citation, location=None), (org.graph(*org.path), replace(seen, locations=())))
    assert plant("wrong lines", [bare], 5, 1) == []
    assert plant("instruction", [bare], 5, 1) == []
