"""Every part with every fault: somebody answers, in time, and nothing is left behind; and the page that says so is what the run gives."""

from __future__ import annotations

import pytest

from tests.faults import AGENT_S, FAULTS, NOT, PAGE, PARTS, SERVERS, matrix, page


@pytest.fixture(scope="module")
def cells():
    return matrix()


def test_no_answer_is_lost_where_any_source_was_reachable(cells):
    lost = {place for place, cell in cells.items() if not cell.answered or cell.status == "not_found"}
    assert lost == {(part, "partial page") for part in ("Qdrant Edge", "Qdrant server")}  # the page says why


def test_every_answer_comes_before_its_deadline(cells):
    assert {place: cell.seconds for place, cell in cells.items() if cell.seconds > 2 * AGENT_S} == {}


def test_no_cell_leaves_anything_behind(cells):
    assert {place: cell.left for place, cell in cells.items() if cell.left} == {}


def test_a_dead_server_costs_the_fourth_question_nothing(cells):
    later = {place: cell.next for place, cell in cells.items() if cell.next is not None}
    assert {part for part, _ in later} == set(SERVERS)
    assert set(later.values()) == {0.0}


def test_every_cell_is_tried_or_says_why_not(cells):
    assert cells.keys() | NOT.keys() == {(part, fault) for part in PARTS for fault in FAULTS}
    assert not cells.keys() & NOT.keys()


def test_the_page_is_what_the_run_gives(cells):
    assert PAGE.read_text(encoding="utf-8") == page(cells), "run: python -m tests.faults"
