"""What the benchmark of following servers counts; the run itself is made by hand."""

from __future__ import annotations

import os
from collections import Counter
from itertools import count

import anyio
import anyio.lowlevel
import pytest

from benchmarks.follow import Follower, asked_until, document


class Server:
    """Names a project of its edition, and some times another's too, or fails."""

    process = os.getpid()

    def __init__(self, *answers):
        self.answers = list(answers)

    async def ask(self, question):
        await anyio.lowlevel.checkpoint()
        said = self.answers.pop(0)
        return ("failed" if said == "late" else "answered"), said


@pytest.fixture
def anyio_backend():
    return "asyncio"


async def test_answers_are_counted_with_when_an_edition_was_first_seen():
    follower, clock = Follower(), count(100).__next__
    server = Server("project001-e0", "project001-e0", "project001-e1", "late", "project001-e1 project002-e2")
    await asked_until(lambda: not server.answers, server, ["one", "two"], follower, 1, clock)
    assert follower.outcomes == {"answered": 4, "failed": 1}
    assert follower.failures == {"late": 1}
    assert follower.mixed == ["one"]
    assert follower.seen.keys() == {0, 1, 2}
    assert follower.seen[0] == 100
    assert len(follower.memory) == 4


def test_it_holds_where_nothing_failed_or_mixed_and_two_generations_were_seen():
    one = Follower(Counter(answered=3), seen={0: 5.0, 1: 12.0, 2: 21.5}, memory=[1.0] * 10)
    found = document([one, Follower()], {0: 1.0, 1: 10.0, 2: 20.0, 3: 30.0}, 60.0)
    assert found["seconds_to_seen"] == [1.8, 2.0]  # what it began with is none that it followed
    assert (found["holds"], found["memory_mb"]) == (True, [[1.0, 1.0]])
    one.mixed.append("a question")
    assert not document([one], {0: 1.0, 1: 10.0, 2: 20.0}, 60.0)["holds"]
    assert not document([Follower()], {0: 1.0}, 60.0)["holds"]
