from __future__ import annotations

import pytest

from agents.evidence.duplicates import overlap, without_duplicates
from tests.agents.evidence.making import item


def kept(*items):
    return [(one.chunk.path, one.start_line, one.end_line) for one in without_duplicates(items, 0.6)]


@pytest.mark.specification("000 §8.2 hard")
def test_the_same_lines_are_one_piece_the_higher_ranked():
    first, again = item(start=1, end=10, rank=1), item(start=1, end=10, rank=2, symbol="another point")
    assert without_duplicates([first, again], 0.6) == [first]
    assert without_duplicates([first, again], 2) == [first]  # without the soft rule


@pytest.mark.specification("000 §8.2 soft")
def test_overlap_is_measured_by_the_shorter():
    assert overlap((1, 10), (6, 25)) == pytest.approx(5 / 10)
    assert overlap((6, 25), (1, 10)) == pytest.approx(5 / 10)
    assert overlap((1, 10), (3, 4)) == 1
    assert overlap((1, 10), (11, 20)) == 0
    assert overlap((1, 10), (30, 40)) == 0


@pytest.mark.specification("000 §8.2 soft")
def test_sixty_percent_are_one_piece():
    assert kept(item(start=1, end=10), item(start=5, end=14)) == [("src/a.py", 1, 10)]  # 6 of 10
    assert len(kept(item(start=1, end=10), item(start=6, end=15))) == 2  # 5 of 10
    assert len(kept(item("src/a.py", 1, 10), item("src/b.py", 5, 14))) == 2
    assert len(kept(item(start=1, end=10), item(start=5, end=14, repo="fork/kit", project="fork"))) == 2


def test_a_dropped_piece_drops_no_other():
    assert kept(item(start=1, end=10), item(start=5, end=14), item(start=9, end=18)) == [
        ("src/a.py", 1, 10),
        ("src/a.py", 9, 18),
    ]


def test_two_projects_of_one_repository_may_have_files_of_one_name():
    one, other = item("src/a.py", text="x", project="left"), item("src/a.py", text="y", project="right")
    assert len(without_duplicates([one, other], 0.6)) == 2
    same = item("src/a.py", text="x", project="right")
    assert without_duplicates([one, same], 0.6) == [one]


def test_without_lines_only_the_same_text_is_a_copy():
    left, right = item("a.md", 0, 0, text="left"), item("a.md", 0, 0, text="right")
    assert without_duplicates([left, right, left], 0.6) == [left, right]
