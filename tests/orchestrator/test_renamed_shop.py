"""Scenarios A, B and C again, every service, table and class under a made-up name and six services more beside them.

`HYBRID_RETRIEVAL_TEST_SEEDS` says how many maps are tried.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

import anyio
import pytest

from configs import load_config
from evaluation import files_in_order
from indexing import IndexRequest
from orchestrator import HybridRetrievalOrchestrator
from tests.distractors import HOW_MANY, write_distractors
from tests.orchestrator.test_shop import HANDLERS, SCENARIOS, block, roles
from tests.renaming import CLASSES, WORDS, Names, write_renamed
from wiring.opening import open_indexer

# What it walks through, other tests prove; the tracer would double its time.
pytestmark = [pytest.mark.slow, pytest.mark.no_cover]

SEEDS = range(1, 1 + int(os.environ.get("HYBRID_RETRIEVAL_TEST_SEEDS", "1")))
ONE_WORKER = load_config(overrides=["indexing.workers=1"])
"""A second process that embeds costs more to start than it spares here."""


@dataclass(frozen=True)
class Renamed:
    """A seed's organisation: its map, where it lies, what stands beside it, and the three answers."""

    names: Names
    root: Path
    distractors: frozenset[str]
    results: dict


@pytest.fixture(scope="module", params=SEEDS, ids=lambda seed: f"seed {seed}")
def renamed(request, tmp_path_factory):
    names = Names(request.param)
    root = write_renamed(tmp_path_factory.mktemp("renamed") / "organisation", names)
    distractors = frozenset(write_distractors(root, names, request.param))
    data = root.parent / "data"

    async def ask():
        indexer = open_indexer(data, ONE_WORKER, profile="embedded")
        await indexer.run(IndexRequest([root], each=True), holder="a test")
        async with HybridRetrievalOrchestrator.open(data, wait_for_mays=True) as orchestrator:
            return {name: (await orchestrator.retrieve(names(query))).to_dict() for name, query in SCENARIOS.items()}

    return Renamed(names, root, distractors, anyio.run(ask))


def test_nothing_keeps_its_name(renamed):
    texts = {path: path.read_text(encoding="utf-8") for path in renamed.root.glob("*/**/*") if path.is_file()}
    assert len(renamed.distractors) == HOW_MANY
    assert len({path.relative_to(renamed.root).parts[0] for path in texts}) == 8 + HOW_MANY
    old = re.compile(rf"(?<![A-Za-z])(?:{'|'.join([*CLASSES, *WORDS])})(?![A-Za-z])", re.IGNORECASE)
    left = {found for path, text in texts.items() for found in old.findall(f"{path.relative_to(renamed.root)}\n{text}")}
    assert left <= {"order", "ORDER"}  # in the order of, ORDER BY
    assert renamed.names("an OrderService has ORDER_IDs, order_ids, order-ids") == (
        "an {0} has {1}_IDs, {2}_ids, {2}-ids".format(
            renamed.names.classes["OrderService"],
            renamed.names.words["order"].upper(),
            renamed.names.words["order"],
        )
    )


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_citation_is_verified_and_its_quote_stands_in_the_named_lines(renamed, name):
    result = renamed.results[name]
    assert (result["status"], result["coverage"]["complete"]) == ("answered", True)
    assert result["citations"]
    for citation in result["citations"]:
        at = citation["location"]
        lines = (renamed.root / at["project"] / at["path"]).read_text(encoding="utf-8").split("\n")
        cited = " ".join(" ".join(lines[at["start_line"] - 1 : at["end_line"]]).split())
        assert citation["verified"], citation
        assert " ".join(citation["quote"].split()) in cited
        assert citation["marker"] in result["answer"]["text"]


@pytest.mark.parametrize("name", SCENARIOS)
def test_no_other_service_is_cited(renamed, name):
    cited = {citation["location"]["project"] for citation in renamed.results[name]["citations"]}
    assert not cited & renamed.distractors


class TestA:
    """Three ways to key a customer, whatever a customer is called."""

    def test_types_and_paths(self, renamed):
        found = renamed.results["A"]["classification"]
        assert (found["query_type"], set(found["query_types"])) == ("cross_project", {"cross_project", "pattern"})
        assert found["paths"] == ["local", "graph", "vector"]
        assert roles(renamed.results["A"]) == {"local": "may", "graph": "must", "vector": "must"}

    def test_the_scope_is_who_has_customers(self, renamed):
        scope = renamed.results["A"]["scope"]
        assert {project["project"] for project in scope["projects"]} == set(
            map(renamed.names, ("auth", "billing", "crm"))
        )
        assert all(renamed.names("customers") in project["because"] for project in scope["projects"])

    @pytest.mark.parametrize(
        ("project", "way"),
        [
            ("billing", r"\bid +UUID PRIMARY KEY"),
            ("auth", r"\bemail +TEXT PRIMARY KEY"),
            ("crm", r"PRIMARY KEY \(tenant_id, number\)"),
        ],
    )
    def test_each_project_is_named_with_what_it_does(self, renamed, project, way):
        project = renamed.names(project)
        said = block(renamed.results["A"]["answer"]["text"], project)
        assert re.search(way, said)
        assert re.search(rf"^{project}/db/", said, re.MULTILINE)  # beside the class that maps it

    def test_what_they_share_is_shown_of_each(self, renamed):
        for project in map(renamed.names, ("billing", "auth", "crm")):
            said = block(renamed.results["A"]["answer"]["text"], project)
            assert re.search(r"created_at +TIMESTAMPTZ NOT NULL DEFAULT now\(\),\n *updated_at +TIMESTAMPTZ", said)

    def test_the_places(self, renamed):
        files = set(files_in_order(renamed.results["A"]["observations"])[:10])
        assert set(map(renamed.names, ("auth:db/customers.sql", "billing:db/schema.sql", "crm:db/schema.sql"))) <= files


class TestB:
    """The path through the adapter."""

    def test_types_and_paths(self, renamed):
        found = renamed.results["B"]["classification"]
        assert (found["query_types"], found["paths"]) == (["relationship"], ["graph"])
        assert found["entities"] == [renamed.names("OrderService"), renamed.names("PaymentGateway")]
        assert roles(renamed.results["B"]) == {"local": "may", "graph": "must", "vector": "may"}

    def test_the_path(self, renamed):
        text = renamed.results["B"]["answer"]["text"]
        assert renamed.names("OrderService.place → PaymentAdapter.process_payment → PaymentGateway.charge") in text
        assert renamed.names("[graph:orders/OrderService→orders/PaymentAdapter→payments/PaymentGateway]") in text
        assert "for attempt in range(MAX_ATTEMPTS):" in text

    @pytest.mark.parametrize(
        ("place", "code"),
        [("orders/orders/service.py", ".process_payment("), ("orders/orders/adapter.py", "self.gateway.charge(")],
    )
    def test_the_lines_of_the_calls(self, renamed, place, code):
        place, code = renamed.names(place), renamed.names(code)
        text = renamed.results["B"]["answer"]["text"]
        (said,) = re.findall(rf"^- {place}:(\d+) `(.*)` \[graph:", text, re.MULTILINE)
        assert code in said[1]
        assert (renamed.root / place).read_text().split("\n")[int(said[0]) - 1].strip() == said[1]

    def test_the_scope(self, renamed):
        scope = [one["project"] for one in renamed.results["B"]["scope"]["projects"]]
        assert scope[:2] == [renamed.names("orders"), renamed.names("payments")]


class TestC:
    """Similar places, the right files first."""

    def test_types_and_paths(self, renamed):
        found = renamed.results["C"]["classification"]
        assert (found["query_types"], found["paths"]) == (["similarity"], ["vector"])
        assert roles(renamed.results["C"])["vector"] == "must"

    def test_the_right_files_come_first(self, renamed):
        assert sorted(files_in_order(renamed.results["C"]["observations"])[:3]) == sorted(map(renamed.names, HANDLERS))

    def test_the_answer_says_where_and_shows_the_closest(self, renamed):
        text = renamed.results["C"]["answer"]["text"]
        for project, _, _ in (renamed.names(place).partition(":") for place in HANDLERS):
            assert "except" in block(text, project).partition("```py\n")[2].partition("```")[0]
        cited = {f"{c['location']['project']}:{c['location']['path']}" for c in renamed.results["C"]["citations"]}
        assert set(map(renamed.names, HANDLERS)) <= cited
