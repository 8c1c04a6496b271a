"""Who keeps the event loop: what one agent takes of it at a stretch is not counted against the others.

Nothing can interrupt an agent that works without awaiting. While it does, nobody else gets a turn, and time passes for
all of them (docs/decisions/0043-agents-that-do-not-stop.md).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Generator, Iterator
from contextlib import contextmanager
from typing import Any, Final

import anyio

from memory.attempt import Attempt

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
