"""What `stream()` yields while a question is answered, in this order but for what happens at the same time."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeAlias

import anyio

from memory.attempt import attempt
from orchestrator.json_parts import (
    citation_dict,
    classification_dict,
    location_dict,
    observation_dict,
    outcome_dict,
    projects_of,
)

if TYPE_CHECKING:
    from datetime import datetime

    from anyio.abc import TaskGroup

    from memory.entities import Scope
    from memory.observations import NormalizedObservation, Observation
    from memory.query import PathRole, QueryClassification
    from orchestrator.result import HybridResult
    from orchestrator.specs import AgentOutcome
    from synthesis.answer import Citation

LINE = 80


@dataclass(frozen=True, slots=True)
class Started:
    """The question passed the door."""

    request_id: str
    query: str
    started_at: datetime

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "event": "started",
            "request_id": self.request_id,
            "query": self.query,
            "started_at": self.started_at.isoformat(),
        }

    def line(self) -> str:
        """For people."""
        return "Asking …"


@dataclass(frozen=True, slots=True)
class Classified:
    """What the analyzer read from it."""

    classification: QueryClassification

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {"event": "classified", "classification": classification_dict(self.classification)}

    def line(self) -> str:
        """For people."""
        return f"It is about {', '.join(t.value for t in self.classification.query_types)}"


@dataclass(frozen=True, slots=True)
class AgentStarted:
    """An agent was sent off."""

    agent: str
    role: PathRole

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {"event": "agent_started", "agent": self.agent, "role": self.role.value}

    def line(self) -> str:
        """For people."""
        return f"{self.agent} looks"


@dataclass(frozen=True, slots=True)
class ObservationAdded:
    """An agent reported something; `id` is its id in the shared memory."""

    id: str
    agent: str
    observation: Observation

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "event": "observation_added",
            "id": self.id,
            "agent": self.agent,
            "content": self.observation.content,
            "locations": [location_dict(at) for at in self.observation.locations],
        }

    def line(self) -> str:
        """For people."""
        return f"{self.agent} found {_shortened(self.observation.content)}"


@dataclass(frozen=True, slots=True)
class ScopeFound:
    """The graph has found which projects matter."""

    scope: Scope

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {"event": "scope_found", "projects": projects_of(self.scope)}

    def line(self) -> str:
        """For people."""
        return f"In {', '.join(self.scope.names) or 'no project in particular'}"


@dataclass(frozen=True, slots=True)
class AgentFinished:
    """An agent ended, in whatever way."""

    outcome: AgentOutcome

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {"event": "agent_finished", **outcome_dict(self.outcome)}

    def line(self) -> str:
        """For people."""
        return f"{self.outcome.agent}: {self.outcome.status}, {self.outcome.observations} found"


@dataclass(frozen=True, slots=True)
class Merged:
    """What is left, ranked."""

    observations: tuple[NormalizedObservation, ...]

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {"event": "merged", "observations": [observation_dict(o) for o in self.observations]}

    def line(self) -> str:
        """For people."""
        return f"{len(self.observations)} observations are left"


@dataclass(frozen=True, slots=True)
class AnswerDelta:
    """A piece of the answer's text, as it is written and before it is checked.

    restart: what came before is void, and the answer begins with this. All since the last restart are the answer.
    """

    text: str
    restart: bool = False

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {"event": "answer_delta", "text": self.text, "restart": self.restart}

    def line(self) -> str:
        """For people."""
        return f"\nChecked, it reads:\n{self.text}" if self.restart else self.text


@dataclass(frozen=True, slots=True)
class CitationChecked:
    """A citation was held against its lines."""

    citation: Citation

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {"event": "citation_checked", "citation": citation_dict(self.citation)}

    def line(self) -> str:
        """For people."""
        return f"{self.citation.marker} {self._state()}"

    def _state(self) -> str:
        if self.citation.verified:
            return "holds"
        return f"{'not supported: ' if self.citation.located else ''}{self.citation.reason}"


@dataclass(frozen=True, slots=True)
class Finished:
    """The whole result; nothing follows."""

    result: HybridResult

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {"event": "finished", "result": self.result.to_dict()}

    def line(self) -> str:
        """For people."""
        return self.result.status


def _shortened(content: str) -> str:
    text = " ".join(content.split())
    return text if len(text) <= LINE else f"{text[:LINE]}…"


Event: TypeAlias = (
    Started
    | Classified
    | AgentStarted
    | ObservationAdded
    | ScopeFound
    | AgentFinished
    | Merged
    | AnswerDelta
    | CitationChecked
    | Finished
)
Emit: TypeAlias = Callable[[Event], None]


class EventStream:
    """A question's events while it is answered, by `async for`, inside `async with` or without.

    Runs `work(emit)` in `group` from the first event asked for; what it raises is raised after the last event.
    Leaving the `async with` ends the work. Without one, work whose events no one reads runs until its own deadline.
    """

    def __init__(self, group: TaskGroup, work: Callable[[Emit], Awaitable[Any]]) -> None:
        self._group = group
        self._work = work
        self._cut = anyio.CancelScope()
        self._failure: BaseException | None = None
        self._started = False
        self._send, self._receive = anyio.create_memory_object_stream["Event"](math.inf)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._cut.cancel()
        self._send.close()
        self._receive.close()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Event:
        if not self._started:
            self._started = True
            self._group.start_soon(self._run)
        try:
            return await self._receive.receive()
        except anyio.EndOfStream:
            self._receive.close()
            if self._failure is not None:
                raise self._failure from None
            raise StopAsyncIteration from None

    async def _run(self) -> None:
        with self._cut, self._send:
            done = await attempt(partial(self._work, self._send.send_nowait))
            self._failure = done.error
