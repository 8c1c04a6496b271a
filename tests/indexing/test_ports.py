"""Who reads and embeds stays from run to run while that is asked for, and begins anew with other rules."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from configs import IndexingSettings
from indexing.ports import Hands, IndexingParts
from memory.embedders import Bm25Sparse, FakeSource
from tests.organisation import PreparedStores


class Started:
    """Counts what was started, and what has ended since."""

    def __init__(self):
        self.started = self.ended = 0

    @asynccontextmanager
    async def __call__(self, _settings):
        self.started += 1
        number = self.started
        yield number
        self.ended += 1


@pytest.fixture
def started():
    return Started()


@pytest.fixture
def hands(started):
    parts = IndexingParts(PreparedStores(), FakeSource(), Bm25Sparse())
    return Hands(replace(parts, readers=started, workers=started), IndexingSettings())


async def run(hands, recipe="one"):
    async with hands.of_run(recipe) as both:
        return both


async def test_each_run_has_its_own(hands, started):
    assert [await run(hands), await run(hands)] == [(1, 2), (3, 4)]
    assert started.ended == 4


async def test_while_they_stay_the_next_run_finds_them(hands, started):
    async with hands.staying():
        assert [await run(hands), await run(hands)] == [(1, 2), (1, 2)]
        assert started.ended == 0
    assert started.ended == 2
    assert await run(hands) == (3, 4)


async def test_with_other_rules_they_begin_anew(hands, started):
    async with hands.staying():
        assert [await run(hands), await run(hands, "two"), await run(hands, "two")] == [(1, 2), (3, 4), (3, 4)]
        assert started.ended == 2
    assert started.ended == 4
