"""Several processes at one address: who serves, who follows, and how all of them end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest

from interfaces.mcp.connections import listen
from interfaces.mcp.workers import serve_with_workers

ROOT = Path(__file__).parents[3]
NUMBER_OF_ITSELF = """
import os, socket, sys
from interfaces.mcp.workers import given_by_parent, handed_over, say_up
channel, told = socket.socket(fileno=int(sys.argv[-1])), given_by_parent()
channel.settimeout(0.05)
while True:
    say_up(channel)
    try:
        callers = handed_over(channel)
    except TimeoutError:
        continue
    for caller in callers:
        caller.sendall(str(os.getpid()).encode())
        caller.close()
"""
SAYS_WHAT_IT_IS_TOLD = NUMBER_OF_ITSELF.replace("str(os.getpid()).encode()", "told")
THE_FIRST_ENDS = f"""
import os, sys
try:
    os.close(os.open(sys.argv[1], os.O_CREAT | os.O_EXCL))
except FileExistsError:
    pass
else:
    sys.exit(2)
{NUMBER_OF_ITSELF}
"""
THE_FIRST_HANGS = THE_FIRST_ENDS.replace(
    "sys.exit(2)",
    """import signal, socket
    from interfaces.mcp.workers import say_up
    kept = socket.socket(fileno=int(sys.argv[-1]))
    say_up(kept)
    signal.pause()""",
)
ENDS_WITH_PARENT = "import anyio; from interfaces.mcp.workers import end_with_parent; anyio.run(end_with_parent)"
pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


@pytest.fixture
def anyio_backend():
    return "asyncio"


async def test_each_serves_and_one_that_ended_is_followed_by_another():
    with listen("127.0.0.1", 0) as listener, anyio.fail_after(300):
        async with anyio.create_task_group() as group:
            group.start_soon(_serve, listener)
            seen = set()
            while len(seen) < 2:
                seen.add(await _answering(listener))
            os.kill(min(seen), signal.SIGKILL)
            while len(seen) < 3:
                try:
                    seen.add(await _answering(listener))
                except (OSError, anyio.EndOfStream):  # it was in the killed one's hands
                    continue
            os.kill(os.getpid(), signal.SIGTERM)
    for process in seen:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)


async def _answering(listener):
    """The process that answers a call."""
    async with await anyio.connect_tcp(*listener.getsockname()) as stream:
        return int(await stream.receive())


async def _serve(listener, program=NUMBER_OF_ITSELF, *arguments, **named):
    command = [sys.executable, "-c", program, *arguments]
    await serve_with_workers(command, listener, 2, 20_000, **{"pause": 0.0, **named})


async def test_connections_are_given_to_each_in_turn():
    with listen("127.0.0.1", 0) as listener, anyio.fail_after(300):
        async with anyio.create_task_group() as group:
            group.start_soon(_serve, listener)
            while await _answering(listener) == (last := await _answering(listener)):
                continue  # the other is not up
            answers = [await _answering(listener) for _ in range(6)]
            os.kill(os.getpid(), signal.SIGTERM)
    assert last not in answers[::2]
    assert set(answers[1::2]) == {last}


async def _both(listener):
    """The processes, once both are up."""
    seen = set()
    while len(seen) < 2:
        seen.add(await _answering(listener))
    return seen


async def test_nobody_is_lost_while_all_are_busy():
    with listen("127.0.0.1", 0) as listener, anyio.fail_after(300):
        async with anyio.create_task_group() as group:
            group.start_soon(_serve, listener)
            answers = []

            async def ask():
                answers.append(await _answering(listener))

            workers = await _both(listener)
            for worker in workers:
                os.kill(worker, signal.SIGSTOP)
            async with anyio.create_task_group() as callers:
                for _ in range(100):
                    callers.start_soon(ask)
                await anyio.wait_all_tasks_blocked()
                assert answers == []
                for worker in workers:
                    os.kill(worker, signal.SIGCONT)
            os.kill(os.getpid(), signal.SIGTERM)
    assert len(answers) == 100
    assert set(answers) == workers


async def test_who_is_stopped_is_passed_over_and_a_second_signal_does_not_wait():
    with listen("127.0.0.1", 0) as listener, anyio.fail_after(300):
        async with anyio.create_task_group() as group:
            group.start_soon(_serve, listener)
            stopped, other = await _both(listener)
            os.kill(stopped, signal.SIGSTOP)
            answers = []

            async def ask():
                with suppress(anyio.EndOfStream, OSError, ValueError):  # a few are given to it before it is known
                    answers.append(await _answering(listener))

            async with anyio.create_task_group() as callers:
                for _ in range(100):
                    callers.start_soon(ask)
                while len(answers) < 50:  # no more than a few wait with the one that is stopped
                    await anyio.lowlevel.checkpoint()
                assert set(answers) == {other}
                os.kill(os.getpid(), signal.SIGTERM)
                await anyio.wait_all_tasks_blocked()
                os.kill(os.getpid(), signal.SIGTERM)
    with pytest.raises(ProcessLookupError):
        os.kill(stopped, 0)


async def test_one_that_hangs_is_killed_and_followed_by_another(tmp_path):
    with listen("127.0.0.1", 0) as listener, anyio.fail_after(300):
        async with anyio.create_task_group() as group:
            first = str(tmp_path / "first")
            group.start_soon(partial(_serve, listener, THE_FIRST_HANGS, first, silent=0.5, hung=1.0))
            seen = set()
            while len(seen) < 2:
                with suppress(anyio.EndOfStream, OSError, ValueError):  # it was in the hands of the one that hangs
                    seen.add(await _answering(listener))
            os.kill(os.getpid(), signal.SIGTERM)


async def test_one_that_hangs_gets_nothing_until_it_goes_on():
    with listen("127.0.0.1", 0) as listener, anyio.fail_after(300):
        async with anyio.create_task_group() as group:
            group.start_soon(partial(_serve, listener, silent=0.5, hung=300))
            stopped, other = await _both(listener)
            os.kill(stopped, signal.SIGSTOP)
            answers = []

            async def ask():
                answers.append(await _answering(listener))

            async with anyio.create_task_group() as callers:
                for _ in range(40):
                    callers.start_soon(ask)
                while answers[-20:] != [other] * 20:
                    await anyio.lowlevel.checkpoint()
                os.kill(stopped, signal.SIGCONT)
            while await _answering(listener) != stopped:
                continue
            os.kill(os.getpid(), signal.SIGTERM)
    assert len(answers) == 40


async def test_one_that_cannot_be_started_ends_nobody():
    with listen("127.0.0.1", 0) as listener, anyio.fail_after(300):
        async with anyio.create_task_group() as group:
            group.start_soon(serve_with_workers, ["/nowhere/python"], listener, 2, 0)
            await anyio.wait_all_tasks_blocked()
            os.kill(os.getpid(), signal.SIGTERM)


async def test_each_is_told_the_same():
    with listen("127.0.0.1", 0) as listener, anyio.fail_after(300):
        async with anyio.create_task_group() as group:
            group.start_soon(partial(_serve, listener, SAYS_WHAT_IT_IS_TOLD, given=b"17"))
            answers = [await _answering(listener) for _ in range(8)]
            os.kill(os.getpid(), signal.SIGTERM)
    assert answers == [17] * 8


async def test_nobody_waits_for_one_that_does_not_come_up(tmp_path):
    with listen("127.0.0.1", 0) as listener, anyio.fail_after(300):
        async with anyio.create_task_group() as group:
            group.start_soon(partial(_serve, listener, THE_FIRST_ENDS, str(tmp_path / "first"), pause=300))
            answers = [await _answering(listener) for _ in range(20)]
            os.kill(os.getpid(), signal.SIGTERM)
    assert len(set(answers)) == 1


def test_a_worker_ends_when_the_process_that_started_it_is_gone():
    command = [sys.executable, "-c", ENDS_WITH_PARENT]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE) as worker:  # noqa: S603 - our own
        worker.stdin.close()
        assert worker.wait(60) == -signal.SIGTERM
