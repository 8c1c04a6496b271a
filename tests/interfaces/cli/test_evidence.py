"""`evidence`: a page for people, one document for programs."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.agents.evidence.keys import ITEM_KEYS, STATS_KEYS
from tests.organisation import write

QUESTION = "How does MooringDesk use the Beacon to signal ships?"


@pytest.mark.specification("000 §8.1 item", "000 §10 step 8")
def test_the_document(document, data):
    code, pack = document("evidence", QUESTION, "--data-dir", data)
    assert code == 0
    assert list(pack) == ["intent", "query", "evidence", "stats"]
    assert (pack["query"], pack["intent"]) == (QUESTION, "HOW_TO_IMPLEMENT")
    assert {tuple(item)[: len(ITEM_KEYS)] for item in pack["evidence"]} == {ITEM_KEYS}
    assert {key for item in pack["evidence"] for key in item} - set(ITEM_KEYS) == {"reason"}
    assert tuple(pack["stats"]) == STATS_KEYS
    assert {"harbour/mooring.py", "lighthouse/beacon.py"} <= {item["path"] for item in pack["evidence"]}
    assert pack["stats"]["corpus_mix"] == {"code": 4, "docs": 2}


def test_what_stands_there_is_what_stands_in_the_file(document, data, org):
    _, pack = document("evidence", QUESTION, "--data-dir", data)
    for item in pack["evidence"]:
        lines = (org / item["repo"] / item["path"]).read_text().split("\n")
        assert item["text"].rstrip("\n") == "\n".join(lines[item["start_line"] - 1 : item["end_line"]]).rstrip("\n")


@pytest.mark.specification("000 §2 deterministic")
def test_twice_the_same_bytes(cli, data):
    first, second = (cli("evidence", QUESTION, "--json", "--data-dir", data) for _ in range(2))
    assert first == second


@pytest.mark.slow
@pytest.mark.specification("000 §2 deterministic")
def test_the_same_bytes_whatever_the_seed_of_hashes(cli, tmp_path):
    """Of many lines that are worth the same, more than have room."""
    text = "\n\n\n".join(f"def tide_{n}(moon):\n    tide = moon + {n}\n    return tide" for n in range(200))
    write(tmp_path / "org", {"harbour": {f"tides_{n}.py": text.replace("moon", f"moon_{n}") for n in range(3)}})
    data = ("--data-dir", tmp_path / "data")
    cli("index", tmp_path / "org", "--each", *data)
    program = "import sys; from interfaces.cli.main import main; main(sys.argv[1:])"
    command = [sys.executable, "-c", program, "evidence", "Which tide comes next?", "--json", *data]
    command += ["--set", "evidence.block_tokens=40", "--set", "evidence.max_tokens=600"]
    printed = {
        subprocess.run(command, env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, check=True).stdout  # noqa: S603 - our own
        for seed in ("1", "20", "300")
    }
    assert len(printed) == 1


@pytest.mark.specification("000 §6.3 fields")
def test_scopes(document, data):
    _, pack = document("evidence", QUESTION, "--repo", "harbour", "--intent", "CODE_ONLY", "--data-dir", data)
    assert {(item["repo"], item["corpus"]) for item in pack["evidence"]} == {("harbour", "code")}
    _, pack = document("evidence", QUESTION, "--path", "beacon.py", "--no-tests", "--top-k", "3", "--data-dir", data)
    assert {item["path"] for item in pack["evidence"]} == {"lighthouse/beacon.py"}
    assert "top_k 3 clamped to 5" in pack["stats"]["notes"]


def test_a_page(cli, data):
    code, out, err = cli("evidence", QUESTION, "--data-dir", data)
    assert (code, err) == (0, "")
    assert out.startswith("HOW_TO_IMPLEMENT: 6 of 6 candidates (4 code, 2 docs)\n  no intent given: ")
    assert "\n 1. " in out
    assert "harbour/harbour/mooring.py:1-11  ranked  [MooringDesk, Beacon" in out
    assert "    class MooringDesk:" in out


def test_nothing_found(cli, data):
    code, out, _ = cli("evidence", QUESTION, "--commit", "beef", "--data-dir", data)
    assert (code, out.partition("\n")[0]) == (4, "HOW_TO_IMPLEMENT: 0 of 0 candidates (0 code, 0 docs)")


def test_what_is_wrong_is_said(document, data):
    code, got = document("evidence", QUESTION, "--repo", "dock", "--data-dir", data)
    assert (code, got["error"]["hint"]) == (2, "Known: harbour, lighthouse.")
    code, got = document("evidence", QUESTION, "--path", "harbour/moring.py", "--data-dir", data)
    assert (code, "harbour/mooring.py" in got["error"]["hint"]) == (2, True)
    code, got = document("evidence", " ", "--data-dir", data)
    assert (code, got["error"]["code"]) == (2, "invalid_query")
    code, got = document("evidence", QUESTION)
    assert (code, got["error"]["code"]) == (2, "data_folder")


@pytest.mark.parametrize("query", ["who answers GET /health/ready?", "what is in harbour/moring.py"])
def test_a_path_that_is_not_indexed_is_text_like_the_rest(document, data, query):
    code, pack = document("evidence", query, "--data-dir", data)
    assert (code, pack["intent"]) == (0, "HOW_TO_IMPLEMENT")
    assert pack["evidence"]


def test_a_path_as_citations_print_it(document, data):
    for given in (
        ("what is in lighthouse/lighthouse/beacon.py:1-3",),
        (QUESTION, "--path", "lighthouse/lighthouse/beacon.py"),
    ):
        code, pack = document("evidence", *given, "--data-dir", data)
        assert (code, {item["path"] for item in pack["evidence"]}) == (0, {"lighthouse/beacon.py"})


def test_a_limit_in_the_question_is_obeyed(document, data):
    _, pack = document("evidence", f"only show code from harbour: {QUESTION}", "--data-dir", data)
    assert {(item["repo"], item["corpus"]) for item in pack["evidence"]} == {("harbour", "code")}


@pytest.mark.specification("000 §10 step 8")
def test_the_specifications_request(document, data):
    _, pack = document("evidence", QUESTION, "--profile", "spec", "--data-dir", data)
    assert {tuple(item) for item in pack["evidence"]} == {ITEM_KEYS}
    assert {item["retrieval_route"] for item in pack["evidence"]} <= {"fusion_rrf", "dense_code", "dense_docs"}


def test_long_pieces_are_printed_whole(cli, tmp_path):
    (tmp_path / "long").mkdir()
    (tmp_path / "long/a.py").write_text("def tides():\n" + "".join(f"    high = {n}\n" for n in range(40)))
    cli("index", tmp_path / "long", "--data-dir", tmp_path / "data", "--quiet")
    _, out, _ = cli("evidence", "tides", "--data-dir", tmp_path / "data")
    assert "        high = 39\n" in out
    assert json.loads(cli("evidence", "tides", "--json", "--data-dir", tmp_path / "data")[1])["stats"]["returned"] == 1


def test_only_what_may_be_seen(document, cli, data):
    code, pack = document("evidence", QUESTION, "--allow", "lighthouse", "--data-dir", data)
    assert (code, {item["repo"] for item in pack["evidence"]}) == (0, {"lighthouse"})
    assert "harbour" not in cli("evidence", QUESTION, "--allow", "lighthouse", "--json", "--data-dir", data)[1]
    code, told = document("evidence", QUESTION, "--allow", "lighthouse", "--repo", "harbour", "--data-dir", data)
    assert (code, told["error"]["hint"]) == (2, "Known: lighthouse.")
    code, told = document("evidence", QUESTION, "--allow", "dock", "--data-dir", data)
    assert (code, told["error"]["code"]) == (2, "unknown_project")


def test_what_has_changed_since_it_was_indexed_is_said(cli, tmp_path):
    org = write(tmp_path / "org")
    assert cli("index", org, "--each", "--data-dir", tmp_path / "data")[0] == 0
    desk = org / "harbour/harbour/mooring.py"
    desk.write_text("\n" + desk.read_text())
    _, out, _ = cli("evidence", QUESTION, "--data-dir", tmp_path / "data")
    titles = [line for line in out.splitlines() if "the file has changed since it was indexed" in line]
    assert titles
    assert all("harbour/harbour/mooring.py" in line for line in titles)
    assert out.rstrip().endswith("brings them up to date)\n  harbour: 1 file")
