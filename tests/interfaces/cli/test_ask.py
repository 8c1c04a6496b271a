"""`ask`: a page for people, one document for programs, events while it happens."""

from __future__ import annotations

import json

import pytest

from interfaces.cli.ask import answer_page
from orchestrator.result import HybridResult

QUESTION = "How does MooringDesk connect to Beacon?"


def test_a_page(cli, data):
    code, out, err = cli("ask", QUESTION, "--data-dir", data)
    assert (code, err) == (0, "")
    assert out.startswith(
        "MooringDesk of harbour calls Beacon of lighthouse: [graph:harbour/MooringDesk→lighthouse/Beacon]"
    )
    assert "\n- harbour/harbour/mooring.py:11 `return self.beacon.signal(ship)`\n" in out
    assert "\nSources\n" not in out  # every place is named where it is used
    assert "Classified" not in out


def test_a_document_s_line_stays_one_line(cli, tmp_path):
    written = (
        "# Widget\n\nWidgetFrob listens on port 8443.\u2028\u2028payments/a.py:1-3\u2029Not covered\x85  nothing\n"
    )
    (tmp_path / "p").mkdir()
    (tmp_path / "p/README.md").write_text(written, encoding="utf-8")
    assert cli("index", tmp_path / "p", "--data-dir", tmp_path / "data")[0] == 0
    _, out, _ = cli("ask", "What port does WidgetFrob listen on?", "--data-dir", tmp_path / "data")
    assert "> WidgetFrob listens on port 8443.  payments/a.py:1-3 Not covered   nothing\n" in out


def test_explain(cli, data):
    _, out, _ = cli("ask", QUESTION, "--explain", "--data-dir", data)
    for title in (
        "Classified   relationship -> graph",
        "Entities     MooringDesk, Beacon",
        "Scope ",
        "Ranking",
        "Time ",
    ):
        assert title in out


def test_the_document(document, data):
    code, result = document("ask", QUESTION, "--data-dir", data)
    assert (code, result["status"], result["schema_version"]) == (0, "answered", "1")
    assert set(result) == set(HybridResult.model_json_schema()["properties"])
    assert all(citation["verified"] for citation in result["citations"])


def test_events(cli, data):
    code, out, _ = cli("ask", QUESTION, "--stream", "--json", "--data-dir", data)
    events = [json.loads(line) for line in out.splitlines()]
    assert (code, events[0]["event"], events[-1]["event"]) == (0, "started", "finished")
    assert events[-1]["result"]["status"] == "answered"
    assert {"classified", "agent_started", "observation_added", "agent_finished"} <= {
        event["event"] for event in events
    }


def test_events_for_people(cli, data):
    code, out, _ = cli("ask", QUESTION, "--stream", "--data-dir", data)
    assert code == 0
    assert "MooringDesk of harbour calls Beacon of lighthouse: [graph:" in out


def test_the_run_as_a_page(cli, document, data, tmp_path):
    code, out, err = cli("ask", QUESTION, "--html", tmp_path / "run.html", "--data-dir", data)
    assert (code, err) == (0, "")
    assert out.startswith(
        "MooringDesk of harbour calls Beacon of lighthouse: [graph:harbour/MooringDesk→lighthouse/Beacon]"
    )
    written = (tmp_path / "run.html").read_text(encoding="utf-8")
    assert f"<title>{QUESTION}</title>" in written
    assert '<b>harbour</b>/<wbr/>harbour/<wbr/>mooring.py<span class="lines-at">:11</span>' in written
    assert 'class="line cited"' in written
    code, result = document("ask", QUESTION, "--html", tmp_path / "run.html", "--data-dir", data)
    assert (code, result["status"]) == (0, "answered")


def test_a_page_beside_the_events(cli, data, tmp_path):
    code, out, _ = cli("ask", QUESTION, "--stream", "--json", "--html", tmp_path / "run.html", "--data-dir", data)
    events = [json.loads(line)["event"] for line in out.splitlines()]
    assert (code, events[0], events[-1]) == (0, "started", "finished")
    assert (tmp_path / "run.html").exists()


def test_a_page_that_cannot_be_written(document, data, tmp_path):
    code, result = document("ask", QUESTION, "--html", tmp_path / "nowhere/run.html", "--data-dir", data)
    assert (code, result["error"]["code"]) == (2, "invalid_input")


def test_only_what_is_allowed(document, data):
    code, result = document("ask", QUESTION, "--allow", "lighthouse", "--data-dir", data)
    assert code in {0, 4}
    assert {at["project"] for o in result["observations"] for at in o["locations"]} <= {"lighthouse"}
    assert "harbour" not in json.dumps(result["observations"] + result["citations"])


def test_the_project_in_hand(document, data):
    code, result = document(
        "ask", "What does our CLAUDE.md say about pilots?", "--project", "harbour", "--data-dir", data
    )
    assert code == 0
    assert "pilot on board" in result["answer"]["text"]
    assert result["citations"][0]["location"]["path"] == "CLAUDE.md"


@pytest.mark.specification("001 §3.2 ENTITY_LOOKUP")
def test_whoever_may_join_is_waited_for(document, data):
    """Not even the grace is left that they have where nobody waits."""
    _, result = document("ask", QUESTION, "--set", "may_grace_ms=0", "--data-dir", data)
    agents = {agent["agent"]: (agent["role"], agent["status"]) for agent in result["coverage"]["agents"]}
    assert (agents["graph"], agents["vector"]) == (("must", "ok"), ("may", "ok"))


def test_settings_of_the_scope(cli, document, data):
    _, result = document("ask", QUESTION, "--scope", "none", "--scope-strength", "strict", "--data-dir", data)
    assert (result["scope"]["mode"], result["scope"]["strength"]) == ("none", "strict")
    assert document("ask", QUESTION, "--scope", "off", "--data-dir", data)[1]["scope"]["mode"] == "none"
    assert "|none|off]" in cli("ask", "--help")[1]


def test_nothing_found(cli, data):
    code, out, _ = cli("ask", "What does ZeppelinHangar do?", "--data-dir", data)
    assert code == 4
    assert "ZeppelinHangar" in out


def test_a_project_that_is_not_there(document, data):
    code, result = document("ask", QUESTION, "--project", "dock", "--data-dir", data)
    assert (code, result["error"]["code"]) == (2, "unknown_project")
    assert "harbour, lighthouse" in result["error"]["hint"]


def test_nothing_is_indexed(document, tmp_path):
    code, result = document("ask", QUESTION)
    assert (code, result["error"]["code"]) == (2, "data_folder")
    assert "hybrid-retrieval index PATH" in result["error"]["hint"]
    assert not (tmp_path / "nowhere").exists()


def cited(path, line, *, verified=True, stale=False, reason=None):
    at = {"project": "crm", "path": path, "start_line": line, "end_line": line}
    return {
        "marker": f"[vector:crm/{path}:{line}-{line}]",
        "location": at,
        "located": verified,
        "supported": verified,
        "verified": verified,
        "reason": reason,
        "stale": stale,
    }


def result(*, answer=None, **changes):
    return {
        "status": "answered",
        "answer": {"text": "It is so.\n", "missing": [], "notes": [], **(answer or {})},
        "citations": [],
        "conflicts": [],
        "classification": {"query_types": ["pattern"], "paths": ["vector"], "reasons": ["pattern: says how"], "entities": []},
        "coverage": {"agents": [{"agent": "graph", "role": "may", "status": "error", "observations": 0, "elapsed_ms": 3.21, "reason": "down"}]},
        "scope": {
            "mode": "sequential", "strength": "soft", "widened": True, "widened_by": ["auth"],
            "projects": [{"project": "crm", "confidence": 0.9, "because": "defines Customer"}],
        },
        "observations": [
            {"rank": 1, "score": 0.5, "agent": "vector", "source": "vector:qdrant", "locations": [cited("a.py", 3)["location"]]},
            {"rank": 2, "score": 0.25, "agent": "local", "source": "local:recent", "locations": []},
        ],
        "metrics": {"total_time_ms": 12.34, "merge_time_ms": 1.0, "synthesis_time_ms": 2.0, "commit": {}},
        **changes,
    }  # fmt: skip


def test_how_many_files_have_changed_since():
    commit = {"b": {"changed": 2}, "a": {"changed": 1}, "c": {"changed": 0}, "d": {"changed": None}, "e": {}}
    page = answer_page(result(metrics={"commit": commit}), explain=False)
    assert page.splitlines()[3:] == ["  a: 1 file", "  b: 2 files"]


def test_the_text_alone():
    assert answer_page(result(), explain=False) == "It is so."


def test_a_note_on_how_the_answer_came_about_is_shown():
    document = result()
    document["answer"]["notes"] = ["gemini failed: ConnectError"]
    assert answer_page(document, explain=False) == "It is so.\n\nNote: gemini failed: ConnectError."


def test_each_place_once_and_what_does_not_hold_is_said():
    citations = [
        cited("a.py", 3),
        cited("a.py", 3),
        cited("b.py", 1),
        cited("b.py", 1, verified=False, reason="line 1 does not say so"),
        cited("c.py", 9, stale=True),
        {
            "marker": "[local:recent]",
            "location": None,
            "located": True,
            "supported": True,
            "verified": True,
            "reason": None,
        },
    ]
    assert answer_page(result(citations=citations), explain=False).split("\n\n")[1].splitlines() == [
        "Sources",
        "  crm/a.py:3",
        "  crm/b.py:1  NOT VERIFIED: line 1 does not say so",
        "  crm/c.py:9  (the file has changed since it was indexed)",
        "  [local:recent]",
    ]


def test_what_is_located_and_not_supported_is_said_and_counted():
    told = {**cited("b.py", 1, verified=False, reason="the cited lines do not say 9"), "located": True}
    page = answer_page(result(citations=[cited("a.py", 3), told]), explain=False)
    assert page.split("\n\n")[1].splitlines() == [
        "Sources (1 located, not supported)",
        "  crm/a.py:3",
        "  crm/b.py:1  NOT SUPPORTED: the cited lines do not say 9",
    ]


def test_conflicts_and_what_is_missing():
    conflicts = [
        {"subject": "retention", "property": "days", "reason": "the newer section says 90"},
        {"subject": "port", "property": "value", "reason": "two values", "question": "8080 or 8081?"},
    ]
    page = answer_page(result(conflicts=conflicts, answer={"text": "So.", "missing": ["the graph"]}), explain=False)
    assert page == (
        "So.\n\nConflicts\n  retention, days: the newer section says 90\n  8080 or 8081?\n\nNot covered\n  the graph"
    )
    assert "Conflicts" not in answer_page(result(conflicts=conflicts, status="not_found"), explain=False)


def test_what_is_missing_is_said_once():
    said = {"text": "So.\nMissing: the graph; x.", "missing": ["the graph", "x"]}
    assert answer_page(result(answer=said), explain=False) == "So.\n\nNot covered\n  the graph\n  x"


def test_a_name_that_occurs_nowhere_is_said_once():
    said = {
        "text": "No answer found: X occurs nowhere in the indexed text you may see.\nMissing: the graph.",
        "missing": ["the graph", "X occurs nowhere in the indexed text you may see"],
    }
    page = answer_page(result(answer=said, status="not_found"), explain=False)
    assert page == "No answer found: X occurs nowhere in the indexed text you may see.\n\nNot covered\n  the graph"
    led = {**said, "text": "Note: X occurs nowhere in the indexed text you may see.\n\nSo.\nMissing: the graph."}
    assert answer_page(result(answer=led), explain=False).endswith("see.\n\nSo.\n\nNot covered\n  the graph")
    assert "Not covered\n  the graph\n  X occurs" in answer_page(result(answer=said), explain=False)


def test_the_explanation():
    page = answer_page(result(), explain=True).split("\n\n")[1]
    assert page.splitlines() == [
        "Classified   pattern -> vector",
        "             pattern: says how",
        "graph        may   error      0 found      3.2 ms  down",
        "Scope        sequential, soft",
        "             crm 0.90  defines Customer",
        "             widened by auth",
        "Ranking",
        "   1. 0.500 vector crm/a.py:3-3",
        "   2. 0.250 local  local:recent",
        "Time         12.3 ms, merging 1.0, synthesis 2.0",
    ]


def test_the_explanation_of_a_plain_case():
    scope = {"mode": "none", "strength": "soft", "projects": [], "widened": False, "widened_by": []}
    classification = {"query_types": ["pattern"], "paths": [], "reasons": [], "entities": ["Customer"]}
    page = answer_page(result(scope=scope, classification=classification, coverage={"agents": []}), explain=True)
    assert "Entities     Customer\nScope        none, soft\nRanking" in page


def test_a_place_that_the_text_names_is_not_named_again():
    text = "crm/a.py:3-3 [vector:crm/a.py:3-3]\n> x\nIt is so. [vector:crm/b.py:7-7]"
    page = answer_page(
        result(answer={"text": text, "missing": []}, citations=[cited("a.py", 3), cited("b.py", 7)]), explain=False
    )
    assert page == "crm/a.py:3-3\n> x\nIt is so. [vector:crm/b.py:7-7]"


def test_what_does_not_hold_is_named_though_the_text_names_it():
    text = "crm/a.py:3-3 [vector:crm/a.py:3-3]"
    page = answer_page(
        result(answer={"text": text, "missing": []}, citations=[cited("a.py", 3, stale=True)]), explain=False
    )
    assert page.endswith("Sources\n  crm/a.py:3  (the file has changed since it was indexed)")
