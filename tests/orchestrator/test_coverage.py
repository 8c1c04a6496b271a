"""Status and what is missing, from outcomes alone (docs/design.md#status)."""

from __future__ import annotations

import pytest

from memory.query import PathRole
from orchestrator.analysis import classify_query
from orchestrator.coverage import Coverage
from orchestrator.running import AgentOutcome

MUST, MAY = PathRole.MUST, PathRole.MAY
SIMILARITY = classify_query("Find code similar to this")  # plans vector alone


def covered(**ends):
    return Coverage.of([AgentOutcome(name, role, status) for name, (role, status) in ends.items()], SIMILARITY)


@pytest.mark.parametrize(
    ("vector", "graph", "status", "complete", "all_failed"),
    [
        ("ok", "ok", "answered", True, False),
        ("ok", "error", "answered", False, False),
        ("ok", "skipped", "answered", True, False),
        ("timeout", "ok", "partial", False, True),
        ("empty", "error", "answered", False, False),
        ("skipped", "error", "answered", False, True),
    ],
)
def test_status(vector, graph, status, complete, all_failed):
    coverage = covered(graph=(MAY, graph), vector=(MUST, vector))
    assert (coverage.status(found=True), coverage.complete, coverage.all_failed) == (status, complete, all_failed)
    assert coverage.status(found=False) == "not_found"


def test_missing_says_what_and_why():
    outcomes = [AgentOutcome("vector", MUST, "timeout", 3), AgentOutcome("wiki", MAY, "error")]
    assert Coverage.of(outcomes, SIMILARITY).missing == (
        "what a search through all projects' files would find (vector was not there in time), but for what it had reported before",
        "what wiki knows (wiki failed)",
    )


def test_vectors_that_are_still_to_come_are_told_and_make_nothing_partial():
    coverage = Coverage.of([AgentOutcome("vector", MUST, "ok", 3)], SIMILARITY, embedded=0.256)
    assert coverage.missing == ("what only its meaning tells of the text that waits for its vectors (26% has them)",)
    assert (coverage.status(found=True), coverage.complete, coverage.to_dict()["embedded"]) == ("answered", True, 0.256)
