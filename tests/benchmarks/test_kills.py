"""What the benchmark of killed runs compares and counts; it kills by hand, on a cluster that takes minutes."""

from __future__ import annotations

import os
import signal
import sys

import pytest

from benchmarks.kills import Asked, Kill, document, killed, page


@pytest.fixture
def anyio_backend():
    return "asyncio"  # a process ends in real time


async def test_a_run_is_killed_at_its_moment_and_no_more_where_it_has_ended():
    async def kill(process):
        os.kill(process, signal.SIGKILL)

    assert await killed([sys.executable, "-c", "input()"], kill, 0.0) == -signal.SIGKILL
    assert await killed([sys.executable, "-c", ""], kill, 300.0) == 0


def test_it_holds_where_every_run_ended_equal_and_no_question_failed():
    asked, kills = (
        Asked(),
        [Kill("worker", 3.0, 0, again=False, differs=[]), Kill("driver", 5.0, -9, again=True, differs=[])],
    )
    asked.add("what", "answered", "project001-e3 project002-e3")
    asked.add("what", "partial", "project001-e3")
    found = document(kills, asked, 10.0, left=0)
    assert (found["holds"], found["done_again"], found["questions"]) == (True, 1, 2)
    assert page(found).startswith("what=worker after_s=3.0 exit=0 again=False differs=[]\n")
    assert not document(kills, asked, 10.0, left=1)["holds"]
    assert not document([Kill("node", 1.0, 0, again=False, differs=["points"])], asked, 10.0, left=0)["holds"]
    asked.add("why", "answered", "project001-e3 project002-e4")
    assert asked.mixed == ["why"]
    assert not document(kills, asked, 10.0, left=0)["holds"]
    other = Asked()
    other.add("why", "failed", "late")
    assert not document(kills, other, 10.0, left=0)["holds"]
