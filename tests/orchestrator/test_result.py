"""The JSON of a result: its shape, that it is plain, and that the schema says the same."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from enum import Enum

import jsonschema
import pytest

from memory.clock import VirtualClock
from memory.entities import Entity, Relationship, Scope
from memory.files import FakeFiles
from memory.observations import GraphObservation, LocalObservation, Location, VectorObservation
from orchestrator import HybridResult, HybridRetrievalOrchestrator
from orchestrator.json_parts import json_ready
from orchestrator.running.fakes import FakeAgent, FakeGraphAgent, found
from synthesis import Citation


async def asked(**agents):
    async with HybridRetrievalOrchestrator(**agents) as orchestrator:
        return await orchestrator.retrieve("What is <b>alpha</b>?")


async def test_a_notebook_shows_the_answer_what_it_lacks_and_its_citations():
    result = await asked(vector=FakeAgent([found("Alpha beta")]), graph=FakeAgent(error=OSError("gone")))
    cited = Citation("[a.md:1-2]", "1", "alpha", "Alpha <script>", None, located=True, reason="says less")
    html = replace(
        result, answer=replace(result.answer, citations=(cited, replace(cited, supported=True)))
    )._repr_html_()
    assert "What is &lt;b&gt;alpha&lt;/b&gt;?" in html
    assert "the relations between the projects (graph failed)" in html
    assert "2 citations" in html
    assert "not verified: says less" in html
    assert html.count(">verified<") == 1
    assert "<script>" not in html


async def test_a_notebook_says_what_has_changed_since_it_was_indexed():
    result = await asked(vector=FakeAgent([found("Alpha beta")]))
    cited = Citation("[a.md:1-2]", "1", "alpha", "Alpha", None, located=True, supported=True)
    answer = replace(result.answer, citations=(cited, replace(cited, stale=True)))
    metrics = replace(result.metrics, commit={"a": {"changed": 2}})
    html = replace(result, answer=answer, metrics=metrics)._repr_html_()
    assert "Changed since they were indexed: a (2 files)." in html
    assert html.count(">verified<") == 1
    assert html.count(">verified (the file has changed since it was indexed)<") == 1
    assert "hanged since" not in (await asked())._repr_html_()


async def test_an_answer_without_any_is_shown_too():
    html = (await asked())._repr_html_()
    assert "not_found" in html
    assert "<table>" not in html


SERVICE, GATEWAY = Entity("OrderService", project="orders"), Entity("PaymentGateway", project="payments")
EDGE = Relationship(SERVICE, "CALLS", GATEWAY, "orders", "service.py", (3,))
GRAPH = GraphObservation(
    "OrderService CALLS PaymentGateway",
    [SERVICE, GATEWAY],
    [EDGE],
    ["orders", "payments"],
    1,
    0.9,
    "relationship",
    locations=(Location("orders", "service.py", 3, 3),),
)
LOCAL = LocalObservation(
    "Retry three times.", "CLAUDE.md", "Retries", 0.8, "instruction", metadata={"at": {2, 1}, "x": float("nan")}
)


def port(value, project="orders", start=1):
    text = f"[server]\nport = {value}\n"
    return VectorObservation(
        text, "app.toml", project, 0.7, None, "code", locations=(Location(project, "app.toml", start, start + 1),)
    )


async def result_of(*vector, query="How does OrderService connect to PaymentGateway?"):
    graph = FakeGraphAgent([GRAPH], scope=Scope(["orders"], linked=("OrderService",)))
    async with HybridRetrievalOrchestrator(
        local=FakeAgent([LOCAL]),
        graph=graph,
        vector=FakeAgent(list(vector)),
        clock=VirtualClock(),
        wait_for_mays=True,
        files=lambda permission: FakeFiles({"orders/service.py": "import x\n\nPaymentGateway().charge()\n"}),
    ) as orchestrator:
        return (await orchestrator.retrieve(query, {"project": "orders"})).to_dict()


async def test_real_results_fit_the_schema():
    schema = HybridResult.model_json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    copies = [port(1), port(1, "payments"), port(2, start=5)]
    for document in (await result_of(*copies), await result_of(query="zzz"), await result_of(object())):
        plain = json.loads(json.dumps(document, allow_nan=False))
        assert plain == document
        jsonschema.validate(plain, schema)


@pytest.mark.specification("003 §9 embeddings")
async def test_no_vector_is_in_the_document():
    with_vector = replace(port(1), embedding=[0.25] * 16, embedding_model="m")
    assert "0.25" not in json.dumps(await result_of(with_vector))


async def test_the_schema_refuses_what_is_no_result():
    document = await result_of()
    for broken in (
        {**document, "status": "fine"},
        {**document, "more": 1},
        {k: v for k, v in document.items() if k != "scope"},
    ):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(broken, HybridResult.model_json_schema())


async def test_the_same_question_gives_the_same_json_but_for_ids_and_times():
    first, second = await result_of(port(1)), await result_of(port(1))
    assert first == second  # the clock is virtual: even these are alike


async def test_a_graph_answer_cites_the_edges_line():
    document = await result_of()
    assert document["status"] == "answered"
    assert {c["location"]["path"] for c in document["citations"] if c["marker"].startswith("[graph:")} == {"service.py"}
    assert document["classification"]["paths"] == ["graph"]


class Colour(Enum):
    RED = "red"


@dataclass
class Point:
    x: float


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (float("inf"), None),
        (0.12345678, 0.123457),
        ({1: (True, None)}, {"1": [True, None]}),
        (Colour.RED, "red"),
        (Point(1.0), {"x": 1.0}),
        ({"b", "a"}, ["a", "b"]),
        (object, "<class 'object'>"),
    ],
)
def test_anything_becomes_plain(value, plain):
    assert json_ready(value) == plain
