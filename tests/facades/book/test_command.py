from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime

import pytest

from facades.book import RetrievalResponse, RetrievalResult
from facades.book.__main__ import checklist, run, table
from facades.book.checklist import ChecklistItem
from memory.embedders import FakeDenseEmbedder
from tests.facades.shelves import BOOK, EXAMPLE, PAGES

AT = datetime(2025, 12, 16, tzinfo=UTC)


def response(*results):
    return RetrievalResponse("q", list(results), len(results), 12.4, AT, {"top_k": 5, "similarity_threshold": 0.0})


def test_a_line_a_result_and_one_about_the_run():
    one = RetrievalResult("1", "a.md", "A", "First\n  line.", "h", 0, 1, "then", 3, 0.9, 1)
    two = RetrievalResult("2", f"{'long/' * 12}b.md", "", "x" * 80, "h", 0, 1, "then", 3, 0.87654, 2)
    assert table(response(one, two)).splitlines() == [
        f"rank  score  {'source':44}  section  content",
        f"1     0.900  {'a.md':44}  A        First line.",
        f"2     0.877  {'long/' * 8}lon…           {'x' * 59}…",
        "2 results in 12 ms (top_k 5, similarity_threshold 0.0)",
    ]


def test_a_column_is_as_wide_as_its_widest_and_no_wider_than_is_fit():
    one = RetrievalResult("1", "a" * 44, "s" * 36, "c" * 60, "h", 0, 1, "then", 3, 1.0, 1)
    two = RetrievalResult("2", "b" * 45, "t" * 37, "d" * 61, "h", 0, 1, "then", 3, 1.0, 1_000_000)
    head, first, second, _ = table(response(one, two)).splitlines()
    assert head == f"rank  score  {'source':44}  {'section':36}  content"
    assert first == f"1     1.000  {'a' * 44}  {'s' * 36}  {'c' * 60}"
    assert second == f"100…  1.000  {'b' * 43}…  {'t' * 35}…  {'d' * 59}…"


def test_no_results():
    assert table(response()).splitlines() == [
        "rank  score  source  section  content",
        "0 results in 12 ms (top_k 5, similarity_threshold 0.0)",
    ]


def test_the_checklist_has_its_ticks():
    checks = [
        ChecklistItem("Basic", "It finds", passed=True, seen="3"),
        ChecklistItem("Basic", "It orders", passed=False, seen="0"),
        ChecklistItem("Edges", "It stops", passed=True, seen="ok"),
    ]
    assert checklist(checks).splitlines() == [
        "1. **Basic**:",
        "   - [x] It finds (3)",
        "   - [ ] It orders (0)",
        "2. **Edges**:",
        "   - [x] It stops (ok)",
        "",
        "2 of 3 hold",
    ]


HERE = ["--book", str(PAGES)]


def command(capsys, *arguments):
    code = run([*arguments], embedder=FakeDenseEmbedder(BOOK))
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture
def keyless(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COHERE_API_KEY", raising=False)


@pytest.mark.specification("004 §6 command", "004 §6 table")
def test_a_table_of_results(capsys):
    code, out, err = command(capsys, "Behavior trees", "--top-k", "2", *HERE)
    head, first, _, run_line = out.splitlines()
    assert (code, err) == (0, "")
    assert head.split() == ["rank", "score", "source", "section", "content"]
    assert "module-04-behaviour/behaviour-trees.md" in first
    assert run_line.startswith("2 results in ")
    assert run_line.endswith(" ms (top_k 2, similarity_threshold 0.0)")


@pytest.mark.specification("004 §6 json", "004 §6 command")
def test_the_response_as_json(capsys):
    code, out, _ = command(capsys, "Behavior trees", "--threshold", "0.6", "--format", "json", *HERE)
    document = json.loads(out)
    assert (code, document["schema_version"], document["query_text"]) == (0, "1", "Behavior trees")
    assert document["parameters"] == {"top_k": 5, "similarity_threshold": 0.6}
    assert document["execution_time_ms"] > 0
    assert document["total_results"] == len(document["results"]) >= 1
    assert all(result["similarity_score"] >= 0.6 for result in document["results"])


@pytest.mark.specification("004 §6 command")
def test_what_it_says_of_itself(capsys):
    code, out, _ = command(capsys, "-h")
    assert code == 0
    said = " ".join(out.split())
    for part in (
        "Usage: python -m hybrid_retrieval.facades.book [OPTIONS] [QUESTION]",
        "--top-k INTEGER At most that many results. [default: 5]",
        "--threshold FLOAT The least similarity, 0 to 1. [default: 0.0]",
        "--format [table|json] [default: table]",
        "--checklist PATH Run the validation checklist with this file's questions. --env-file",
        "--env-file PATH In place of the .env file of the current folder. --book",
        "--book PATH A folder of pages, read into memory with a model of this machine: no key, no server. -h",
        "-h, --help Show",
    ):
        assert part in said
    assert command(capsys, "--help")[1] == out


def test_nothing_found(capsys):
    code, out, _ = command(capsys, "Behavior trees", "--threshold", "1", *HERE)
    assert (code, out.splitlines()[-1][:9]) == (4, "0 results")


@pytest.mark.specification("004 §6 checklist")
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_the_checklist(capsys, tmp_path):
    own = tmp_path / "own.yaml"
    own.write_text("questions: [{ask: Behavior trees, source: module-04}]\nfiles: 99\n", encoding="utf-8")
    code, out, _ = command(capsys, "--checklist", str(own), *HERE)
    assert (code, out.splitlines()[-1]) == (1, "13 of 14 hold")
    assert "   - [ ] Chunks retrieved from all 99 source files" in out
    own.write_text("questions: [{ask: Behavior trees, source: module-04}]\n", encoding="utf-8")
    code, out, _ = command(capsys, "--checklist", str(own), "--format=json", *HERE)
    document = json.loads(out)
    assert (code, document["schema_version"], document["failed"], len(document["checks"])) == (0, "1", 0, 14)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ([], 2, "Give a question, or --checklist FILE"),
        (["q", "--checklist", "x"], 2, "Give a question, or --checklist FILE"),
        (["q", "--top-k", "many"], 2, "not a valid integer"),
        (["", *HERE], 2, "The question is empty"),
        (["q", "--top-k", "0", *HERE], 2, "top_k is 0"),
        (["q", "--threshold", "2", *HERE], 2, r"similarity_threshold is 2.0"),
        (["q", "--book", "nowhere"], 2, "There is no folder"),
        (["--checklist", "nowhere", *HERE], 2, "cannot be read"),
        (["q", "--env-file", "nowhere"], 2, "nowhere"),
    ],
)
def test_the_caller_s_mistakes(capsys, arguments, code, said):
    found, out, err = command(capsys, *arguments)
    assert (found, out) == (code, "")
    assert said in err


@pytest.mark.parametrize("form", [["--format", "json"], ["--format=json"]])
def test_a_mistake_as_json(capsys, form):
    code, out, err = command(capsys, "", *form, *HERE)
    assert code == 2
    assert json.loads(out) == {
        "schema_version": "1",
        "error": {"code": "invalid_input", "message": "The question is empty.", "hint": "Ask something."},
    }
    assert err == "The question is empty. Ask something.\n"


def test_without_a_key_the_variable_is_named(keyless, capsys):
    code = run(["q"])
    out, err = capsys.readouterr()
    assert (code, out, "COHERE_API_KEY is not set" in err) == (2, "", True)


@pytest.mark.specification("004 §5 configuration")
def test_an_environment_file_has_the_keys(keyless, tmp_path, capsys):
    (tmp_path / "mine.env").write_text("COHERE_API_KEY=k\n", encoding="utf-8")
    code = run(["", "--env-file", str(tmp_path / "mine.env")])
    assert (code, capsys.readouterr().err) == (2, "The question is empty. Ask something.\n")


class Interrupting(FakeDenseEmbedder):
    async def embed_documents(self, texts):
        raise KeyboardInterrupt


def test_an_interruption():
    assert run(["q", *HERE], embedder=Interrupting(BOOK)) == 130


@pytest.mark.specification("004 §6 checklist", "004 §4 relevant", "004 §4 coverage")
@pytest.mark.slow
def test_the_process_with_the_model_of_this_machine():
    arguments = [*HERE, "--checklist", str(EXAMPLE / "checklist.yaml"), "--format", "json"]
    done = subprocess.run(  # noqa: S603 - our own interpreter and text
        [sys.executable, "-m", "facades.book", *arguments], capture_output=True, text=True, check=False
    )
    checks = json.loads(done.stdout)["checks"]
    assert [check for check in checks if not check["passed"]] == []
    assert (done.returncode, done.stderr) == (0, "")
