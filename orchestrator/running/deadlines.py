"""How long a run waits, and for whom (docs/design.md#must-and-may); how much it takes from one agent; and who keeps the
event loop meanwhile, whose time is not counted against the others.

A task group waits for its children, whatever they do with their cancellation. So a call that may shield itself from it,
or swallow it, is none of a group's children: it is a task of its own, which is given up when it does not stop in time.
Nothing can interrupt an agent that works without awaiting. While it does, nobody else gets a turn, and time passes for
all of them (docs/decisions/0043-agents-that-do-not-stop.md).
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Coroutine, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import anyio

from memory.attempt import LATE, Attempt, attempt
from orchestrator.logbook import log_warning

if TYPE_CHECKING:
    from collections.abc import Iterable
    from contextlib import AbstractContextManager

    from configs import HybridRetrievalConfig


_TAKEN: Final = 2
"""Times as many as are shown of an agent are taken from it: copies become one, and so do hits in one file."""

NEVER_STOPPED: Final = f"{LATE}, nor stop when it was cancelled"
BLOCKED: Final = f"{LATE}, and blocked the event loop meanwhile"
STOPS_WITHIN: Final = 0.05
"""Seconds a call gets to clean up after its cancellation."""
ENDS_WITHIN: Final = 1.0
"""Seconds that closing waits for what had not stopped."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds: an agent's own, the whole run's, and what a may gets after the last must has ended. observations: how
    many are taken from one agent.
    """

    agent: float = 5.0
    total: float = 10.0
    grace: float = 0.5
    observations: int = 50

    @classmethod
    def of(cls, config: HybridRetrievalConfig) -> Limits:
        """Those of the settings."""
        return cls(
            config.agent_timeout_ms / 1000,
            config.total_timeout_ms / 1000,
            config.may_grace_ms / 1000,
            _TAKEN * config.max_observations_per_agent,
        )

    @property
    def scope(self) -> float:
        """At most so long a search waits for the scope, outside its own clock."""
        return self.agent / 2


class GracePeriod:
    """Cuts the mays off `grace` seconds after the last must has ended, but not while nothing has been found.

    Without a must, or with `grace=None`, everybody is waited for until their own deadlines.
    """

    def __init__(self, musts: Iterable[str], grace: float | None) -> None:
        self._waiting = set(musts)
        self._grace = grace if self._waiting else None
        self._running: dict[str, anyio.CancelScope] = {}
        self._found = False
        self._cut: set[str] = set()

    def join(self, agent: str, cut: anyio.CancelScope) -> None:
        """An agent has started; `cut` ends it."""
        self._running[agent] = cut
        self._consider()

    def found(self) -> None:
        """Something has been published."""
        if not self._found:
            self._found = True
            self._consider()

    def ended(self, agent: str) -> None:
        """An agent has ended in any way."""
        self._running.pop(agent, None)
        if agent in self._waiting:
            self._waiting.remove(agent)
            self._consider()

    def was_cut(self, agent: str) -> bool:
        """Whether this may was not waited for."""
        return agent in self._cut

    def _consider(self) -> None:
        if self._grace is None or self._waiting or not self._found:
            return
        until = anyio.current_time() + self._grace
        for agent, cut in self._running.items():  # mays all, since no must is waited for
            if until < cut.deadline:
                cut.deadline = until
                self._cut.add(agent)


class Strays:
    """The calls that were given up and still run, of any number of runs; `close` ends them."""

    def __init__(self) -> None:
        self._tasks: dict[asyncio.Task[Attempt], str] = {}

    def __len__(self) -> int:
        return len(self._tasks)

    def add(self, task: asyncio.Task[Attempt], name: str) -> None:
        """Keep track of a task that was cancelled and runs on; the event loop's own end does not wait for it."""
        self._tasks[task] = name
        task.add_done_callback(lambda ended: self._tasks.pop(ended, None))
        asyncio._unregister_task(task)  # noqa: SLF001 - documented for who schedules tasks: asyncio.run waits for the others
        log_warning("a call did not stop when its time was over", call=name)

    async def close(self) -> None:
        """Cancel once more what runs on, and wait for it a second; what even then does not end is logged and left."""
        loop = asyncio.get_running_loop()
        tasks = [task for task in self._tasks if task.get_loop() is loop]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=ENDS_WITHIN)
        for task in tasks:
            if not task.done():
                log_warning("a call still runs at the end", call=self._tasks[task])


class Leash:
    """Makes the calls into one agent of one run. strays: where a call is given up to that does not stop; turns: those
    of all the run's agents; `late`: why this one is late where it is.
    """

    def __init__(self, name: str, strays: Strays, turns: Turns | None = None) -> None:
        self._name = name
        self._strays = strays
        self._turns = turns or Turns()
        self.late = LATE

    def put_off(self, end: anyio.CancelScope) -> AbstractContextManager[None]:
        """Meanwhile a scope ends later by what other agents keep the event loop for."""
        return self._turns.put_off(self._name, end)

    async def attempt(self, call: Callable[[], Any], deadline: float = math.inf) -> Attempt:
        """`attempt` that ends `STOPS_WITHIN` seconds after the deadline, or after its caller was cancelled, at
        the latest. The call is cancelled by its task and once, which a shield of anyio's does not keep off.
        """
        with anyio.CancelScope(deadline=deadline) as end, self.put_off(end):
            steps = Steps(attempt(call), end, partial(self._turns.keeps, self._name))
            task = asyncio.create_task(_taken(steps), name=self._name)
            try:
                await asyncio.wait([task])
            finally:
                late = not task.done()
                if steps.blocked:
                    self.late = BLOCKED
                if late:
                    await self._stop(task)
        if not task.done():
            return Attempt("timeout", reason=NEVER_STOPPED)
        if task.cancelled():
            return Attempt("timeout", reason=self.late)
        done: Attempt = task.result()
        if steps.blocked:
            return replace(done, status="timeout", reason=BLOCKED)
        return replace(done, status="timeout") if late and done.status == "error" else done

    async def _stop(self, task: asyncio.Task[Attempt]) -> None:
        task.cancel()
        try:
            with anyio.CancelScope(shield=True):
                await asyncio.wait([task], timeout=STOPS_WITHIN)
        finally:
            if not task.done():
                self.late = NEVER_STOPPED
                self._strays.add(task, self._name)


async def _taken(steps: Steps) -> Attempt:
    return await steps


NOTICED: Final = 0.1
"""Seconds: a turn that takes less is one like any other."""


class Turns:
    """Those of one run's agents, on one event loop. `kept`: the seconds that any of them kept it for."""

    def __init__(self) -> None:
        self.kept = 0.0
        self._ends: list[tuple[str, anyio.CancelScope]] = []

    @contextmanager
    def put_off(self, agent: str, end: anyio.CancelScope) -> Iterator[None]:
        """Meanwhile a scope of the agent's ends later by what the others keep the loop for."""
        running = agent, end
        self._ends.append(running)
        try:
            yield
        finally:
            self._ends.remove(running)

    def keeps(self, agent: str, seconds: float) -> None:
        """An agent has kept the loop for so long."""
        self.kept += seconds
        for other, end in self._ends:
            if other != agent:
                end.deadline += seconds


class Steps(Generator[Any, None, Attempt]):
    """A call's steps, each of them timed: to be awaited in its place.

    keeps: told of each that took long and began before `end`, so that who is late already gives no time away.
    `blocked`: one of those went on beyond it.
    """

    def __init__(
        self, call: Coroutine[Any, Any, Attempt], end: anyio.CancelScope, keeps: Callable[[float], None]
    ) -> None:
        self._call = call
        self._end = end
        self._keeps = keeps
        self._time = asyncio.get_running_loop().time
        self.blocked = False

    def __await__(self) -> Generator[Any, None, Attempt]:
        return self

    def send(self, value: None) -> Any:
        return self._timed(self._call.send, value)

    def throw(self, *error: Any) -> Any:
        return self._timed(self._call.throw, *error)

    def _timed(self, step: Callable[..., Any], *given: Any) -> Any:
        begun = self._time()
        try:
            return step(*given)
        finally:
            ended = self._time()
            if ended - begun >= NOTICED and begun < self._end.deadline:
                self.blocked = self.blocked or ended > self._end.deadline
                self._keeps(ended - begun)
