"""The soak runs; whether it holds is judged where it is run for hours."""

from __future__ import annotations

import os

import anyio
import anyio.lowlevel
import pytest

from benchmarks import soak as bench


class Server:
    """Names the projects of its edition, and with `mixes` those of the last one too."""

    process = os.getpid()

    def __init__(self, *, mixes=False):
        self.edition, self.mixes = 0, mixes

    async def renew(self, edition):
        self.edition = edition

    async def ask(self, question):
        await anyio.lowlevel.checkpoint()
        named = [self.edition, self.edition - 1][: 2 if self.mixes and self.edition else 1]
        return "answered", " ".join(f"project00{at}-e{edition}/README.md" for at, edition in enumerate(named))


async def soaked(server, count=60):
    questions = [str(number) for number in range(count)]
    with anyio.fail_after(300):
        return await bench.soak(server, questions, server.renew, every=0.0, callers=3)


@pytest.fixture
def anyio_backend():
    return "asyncio"


async def test_every_question_is_asked_and_the_index_renewed_meanwhile():
    seen = await soaked(Server())
    assert seen.outcomes == {"answered": 60}
    assert seen.renewals > 1
    assert len(seen.editions) > 1
    assert seen.mixed == []
    assert len(seen.memory) == len(seen.descriptors) > 40


async def test_an_answer_of_two_editions_is_found():
    seen = await soaked(Server(mixes=True))
    assert len(seen.mixed) > 40


def test_flat_is_the_last_tenth_beside_the_first():
    assert bench.flat([100.0, 102.0, *[500.0] * 16, 202.0, 202.0]) == 2.0
    assert bench.flat([10.0] * 20) == 1.0


def test_editions_are_read_from_names():
    assert bench.editions_in("project003-e12/a.py:1-2, project004-e12 and project004-e2") == {"12", "2"}
