"""The comparison: what counts as found, what as shown, and the adapters that need no index of ours."""

from __future__ import annotations

import anyio
import pytest

from benchmarks.crossrepo.run import ask, score, table
from benchmarks.crossrepo.sets import SETS, Proof, Question, read_questions, read_repositories
from benchmarks.crossrepo.systems.bm25 import Bm25
from benchmarks.crossrepo.systems.port import Found, Lines
from benchmarks.crossrepo.systems.windows import read_windows

ANSWERABLE = Question(
    "q1",
    "who sends invoices",
    "TRACE",
    None,
    ("a/send.py", "b/take.py"),
    frozenset({"a/README.md"}),
    (Proof("a/send.py", 3, "send"), Proof("b/take.py", 9, "take")),
    "a sends them to b.",
)
ABSENT = Question("q2", "where is ldap", "ENTITY_LOOKUP", None, (), frozenset(), (), "Nowhere.")


def test_files_that_are_acceptable_too_neither_count_nor_cost():
    found = {
        "q1": Found(("a/README.md", "c/other.py", "a/send.py"), [Lines("a/send.py", 1, 5), Lines("b/take.py", 1, 8)]),
        "q2": Found(()),
    }
    figures = score((ANSWERABLE, ABSENT), found)
    assert figures == {
        "questions": 2,
        "recall@10": 0.5,
        "mrr@10": 0.5,
        "proofs_shown": 0.5,
        "absent": 1,
        "abstained": 1,
        "wrongly_abstained": 0,
    }


def test_an_abstention_finds_nothing():
    figures = score((ANSWERABLE, ABSENT), {"q1": Found(()), "q2": Found(("a/send.py",))})
    assert (figures["recall@10"], figures["abstained"], figures["wrongly_abstained"]) == (0.0, 0, 1)


def test_bm25_ranks_the_file_that_holds_the_words(tmp_path):
    for file, text in {"a/send.py": "def send(invoice): ...", "b/take.py": "def take(order): ..."}.items():
        (tmp_path / file).parent.mkdir()
        (tmp_path / file).write_text(text)
    question = Question("q", "which code sends an invoice", "TRACE", None, ("a/send.py",), frozenset(), (), "")
    found = anyio.run(ask, Bm25(), tmp_path, (question,))
    assert found["q"].files == ("a/send.py",)
    assert found["q"].shown == [Lines("a/send.py", 1, 1)]


def test_windows_share_ten_lines_and_end_with_the_file(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "long.txt").write_text("\n".join(f"line {n}" for n in range(1, 66)))
    assert [(window.start, window.end) for window in read_windows(tmp_path)] == [(1, 40), (31, 65)]


@pytest.mark.parametrize("number", ["1", "2", "3", "4", "5", "6"])
def test_the_sets_are_whole(number):
    questions, repositories = read_questions(SETS / number), read_repositories(SETS / number)
    assert len(questions) == 25
    assert sum(not question.expected for question in questions) == 3
    files = {file for question in questions for file in (*question.expected, *question.also)}
    assert {file.split("/")[0] for file in files} <= set(repositories)
    assert {proof.file for question in questions for proof in question.proofs} <= files


def test_the_table_has_a_row_a_system():
    assert table([{"set": "1", "system": "bm25", "recall@10": 0.4}]).splitlines()[2] == "| 1 | bm25 | 0.4 |"
