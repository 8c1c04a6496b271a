"""Every part with every fault: somebody answers, in time, and nothing is left behind; and the page that says so is what the run gives."""

from __future__ import annotations

import pytest

from tests.faults import AGENT_S, FAULTS, NOT, PAGE, PARTS, SERVERS, matrix, page

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def found():
    return matrix()


@pytest.fixture
def cells(found):
    return found.cells


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


def test_who_asks_over_http_is_answered_as_well_and_as_soon(cells):
    worse = {
        place: (cell.served, cell.status, cell.seconds)
        for place, cell in cells.items()
        if cell.served[0] != f"200 {cell.status}" or cell.served[1] > cell.seconds + 0.1
    }
    assert worse == {}


def test_no_run_of_the_indexer_costs_an_answer_or_leaves_anything_behind(found):
    assert {place: run for place, run in found.runs.items() if not (run.answers and run.mended) or run.left} == {}


def test_a_run_is_indexed_refused_cancelled_or_killed(found):
    ends = {run.outcome.partition(":")[0] for run in found.runs.values()}
    assert ends == {"indexed", "refused", "cancelled", "killed"}


def test_the_page_is_what_the_run_gives(found):
    assert PAGE.read_text(encoding="utf-8") == page(found), "run: python -m tests.faults"
