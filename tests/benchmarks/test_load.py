"""The benchmark of load runs; what it measures is judged where it is run for it."""

from __future__ import annotations

import os
import time
from itertools import count
from pathlib import Path

import anyio
import pytest

from benchmarks import load as bench
from benchmarks.indexed_questions import Named, questions_about
from benchmarks.load_doors import DOORS
from benchmarks.processes import descriptors, processor_s, resident_mb

NAMED = Named(
    [f"Name{number}" for number in range(40)],
    [("billing", f"file{number}.py") for number in range(9)],
    [("orders", f"Heading {number}") for number in range(9)],
)


@pytest.fixture
def anyio_backend():
    return "asyncio"


class Busy:
    """Takes two at once and refuses the rest; remembers how many it has."""

    process = os.getpid()

    def __init__(self):
        self.now = 0

    async def ask(self, question):
        if self.now == 2:
            return "refused", "Too many questions at once."
        self.now += 1
        try:
            await anyio.sleep(0.001)
        finally:
            self.now -= 1
        return "answered", ""


def test_questions_are_distinct_and_the_same_every_time():
    questions = questions_about(NAMED, 500)
    assert len(set(questions)) == 500
    assert questions == questions_about(NAMED, 500)
    assert questions != questions_about(NAMED, 500, seed=2)


def test_an_index_that_names_too_little_is_refused():
    with pytest.raises(ValueError, match="Only 10 different questions"):
        questions_about(Named(["a"], [("b", "b.py")], [("c", "C")]), 50)


async def test_a_refusal_is_counted_apart_from_the_answers():
    done = await bench.load(Busy(), map(str, count()), callers=3, seconds=0.02)
    assert done.outcomes["answered"] == len(done.latencies) > 2
    assert done.outcomes["refused"] == 1
    assert done.said == {"Too many questions at once.": 1}


async def test_who_left_is_not_waited_for():
    door = Busy()
    left = await bench.cancelled(door, map(str, count()), callers=2)
    assert (left["next_s"] < 0.5, door.now) == (True, 0)


def test_what_a_process_holds():
    with Path(os.devnull).open("rb"):
        more = descriptors(os.getpid())
    assert more == descriptors(os.getpid()) + 1
    assert resident_mb(os.getpid()) > 10
    assert processor_s(os.getpid()) <= time.process_time() + 0.02
    assert set(DOORS) == {"python", "stdio", "http", "http-2"}
