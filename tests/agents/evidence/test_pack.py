from __future__ import annotations

from dataclasses import replace

import pytest

from agents.evidence.intents import Intent
from agents.evidence.pack import (
    EvidencePack,
    asked_words,
    highlights,
    item_of,
    routes_used,
)
from memory.question import read_question
from memory.vector import Hit
from tests.agents.evidence.keys import ITEM_KEYS, STATS_KEYS
from tests.agents.evidence.making import item, make_chunk


@pytest.mark.specification("000 §8.1 item", "000 §8.3 text", "000 §10 step 6")
def test_every_mandatory_field():
    chunk = make_chunk("src/a.py", 3, 4)
    one = replace(item_of(Hit(chunk, 0.03, routes=("dense_code",)), 2), highlights=("line",))
    assert one.to_dict() == {
        "evidence_id": f"{chunk.id}:3:4",
        "score": 0.03,
        "rank": 2,
        "corpus": "code",
        "repo": "google/kit",
        "path": "src/a.py",
        "commit": "c0ffee",
        "start_line": 3,
        "end_line": 4,
        "chunk_kind": "code",
        "text": "line 3 of src/a.py\nline 4 of src/a.py",
        "retrieval_route": "dense_code",
        "highlights": ["line"],
    }
    assert tuple(one.to_dict()) == ITEM_KEYS


@pytest.mark.specification("000 §8.1 route")
@pytest.mark.parametrize(
    ("routes", "route"),
    [
        (("dense_docs",), "dense_docs"),
        (("sparse_lexical",), "sparse_lexical"),
        (("dense_docs", "sparse_lexical"), "fusion_rrf"),
        ((), "fusion_rrf"),
    ],
)
def test_the_route_is_the_only_one_or_the_fusion(routes, route):
    assert item_of(Hit(make_chunk(), 0.1, routes=routes), 1).retrieval_route == route


@pytest.mark.specification("000 §8.1 item")
def test_why_and_where_else_stand_in_it_where_there_is_something():
    one = replace(item(), reason="a calls b", also_in=("fork/src/a.py:1-10",)).to_dict()
    assert (one["reason"], one["also_in"]) == ("a calls b", ["fork/src/a.py:1-10"])
    assert tuple(one) == (*ITEM_KEYS, "reason", "also_in")


def test_a_place_is_written_as_citations_write_it():
    assert item("src/a.py", 3, 4).place == "kit/src/a.py:3-4"
    assert item("a.md", 0, 0, text="x").place == "guide/a.md"


@pytest.mark.specification("000 §8.1 item")
def test_without_lines_they_are_null():
    values = item("a.md", 0, 0, text="x").to_dict()
    assert (values["start_line"], values["end_line"]) == (None, None)
    assert values["evidence_id"].endswith(":0:0")


@pytest.mark.specification("000 §10 step 8")
def test_the_documents_keys():
    pack = EvidencePack(
        Intent.API_LOOKUP,
        "q",
        (item("a.py"), item("b.py"), item("c.md")),
        40,
        routes_used(["sparse_lexical", "dense_docs", "dense_code"]),
        hnsw_ef=256,
        exact=False,
        missing={"docs": 1},
        notes=("said",),
    ).to_dict()
    assert list(pack) == ["intent", "query", "evidence", "stats"]
    assert (pack["intent"], pack["query"], len(pack["evidence"])) == ("API_LOOKUP", "q", 3)
    assert pack["stats"] == {
        "candidates_received": 40,
        "returned": 3,
        "corpus_mix": {"code": 2, "docs": 1},
        "routes_used": ["dense_code", "dense_docs", "sparse_lexical", "fusion_rrf"],
        "qdrant_params": {"hnsw_ef": 256, "exact": False},
        "notes": ["said"],
        "missing": {"code": 0, "docs": 1},
    }
    assert tuple(pack["stats"]) == STATS_KEYS
    empty = EvidencePack(Intent.API_LOOKUP, "q", (), 0, (), 256, exact=False, missing={"code": 2}).to_dict()
    assert empty["stats"]["missing"] == {"code": 2, "docs": 0}
    assert routes_used(["dense_code"]) == ("dense_code", "fusion_rrf")


def found(query, text):
    return highlights(asked_words(read_question(query)), text)


@pytest.mark.specification("000 §8.1 highlights")
def test_identifiers_first_then_words():
    query = "how is the schema of FunctionTool read from the state by an LLM"
    assert found(query, "class functiontool: STATE, schema and llm") == ("FunctionTool", "schema", "state", "LLM")


@pytest.mark.specification("000 §8.1 highlights")
def test_whole_words_alone():
    assert found("agent state", "agents, my_state, restate") == ()
    assert found("agent state", "agents agent") == ("agent",)
    assert found("state", "state") == ("state",)
    assert found("tool", "tool_context tools tool.") == ("tool",)
    assert found("ox cow", "ox cow") == ("cow",)  # of three letters and more


@pytest.mark.specification("000 §8.1 highlights")
def test_no_stop_words_and_each_once():
    assert found("What does the agent do? The Agent!", "what does the agent do") == ("agent",)
    assert found("multi-agent agent", "a multi-agent agent") == ("multi-agent", "agent")
    assert found("a Multi-Agent workflow", "a multi-agent workflow") == ("Multi-Agent", "workflow")
    assert found("which order does order.placed carry", "the order is paid") == ("order",)


@pytest.mark.specification("000 §8.1 highlights")
def test_eight_at_the_most():
    words = "alpha beta gamma delta epsilon zeta theta iota kappa"
    assert found(words, words) == tuple(words.split()[:8])
