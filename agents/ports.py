"""What the orchestrator asks of an agent: 001 §7.1's methods, and `publish_into` for one that reports as it goes.

Anybody's object with these methods will do; nothing has to be inherited. Its ratings are taken for its order alone,
which is that of what it returns or publishes, unless its attribute `comparable_ratings` is true: then they are
confidences on the scale of this package's agents.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from memory.entities import Scope
from memory.observations import Observation
from memory.query import TaskContext


class RetrievalAgent(Protocol):
    """The least an agent has."""

    async def retrieve(self, query: str, context: TaskContext) -> Sequence[Observation]:
        """What it finds, best first."""
        ...


class ScopedAgent(Protocol):
    """An agent whose search the graph's scope may steer."""

    async def retrieve(self, query: str, context: TaskContext, scope: Scope | None = None) -> Sequence[Observation]:
        """What it finds within the scope, if there is one."""
        ...


@runtime_checkable
class GraphAgent(Protocol):
    """An agent that also says which projects matter."""

    async def retrieve(self, query: str, context: TaskContext) -> Sequence[Observation]:
        """Entities, relations and paths."""
        ...

    async def find_scope(self, entities: Sequence[str], context: TaskContext | None = None) -> Scope:
        """The projects of these entities, ranked, with confidence and reason."""
        ...


class Publish(Protocol):
    """Where an agent reports while it works: call it with each observation, and `scope` with the scope."""

    async def __call__(self, observation: Observation, /) -> None:
        """Report one observation; counts even if the agent is cut off later."""
        ...

    def scope(self, scope: Scope, /) -> None:
        """Report the scope; the vector agent may be waiting for it."""
        ...


@runtime_checkable
class PublishingAgent(Protocol):
    """An agent that reports as it goes instead of returning a list at the end."""

    async def publish_into(self, query: str, context: TaskContext, publish: Publish) -> None:
        """Do what `retrieve` does, reporting each observation when it is found."""
        ...
