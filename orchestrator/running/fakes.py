"""Agents that behave as configured, for tests, replays and everybody who tries out what a failing agent does."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import anyio

from memory.entities import Scope
from memory.observations import VectorObservation

if TYPE_CHECKING:
    from agents.ports import Publish
    from memory.query import TaskContext


def found(text: str, project: str = "billing", confidence: float = 0.8) -> VectorObservation:
    """An observation of a file that says `text`."""
    return VectorObservation(
        text, f"{text.split(maxsplit=1)[0].lower()}.md", project, confidence, None, "documentation"
    )


@dataclass
class FakeAgent:
    """Returns `returns` after `seconds` (`inf`: never), or raises `error`. Keeps what it was asked, and whether it
    ended.

    `returns` may be garbage: the run is to refuse it.
    """

    returns: Any = ()
    seconds: float = 0.0
    error: BaseException | None = None
    asked: list[tuple[str, TaskContext]] = field(default_factory=list)
    scopes: list[Scope | None] = field(default_factory=list)
    ended: bool = False

    async def retrieve(self, query: str, context: TaskContext, scope: Scope | None = None) -> Any:
        """Returns the configured value."""
        self.asked.append((query, context))
        self.scopes.append(scope)
        return await self._act()

    async def _act(self) -> Any:
        try:
            await anyio.sleep(self.seconds)
            if self.error is not None:
                raise self.error
            return self.returns
        finally:
            self.ended = True


@dataclass
class FakeGraphAgent(FakeAgent):
    """Also says which projects matter: `scope` after `scope_seconds`, or raises `scope_error`."""

    scope: Any = None
    scope_seconds: float = 0.0
    scope_error: BaseException | None = None
    entities: list[str] = field(default_factory=list)

    async def find_scope(self, entities: Sequence[str], context: TaskContext | None = None) -> Any:  # noqa: ARG002 - the port's signature
        """Returns the configured value."""
        self.entities = list(entities)
        await anyio.sleep(self.scope_seconds)
        if self.scope_error is not None:
            raise self.scope_error
        return self.scope


@dataclass
class FakePublishingAgent(FakeAgent):
    """Reports `returns` one by one and the scope first, then takes `seconds`, or raises."""

    scope: Any = None

    async def publish_into(self, query: str, context: TaskContext, publish: Publish) -> None:
        """Returns the configured value."""
        self.asked.append((query, context))
        if self.scope is not None:
            publish.scope(self.scope)
        for observation in self.returns:
            await publish(observation)
        await self._act()


@dataclass
class FakeStubbornAgent(FakeAgent):
    """Goes on when it is cancelled, `swallows` times; `cancelled` counts how often it was."""

    swallows: float = math.inf
    cancelled: int = 0

    async def _act(self) -> Any:
        while True:
            try:
                return await super()._act()
            except asyncio.CancelledError:
                self.cancelled += 1
                if self.cancelled > self.swallows:
                    raise
                self.ended = False
