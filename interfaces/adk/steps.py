"""What a stage of a turn shows as it ends, to people and in ADK's trace view, which goes by attributes of spans."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Self

from google.genai import types
from opentelemetry import trace

from memory.text.output import shortened
from orchestrator.events import AgentFinished, AgentStarted, Event, Finished, Merged

if TYPE_CHECKING:
    from opentelemetry.trace import Span

    from memory.observations import Location

BEST: Final = 3
_CHARS: Final = 100
_CONTENT: Final = frozenset({"read_as", "error"})  # what a trace does not show
INVOCATION: Final = "gcp.vertex.agent.invocation_id"
SESSION: Final = "gcp.vertex.agent.session_id"
EVENT: Final = "gcp.vertex.agent.event_id"


@dataclass(frozen=True, slots=True)
class Finding:
    """A place and what it says, in one line."""

    place: str
    text: str

    @classmethod
    def of(cls, content: str, locations: Sequence[Location]) -> Finding:
        """The first place of an observation; '' where it has none."""
        at = locations[0] if locations else None
        text = " ".join(content.split())
        place = f"{at.project}/{at.path}:{at.start_line}-{at.end_line}" if at else ""
        return cls(place, shortened(text, _CHARS))

    def line(self) -> str:
        """For people, the text as code: `adk web` renders Markdown, in which `__init__` would lose its underscores."""
        ticks = "``" if "`" in self.text else "`"
        pad = " " if "`" in self.text else ""
        text = f"{ticks}{pad}{self.text}{pad}{ticks}"
        return f"{self.place}  {text}" if self.place else text


@dataclass(frozen=True, slots=True)
class Step:
    """How a stage ended.

    stage: its name; summary: what the session's state keeps of it; scope: the projects that it looked at or named;
    best: the best findings, best first; state: what else the session's state keeps.
    """

    stage: str
    summary: Mapping[str, Any]
    scope: tuple[str, ...] = ()
    best: tuple[Finding, ...] = ()
    state: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def best_of(cls, findings: Iterable[tuple[str, Sequence[Location]]]) -> tuple[Finding, ...]:
        """The first three of these contents and places."""
        return tuple(Finding.of(*one) for one, _ in zip(findings, range(BEST), strict=False))

    def content(self) -> types.Content:
        """The step as a thought: shown, and no part of the answer for whoever joins the texts of a turn."""
        return types.Content(role="model", parts=[types.Part(text=self.text(), thought=True)])

    def text(self) -> str:
        """The step for people; its lines end, since those of several stages are shown one after the other."""
        lines = [f"{self.stage}: {', '.join(self._words())}"]
        lines += [f"{number}. {finding.line()}" for number, finding in enumerate(self.best, 1)]
        return "".join(f"{line}\n" for line in lines)

    def attributes(self) -> dict[str, Any]:
        """The step for a trace: counts, names and places, no content."""
        named = {
            f"hybrid_retrieval.{key}": _plain(value)
            for key, value in self.summary.items()
            if value is not None and key not in _CONTENT
        }
        if self.scope:
            named["hybrid_retrieval.scope"] = list(self.scope)
        if self.best:
            named["hybrid_retrieval.best"] = [finding.place for finding in self.best if finding.place]
        return named

    def _words(self) -> Iterable[str]:
        summary = self.summary
        if "error" in summary:
            yield str(summary["error"]["message"])
            return
        if "types" in summary:
            yield " and ".join(summary["types"])
            yield from summary["entities"]
        elif summary.get("status") not in {None, "ok", "answered"}:
            yield str(summary["status"])
        if "read_as" in summary:
            yield f"read as: {summary['read_as']}"
        if "observations" in summary:
            yield f"{summary['observations']} findings" if summary["observations"] != 1 else "1 finding"
        if summary.get("conflicts"):
            yield f"{summary['conflicts']} conflicts"
        if self.scope:
            yield f"in {', '.join(self.scope)}"
        if summary.get("reason"):
            yield str(summary["reason"])


def is_step(content: types.Content | None) -> bool:
    """Whether it says nothing but how a stage ended."""
    return content is None or all(part.thought for part in content.parts or [])


def _plain(value: Any) -> Any:
    """A value as a span may bear it."""
    if isinstance(value, Mapping):
        return [f"{key}: {one}" for key, one in value.items()]
    return list(value) if isinstance(value, list | tuple) else value


def _turn_attributes(context: Any) -> dict[str, str]:
    """What ties a span to a turn: its invocation is what ADK's trace view finds it by."""
    return {INVOCATION: context.invocation_id, SESSION: context.session.id}


def mark(context: Any, event_id: str | None = None, more: Mapping[str, Any] | None = None) -> None:
    """Tie the current span, an agent's own, to its turn and event; `context` is any of ADK's contexts."""
    event = {} if event_id is None else {EVENT: event_id}
    trace.get_current_span().set_attributes({**_turn_attributes(context), **event, **(more or {})})


class RunSpans:
    """The spans of a run whose agents are no ADK agents: each of them, the merger and the draft of the answer.

    They are under the current span. context: any of ADK's contexts.
    """

    def __init__(self, context: Any) -> None:
        self._tracer = trace.get_tracer("hybrid_retrieval")
        self._turn = _turn_attributes(context)
        self._agents: dict[str, Span] = {}
        self._since = time.time_ns()

    def see(self, event: Event, step: Step | None = None, event_id: str | None = None) -> None:
        """What the run says of itself.

        step: how a stage ended with it; event_id: the event of ADK that shows this.
        """
        shown = step.attributes() if step is not None else {}
        if event_id is not None:
            shown[EVENT] = event_id
        if isinstance(event, AgentStarted):
            self._agents[event.agent] = self._begin(event.agent, {"hybrid_retrieval.role": event.role.value})
        elif isinstance(event, AgentFinished):
            span = self._agents.pop(event.outcome.agent, None) or self._begin(event.outcome.agent, {})
            span.set_attributes(shown)
            span.end()
            self._since = time.time_ns()
        elif isinstance(event, Merged):
            self._stage("merger", shown)
        elif isinstance(event, Finished):
            self._stage("draft", {"hybrid_retrieval.status": event.result.status})

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
        agent = {
            "gen_ai.agent.name": name,
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.conversation.id": self._turn[SESSION],
        }
        return self._tracer.start_span(
            f"invoke_agent {name}", attributes={**agent, **self._turn, **attributes}, start_time=since
        )
