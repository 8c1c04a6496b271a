"""`ask`: a page for people, one document for programs, events while it happens."""

from __future__ import annotations

import json

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


def test_settings_of_the_scope(document, data):
    _, result = document("ask", QUESTION, "--scope", "none", "--scope-strength", "strict", "--data-dir", data)
    assert (result["scope"]["mode"], result["scope"]["strength"]) == ("none", "strict")


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
