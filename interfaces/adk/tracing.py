"""Spans with the attributes that ADK's trace view goes by: it shows those of a turn whose invocation one of them
names.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, Self

from opentelemetry import trace

from orchestrator.events import AgentFinished, AgentStarted, Finished, Merged

if TYPE_CHECKING:
    from opentelemetry.trace import Span

    from orchestrator.events import Event

__all__ = ["RunSpans", "mark", "turn_attributes"]

INVOCATION: Final = "gcp.vertex.agent.invocation_id"
SESSION: Final = "gcp.vertex.agent.session_id"
EVENT: Final = "gcp.vertex.agent.event_id"


def turn_attributes(context: Any, event_id: str | None = None) -> dict[str, str]:
    """What ties a span to a turn and, where there is one, to an event of it; `context` is any of ADK's contexts."""
    named = {INVOCATION: context.invocation_id, SESSION: context.session.id}
    return named if event_id is None else {**named, EVENT: event_id}


def mark(context: Any, event_id: str | None = None, more: Mapping[str, Any] | None = None) -> None:
    """Tie the current span, an agent's own, to its turn."""
    trace.get_current_span().set_attributes({**turn_attributes(context, event_id), **(more or {})})


class RunSpans:
    """The spans of a run whose agents are no ADK agents: each of them, the merger and the answer, under the current
    span.

    context: any of ADK's contexts, None outside of ADK, which then names no turn.
    """

    def __init__(self, context: Any = None) -> None:
        self._tracer = trace.get_tracer("hybrid_retrieval")
        self._turn = turn_attributes(context) if context is not None else {}
        self._agents: dict[str, Span] = {}
        self._since = time.time_ns()

    def see(self, event: Event) -> None:
        """What the run says of itself."""
        if isinstance(event, AgentStarted):
            self._agents[event.agent] = self._begin(event.agent, {"hybrid_retrieval.role": event.role.value})
        elif isinstance(event, AgentFinished):
            outcome = event.outcome
            ended = {"hybrid_retrieval.status": outcome.status, "hybrid_retrieval.observations": outcome.observations}
            span = self._agents.pop(outcome.agent, None) or self._begin(outcome.agent, {})
            span.set_attributes(ended)
            span.end()
            self._since = time.time_ns()
        elif isinstance(event, Merged):
            self._stage("merger", {"hybrid_retrieval.observations": len(event.observations)})
        elif isinstance(event, Finished):
            result = event.result
            self._stage(
                "answer",
                {
                    "hybrid_retrieval.status": result.status,
                    "hybrid_retrieval.answered_by": result.answer.answerer,
                    "hybrid_retrieval.citations": len(result.citations),
                },
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """The run is over, in whatever way: so are its spans."""
        while self._agents:
            self._agents.popitem()[1].end()

    def _stage(self, name: str, attributes: Mapping[str, Any]) -> None:
        """One that began where the stage before it ended."""
        self._begin(name, attributes, since=self._since).end()
        self._since = time.time_ns()

    def _begin(self, name: str, attributes: Mapping[str, Any], since: int | None = None) -> Span:
        agent = {"gen_ai.agent.name": name}
        if SESSION in self._turn:
            agent |= {"gen_ai.operation.name": "invoke_agent", "gen_ai.conversation.id": self._turn[SESSION]}
        return self._tracer.start_span(
            f"invoke_agent {name}", attributes={**agent, **self._turn, **attributes}, start_time=since
        )
