"""A file of questions: what is read, what is ignored, and which line is wrong how."""

from __future__ import annotations

import json

import pytest

from evaluation import read_questions
from memory.errors import InvalidInputError

GOOD = {"id": "q1", "query": "What is Beacon?", "type": "entity_lookup", "expected_files": ["a:b.py"]}


def written(tmp_path, *lines):
    file = tmp_path / "questions.jsonl"
    file.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines), encoding="utf-8")
    return file


def test_every_field(tmp_path):
    row = {
        **GOOD,
        "expected_files": ["a:b.py", "c:d.py", "a:b.py"],
        "also_acceptable": ["e:f.py", "c:d.py"],
        "current_project": "a",
        "allowed_projects": ["a", "c"],
        "expected_entities": ["Beacon"],
        "answer": "A light.",
    }
    read = read_questions(written(tmp_path, row, "", {**GOOD, "must_abstain": False, "note": 1}))
    first, second = read.questions
    assert first.expected_files == ("a:b.py", "c:d.py")
    assert first.also_acceptable == ("e:f.py",)  # what is expected counts
    assert (first.current_project, first.allowed_projects) == ("a", ("a", "c"))
    assert first.expected_projects == {"a", "c"}
    assert (second.allowed_projects, second.must_abstain) == (None, False)
    assert read.ignored_fields == ("answer", "note")


@pytest.mark.parametrize("name", ["must_abstain", "abstain"])
def test_a_question_without_an_answer_needs_no_files(tmp_path, name):
    row = {key: value for key, value in GOOD.items() if key != "expected_files"}
    (question,) = read_questions(written(tmp_path, {**row, name: True})).questions
    assert (question.must_abstain, question.expected_files, question.expected_projects) == (True, (), frozenset())


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "line 2 is not JSON"),
        ("[1]", "line 2 is not a JSON object"),
        ({**GOOD, "id": " "}, "line 2: id is missing or no text"),
        ({**GOOD, "query": 5}, "line 2: query is missing or no text"),
        ({**GOOD, "type": "poem"}, "line 2: unknown type 'poem'. Known: cross_project"),
        ({**GOOD, "expected_files": []}, "line 2: expected_files is empty"),
        ({**GOOD, "expected_files": "a:b.py"}, "line 2: expected_files is no list of texts"),
        ({**GOOD, "also_acceptable": [1]}, "line 2: also_acceptable is no list of texts"),
        ({**GOOD, "allowed_projects": "a"}, "line 2: allowed_projects is no list of texts"),
        ({**GOOD, "current_project": 5}, "line 2: current_project is 5"),
        ({**GOOD, "must_abstain": "no"}, "line 2: must_abstain is 'no'"),
    ],
)
def test_a_wrong_line_is_named(tmp_path, line, said):
    with pytest.raises(InvalidInputError) as caught:
        read_questions(written(tmp_path, GOOD, line))
    assert said in str(caught.value)
    assert caught.value.hint


def test_a_wrong_file_is_named(tmp_path):
    with pytest.raises(InvalidInputError, match=r"gone cannot be read \(FileNotFoundError\)"):
        read_questions(tmp_path / "gone")
    with pytest.raises(InvalidInputError, match="cannot be read"):
        read_questions(tmp_path)
    (tmp_path / "latin").write_bytes(b"\xe9\n")
    with pytest.raises(InvalidInputError, match="cannot be read"):
        read_questions(tmp_path / "latin")
    with pytest.raises(InvalidInputError, match="holds no question"):
        read_questions(written(tmp_path, "", "  "))
