"""`Current` on virtual time: what is open follows the number, nobody's use is cut, and an idle one is let go of."""

from __future__ import annotations

from contextlib import asynccontextmanager

import anyio
import pytest

from memory.errors import DataFolderError, UnavailableError
from orchestrator.current import LONGEST, Current


class Folder:
    """A data folder whose generation is a number; remembers what was opened and closed."""

    def __init__(self):
        self.number, self.opened, self.closed, self.seconds = 1, [], [], 0.0
        self.failure = self.failure_at_close = None

    @asynccontextmanager
    async def open(self):
        await anyio.sleep(self.seconds)
        if self.failure is not None:
            raise self.failure
        self.opened.append(self.number)
        one = self.number
        try:
            yield one
            if self.failure_at_close is not None:
                raise self.failure_at_close
        finally:
            self.closed.append(one)


@pytest.fixture
def folder():
    return Folder()


@asynccontextmanager
async def current(folder, keep_open=600.0):
    async with anyio.create_task_group() as group:
        one = Current(lambda: folder.number, folder.open, group, keep_open=keep_open)
        yield one
        one.let_go()


async def used(one):
    async with one.use() as number:
        return number


async def test_opened_once_and_anew_when_another_is_published(folder):
    async with current(folder) as one:
        assert [await used(one), await used(one)] == [1, 1]
        folder.number = 2
        assert await used(one) == 2
        await anyio.wait_all_tasks_blocked()
        assert (folder.opened, folder.closed) == ([1, 2], [1])
    assert folder.closed == [1, 2]


async def test_a_use_under_way_keeps_its_own(folder):
    async with current(folder) as one, one.use() as first:
        folder.number = 2
        async with one.use() as second:
            await anyio.wait_all_tasks_blocked()
            assert (first, second, folder.closed) == (1, 2, [])


async def test_many_at_once_open_it_once(folder):
    folder.seconds = 1.0
    async with current(folder) as one, anyio.create_task_group() as group:
        for _ in range(5):
            group.start_soon(used, one)
    assert (folder.opened, folder.closed) == ([1], [1])


async def test_whoever_opened_it_may_leave(folder):
    async with current(folder) as one:
        with anyio.CancelScope() as scope:
            async with one.use():
                scope.cancel()
                await anyio.sleep(1)
        assert await used(one) == 1
        folder.number, folder.seconds = 2, 10.0
        with anyio.move_on_after(1):
            await used(one)
        assert await used(one) == 2
    assert (folder.opened, folder.closed) == ([1, 2], [1, 2])


async def test_let_go_of_after_a_while_without_use(folder):
    async with current(folder, keep_open=60) as one:
        await used(one)
        await anyio.sleep(59)
        await used(one)
        await anyio.sleep(59)
        assert folder.closed == []
        async with one.use():
            await anyio.sleep(600)
            assert folder.closed == []
        await anyio.sleep(61)
        assert folder.closed == [1]
        assert await used(one) == 1
    assert folder.opened == [1, 1]


async def test_what_opening_raises_is_the_callers_and_the_next_one_tries_again(folder):
    folder.failure = DataFolderError("There is no index.", "Index.")
    async with current(folder) as one:
        with pytest.raises(DataFolderError, match="no index"):
            await used(one)
        folder.failure = None
        assert await used(one) == 1


async def test_opening_takes_no_longer_than_a_minute(folder):
    folder.seconds = LONGEST + 1
    async with current(folder) as one:
        began = anyio.current_time()
        with pytest.raises(UnavailableError, match="in time"):
            await used(one)
        assert anyio.current_time() - began == LONGEST


async def test_what_closing_raises_ends_nobody_else(folder):
    folder.failure_at_close = OSError("gone")
    async with current(folder) as one:
        await used(one)
        folder.number, folder.failure_at_close = 2, OSError("gone as well")
        assert await used(one) == 2
    assert folder.closed == [1, 2]


async def test_a_lease_ends_once_and_in_any_task(folder):
    async with current(folder) as one:
        lease, other = await one.lease(), await one.lease()
        async with anyio.create_task_group() as group:
            group.start_soon(anyio.to_thread.run_sync, int)
            lease.end()
            lease.end()
        folder.number = 2
        assert await used(one) == 2
        await anyio.wait_all_tasks_blocked()
        assert folder.closed == []
        other.end()
        await anyio.wait_all_tasks_blocked()
        assert folder.closed == [1]


async def test_closing_waits_for_the_end_but_not_for_who_uses_it(folder):
    async with current(folder) as one:
        await one.close()
        await used(one)
        await one.close()
        assert folder.closed == [1]
        async with one.use():
            await one.close()
            assert folder.closed == [1]
        await anyio.wait_all_tasks_blocked()
        assert (folder.opened, folder.closed) == ([1, 1], [1, 1])
