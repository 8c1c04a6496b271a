from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import CancelledError

import anyio
import anyio.lowlevel
import pytest
from anyio.from_thread import start_blocking_portal

from facades.portal import OncePerLoop, _Work, wait_for
from memory.errors import InvalidInputError


def printed(program):
    done = subprocess.run(  # noqa: S603 - our own interpreter and text
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout


async def where():
    return threading.current_thread().name, asyncio.get_running_loop()


def test_calls_of_all_threads_share_one_loop():
    name, loop = wait_for(where, twin="where")
    assert name == "contracts portal"
    found = []
    other = threading.Thread(target=lambda: found.append(wait_for(where, twin="where")))
    other.start()
    other.join()
    assert found == [(name, loop)]


def test_what_a_call_raises_is_raised():
    async def fail():
        raise KeyError("x")

    with pytest.raises(KeyError, match="x"):
        wait_for(fail, twin="fail")


@pytest.mark.specification("002 §4 retrieve")
def test_a_call_that_would_end_the_process_does_not_end_the_next_one():
    async def leave():
        raise SystemExit(3)

    for _ in range(2):
        with pytest.raises(SystemExit):
            wait_for(leave, twin="leave")
        assert wait_for(where, twin="where")[0] == "contracts portal"


async def test_inside_a_running_loop_the_twin_is_named():
    with pytest.raises(InvalidInputError) as met:
        wait_for(where, twin="aquery")
    assert (met.value.message, met.value.hint) == (
        "This call would block the running event loop.",
        "Await aquery instead.",
    )


def test_the_process_ends_although_a_call_is_under_way():
    program = """
import threading, anyio
from facades.portal import wait_for
started = threading.Event()
async def forever():
    started.set()
    await anyio.sleep_forever()
threading.Thread(target=wait_for, args=(forever,), kwargs={"twin": "x"}, daemon=True).start()
started.wait()
print("end")
"""
    assert printed(program) == "end\n"


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="no such signals here")
def test_an_interrupted_wait_cancels_the_call():
    program = """
import signal, sys, threading, anyio, anyio.lowlevel
from facades.portal import wait_for
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
ended = threading.Event()
main = threading.main_thread().ident
async def forever():
    try:
        while sys._current_frames()[main].f_code.co_name != "wait":  # until it waits
            await anyio.lowlevel.checkpoint()
        signal.pthread_kill(main, signal.SIGINT)
        await anyio.sleep_forever()
    finally:
        ended.set()
try:
    wait_for(forever, twin="x")
except KeyboardInterrupt:
    print(ended.wait(20))
"""
    assert printed(program) == "True\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_process_has_a_loop_of_its_own():
    program = """
import os
from facades.portal import wait_for
async def number():
    return 7
wait_for(number, twin="x")
child = os.fork()
if child == 0:
    os._exit(wait_for(number, twin="x"))
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    assert printed(program) == "7\n"


async def test_work_that_was_given_up_before_it_began_does_not_begin():
    asked = []

    async def ask():
        asked.append(await anyio.lowlevel.checkpoint())

    work = _Work(ask)
    assert work.ended is False
    work.give_up()
    with pytest.raises(CancelledError):
        await work.run()
    assert (asked, work.ended) == ([], True)


async def test_work_that_is_given_up_ends_where_it_stands():
    began, met = anyio.Event(), []

    async def ask():
        began.set()
        await anyio.sleep_forever()

    work = _Work(ask)

    async def run():
        with pytest.raises(CancelledError):
            await work.run()
        met.append(work.ended)

    with anyio.fail_after(300):
        async with anyio.create_task_group() as group:
            group.start_soon(run)
            await began.wait()
            assert work.ended is False
            work.give_up()
    assert met == [True]


class Door:
    def __init__(self, failures=0):
        self.opened = 0
        self.failures = failures

    async def open(self):
        await anyio.lowlevel.checkpoint()
        self.opened += 1
        if self.opened <= self.failures:
            raise OSError("shut")
        return self.opened


async def test_it_is_opened_once_for_all_who_come_together():
    door = Door()
    once = OncePerLoop(door.open)
    found = []

    async def enter():
        found.append(await once())

    async with anyio.create_task_group() as group:
        for _ in range(3):
            group.start_soon(enter)
    assert (found, door.opened) == ([1, 1, 1], 1)


async def test_what_failed_is_tried_again():
    door = Door(failures=1)
    once = OncePerLoop(door.open)
    with pytest.raises(OSError, match="shut"):
        await once()
    assert [await once(), await once()] == [2, 2]


def test_another_loop_opens_anew():
    once = OncePerLoop(Door().open)

    async def twice():
        return [await once(), await once()]

    assert [asyncio.run(twice()), asyncio.run(twice())] == [[1, 1], [2, 2]]


def test_loops_that_ask_at_the_same_time_wait_for_their_own_opening_alone():
    door = Door()
    once = OncePerLoop(door.open)
    with start_blocking_portal() as one, start_blocking_portal() as two:
        assert [one.call(once), two.call(once), one.call(once), two.call(once)] == [1, 2, 1, 2]
        assert door.opened == 2
        assert one.call(forgotten, once) == 1
        assert [one.call(once), two.call(once)] == [3, 2]
    asyncio.run(forgotten(once))
    asyncio.run(asked(once))  # the loops of both are closed
    assert door.opened == 4


async def asked(once):
    return await once()


async def forgotten(once):
    return once.forget()
