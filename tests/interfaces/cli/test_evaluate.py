"""`evaluate`: the table, the document, and what is expected at least."""

from __future__ import annotations

import json

import pytest

ROWS = [
    {
        "id": "q1",
        "query": "What is MooringDesk?",
        "type": "entity_lookup",
        "expected_files": ["harbour:harbour/mooring.py"],
    },
    {
        "id": "q2",
        "query": "What does ZeppelinHangar do?",
        "type": "entity_lookup",
        "must_abstain": True,
        "why": "made up",
    },
    {
        "id": "q3",
        "query": "What does our CLAUDE.md say about pilots?",
        "type": "local_only",
        "expected_files": ["harbour:CLAUDE.md"],
        "current_project": "harbour",
        "allowed_projects": ["harbour"],
    },
]


def written(path, rows):
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n\n", encoding="utf-8")
    return path


@pytest.fixture
def questions(tmp_path):
    return written(tmp_path / "questions.jsonl", ROWS)


@pytest.mark.specification("001 §3.2 ENTITY_LOOKUP")
def test_whoever_may_join_is_waited_for(document, data, tmp_path):
    """The search that the graph's question does not plan, though no grace is left to it."""
    asked = {"id": "q", "query": "How does MooringDesk connect to Beacon?", "type": "relationship"}
    rows = written(tmp_path / "may.jsonl", [{**asked, "expected_files": ["lighthouse:README.md"]}])
    _, scores = document("evaluate", rows, "--set", "may_grace_ms=0", "--data-dir", data)
    assert scores["overall"]["recall@10"] == 1.0


def test_the_document(document, data, questions):
    code, scores = document("evaluate", questions, "--data-dir", data)
    assert (code, scores["questions"], scores["ignored_fields"]) == (0, 3, ["why"])
    overall = scores["overall"]
    assert (overall["recall@5"], overall["mrr@10"], overall["citations_verified"]) == (1.0, 1.0, 1.0)
    assert (overall["abstention_right"], overall["abstention_wrong"]) == (1, 0)
    assert list(scores["by_type"]) == ["entity_lookup", "local_only"]
    assert [row["id"] for row in scores["per_question"]] == ["q1", "q2", "q3"]


def test_the_table(cli, data, tmp_path):
    code, out, err = cli("evaluate", written(tmp_path / "q", ROWS[1:2]), "--data-dir", data)
    assert (code, err) == (0, "")
    rows = {line.split()[0]: line.split()[1:] for line in out.splitlines()}
    assert rows["overall"] == ["entity_lookup"]
    assert rows["recall@5"] == ["-", "-"]  # a must-abstain question alone has none
    assert rows["abstention_right"] == ["1", "1"]
    assert rows["type_accuracy"] == ["1.000", "1.000"]


def test_what_is_expected_at_least(cli, data, questions):
    expected = ("--min", "recall@5=1", "--min", "abstention_right=1", "--data-dir", data)
    assert cli("evaluate", questions, *expected)[0] == 0
    code, _, err = cli("evaluate", questions, *expected, "--min", "abstention_right=2", "--quiet")
    assert (code, err) == (1, "abstention_right is 1, expected at least 2.0.\n")


@pytest.mark.parametrize(
    ("least", "said"),
    [
        ("recall@7=1", "Unknown metric 'recall@7'"),
        ("recall@5", "'' is no number"),
        ("recall@5=nan", "'nan' is no number"),
    ],
)
def test_an_expectation_that_makes_no_sense(cli, questions, least, said):
    code, _, err = cli("evaluate", questions, "--min", least)
    assert code == 2
    assert said in err


def test_a_question_that_cannot_be_asked_is_named(document, data, tmp_path):
    file = written(tmp_path / "q", [ROWS[0], {**ROWS[2], "current_project": "dock"}])
    code, result = document("evaluate", file, "--data-dir", data)
    assert (code, result["error"]["code"]) == (2, "invalid_input")
    assert result["error"]["message"] == f"{file}, question q3: No project 'dock' here."
