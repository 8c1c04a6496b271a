"""The stub branches have the shape that is compared, and each row's process answers in it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks.branches import BRANCHES, CASES, Row, items_of, near_copies

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.no_cover


def texts(case="normal"):
    return {branch: [item.text for item in items_of(branch, case)] for branch in BRANCHES}


def test_25_items_of_120_words_five_of_them_everybodys_and_five_nearly():
    found = texts()
    assert {len(of) for of in found.values()} == {25}
    assert {len(text.split()) for of in found.values() for text in of} == {120}
    assert len(set(found["local"]) & set(found["graph"]) & set(found["vector"])) == 5
    assert [near_copies([one, other]) for one, other in zip(found["local"], found["graph"], strict=True)].count(1) == 5


def test_cases():
    assert {len(of) for of in texts("without items").values()} == {0}
    assert [len(of) for of in texts("5,000 items").values()] == [25, 25, 5000]
    assert {item.score for item in items_of("vector", "all scores 1.0")} == {1.0}
    assert max(item.score for item in items_of("local", "all scores 1.0")) < 1.0


def test_a_near_copy_of_several_counts_once():
    assert near_copies(["a b c", "a b d", "a b e", "x y z", "a b c"]) == 3


@pytest.mark.slow
def test_no_branch_takes_more_than_four_of_ten_and_one_that_fails_loses_nothing_else():
    row = Row("ours", sys.executable, ROOT)
    try:
        found = {case: row.order(case, 0)["texts"] for case in CASES}
    finally:
        row.close()
    own = set(texts()["vector"]) - set(texts()["local"])
    assert sum(text in own for text in found["all scores 1.0"][:10]) <= 4
    assert 0 < len(found["one branch fails"]) == len(set(found["one branch fails"]))
    assert found["without items"] == []
