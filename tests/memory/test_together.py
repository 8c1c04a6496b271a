from __future__ import annotations

from functools import partial

import anyio
import pytest

from memory.errors import ModelError, StoreError
from memory.together import together


async def test_all_run_at_the_same_time():
    met, first, second = [], anyio.Event(), anyio.Event()

    async def one(mine, other):
        mine.set()
        await other.wait()
        met.append(1)

    await together([partial(one, first, second), partial(one, second, first)])
    assert met == [1, 1]
    await together([])


async def test_the_first_error_of_ours_comes_out_as_it_is_and_ends_the_others():
    ended = []

    async def fails():
        raise ModelError("out of reach")

    async def waits():
        try:
            await anyio.sleep_forever()
        finally:
            ended.append(1)

    with pytest.raises(ModelError, match="out of reach"):
        await together([waits, partial(together, [fails])])
    assert ended == [1]


async def test_of_several_the_first_that_was_met():
    async def one(error):
        await anyio.lowlevel.checkpoint()
        raise error

    with pytest.raises(StoreError):
        await together([partial(one, StoreError("a")), partial(one, ModelError("b"))])


async def test_one_within_a_group():
    async def grouped():
        raise ExceptionGroup("", [ExceptionGroup("", [ModelError("deep")])])

    with pytest.raises(ModelError, match="deep"):
        await together([grouped])


async def test_what_is_not_ours_stays_in_its_group():
    async def breaks():
        raise ZeroDivisionError

    with pytest.raises(ExceptionGroup) as met:
        await together([breaks])
    assert met.group_contains(ZeroDivisionError)
