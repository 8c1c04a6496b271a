"""What goes wrong in a scenario, or would: agents that are late, fail, or return garbage."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import anyio

from memory.errors import InvalidInputError, StoreError

if TYPE_CHECKING:
    from agents.ports import Publish
    from memory.entities import Scope
    from memory.query import TaskContext

__all__ = ["AGENTS", "Faults", "read_seconds"]

AGENTS: Final = ("local", "graph", "vector")
_DURATION: Final = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|m)")
_UNITS: Final = {"ms": 0.001, "s": 1.0, "m": 60.0}
_GARBAGE: Final = "this is no observation"


def read_seconds(text: object) -> float:
    """The seconds of `2s`, `300ms` or `1m`. Raises InvalidInputError."""
    found = _DURATION.fullmatch(str(text).strip())
    if found is None:
        raise InvalidInputError(f"{text!r} is no time.", "Write 300ms, 2s or 1m.")
    return float(found[1]) * _UNITS[found[2]]


@dataclass(frozen=True, slots=True)
class Faults:
    """By agent: seconds it is late, what it fails with; and which return garbage."""

    delay: Mapping[str, float] = field(default_factory=dict)
    fail: Mapping[str, str] = field(default_factory=dict)
    garbage: frozenset[str] = frozenset()

    def __or__(self, other: Faults) -> Faults:
        """Both; where they say different things of one agent, the other's."""
        return Faults({**self.delay, **other.delay}, {**self.fail, **other.fail}, self.garbage | other.garbage)

    def __bool__(self) -> bool:
        return bool(self.delay or self.fail or self.garbage)

    def around(self, name: str, agent: Any) -> Any:
        """The agent as it behaves with these faults; itself where none concerns it."""
        if not (name in self.delay or name in self.fail or name in self.garbage):
            return agent
        seconds, error = self.delay.get(name, 0.0), None
        if name in self.fail:
            error = StoreError(self.fail[name] or f"{name} was made to fail.")
        shape = _Publishing if hasattr(agent, "publish_into") else _Searching
        return shape(agent, seconds, error, returns_garbage=name in self.garbage)


class _Searching:
    """An agent with `retrieve` alone, and what comes before it."""

    def __init__(self, agent: Any, seconds: float, error: Exception | None, *, returns_garbage: bool) -> None:
        self._agent = agent
        self._seconds = seconds
        self._error = error
        self._returns_garbage = returns_garbage

    async def retrieve(self, query: str, context: TaskContext, scope: Scope | None = None) -> Any:
        await self._suffer()
        if self._returns_garbage:
            return [_GARBAGE]
        return await self._agent.retrieve(query, context, *([scope] if scope is not None else []))

    async def _suffer(self) -> None:
        await anyio.sleep(self._seconds)
        if self._error is not None:
            raise self._error


class _Publishing(_Searching):
    """An agent that reports as it goes, and its scope first."""

    async def publish_into(self, query: str, context: TaskContext, publish: Publish) -> None:
        await self._suffer()
        if self._returns_garbage:
            garbage: Any = _GARBAGE
            await publish(garbage)
        await self._agent.publish_into(query, context, publish)

    async def find_scope(self, entities: Sequence[str], context: TaskContext | None = None) -> Scope:
        await self._suffer()
        found: Scope = await self._agent.find_scope(entities, context)
        return found
