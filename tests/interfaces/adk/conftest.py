"""Orchestrators on fakes, and real ADK runners around them."""

from __future__ import annotations

from contextlib import aclosing, asynccontextmanager

import pytest

from configs import HybridRetrievalConfig
from memory.entities import Scope
from memory.files import FakeFiles
from memory.observations import Location, VectorObservation
from orchestrator import HybridRetrievalOrchestrator
from orchestrator.running.fakes import FakeAgent, FakeGraphAgent

QUESTION = "How do other teams handle retries?"
TEXTS = {
    "billing/retries.md": "Retries in billing back off three times.",
    "auth/retries.md": "Retries in auth are forbidden by policy.",
}


async def done(steps):
    """What is left of some steps: an error among them is raised, and what can be called is waited for."""
    for step in steps:
        if isinstance(step, Exception):
            raise step
        if callable(step):
            await step()
        else:
            yield step


def seen(key: str) -> VectorObservation:
    project, path = key.split("/", 1)
    at = (Location(project, path, 1, 1),)
    return VectorObservation(TEXTS[key], path, project, 0.8, None, "documentation", locations=at)


class Catalogue:
    """Three projects; changed: how many files of which have since they were indexed, though none that is cited."""

    def __init__(self, changed=None):
        self.changed = changed or {}

    def projects(self):
        return frozenset({"auth", "billing", "crm"})

    def in_hand(self, visible):
        return None

    def has_changed(self, project, path):
        return False

    def embedded_share(self, projects):
        return 1.0

    def commits(self, projects):
        return {name: {"changed": count} for name, count in self.changed.items() if name in projects}


class Opening:
    """Opens an orchestrator on fakes; counts how often it is open."""

    def __init__(self, failure=None, **parts):
        self.opened, self.closed, self.failure = 0, 0, failure
        self.vector = parts.pop("vector", FakeAgent([seen("billing/retries.md"), seen("auth/retries.md")]))
        self.graph = parts.pop("graph", FakeGraphAgent(scope=Scope(["billing"])))
        self.local = parts.pop("local", FakeAgent())
        self.catalogue = Catalogue(parts.pop("changed", None))
        self.agents = parts.pop("agents", None)
        self.config = HybridRetrievalConfig(**parts.pop("settings", {"fallback_on_timeout": False}))

    @asynccontextmanager
    async def __call__(self):
        if self.failure is not None:
            raise self.failure
        self.opened += 1
        yield HybridRetrievalOrchestrator(
            local=self.local,
            graph=self.graph,
            vector=self.vector,
            agents=self.agents,
            config=self.config,
            catalogue=self.catalogue,
            files=lambda permission: FakeFiles(TEXTS, permission),
            graph_in_process=True,
            wait_for_mays=True,
        )
        self.closed += 1


class Talk:
    """A session with an app, or with an agent, through ADK's own runner."""

    def __init__(self, app=None, agent=None, state=None):
        from google.adk.runners import InMemoryRunner  # noqa: PLC0415 - takes a second

        name = app.name if app is not None else "talk"
        self.runner = InMemoryRunner(app=app) if app is not None else InMemoryRunner(agent=agent, app_name=name)
        self.name, self.state, self.session = name, state, None

    async def say(self, text, *, stream=False):
        """The events of one turn."""
        return [event async for event in self.turn(text, stream=stream)]

    async def turn(self, text, *, stream=False):
        """The events of one turn, as they come."""
        from google.adk.agents.run_config import RunConfig, StreamingMode  # noqa: PLC0415
        from google.genai import types  # noqa: PLC0415

        service = self.runner.session_service
        if self.session is None:
            self.session = await service.create_session(app_name=self.name, user_id="u", state=self.state)
        turn = self.runner.run_async(
            user_id="u",
            session_id=self.session.id,
            new_message=types.Content(role="user", parts=[types.Part(text=text)]),
            run_config=RunConfig(streaming_mode=StreamingMode.SSE if stream else StreamingMode.NONE),
        )
        async with aclosing(turn) as events:
            async for event in events:
                yield event

    async def kept(self):
        """The session as it is stored."""
        service = self.runner.session_service
        return await service.get_session(app_name=self.name, user_id="u", session_id=self.session.id)

    async def kept_state(self):
        """The state in it."""
        return (await self.kept()).state


def text_of(event):
    """What it says, without its thoughts."""
    parts = (event.content.parts if event.content else None) or []
    return "".join(part.text or "" for part in parts if not part.thought)


def step_of(event):
    """What it says of how a stage ended."""
    parts = (event.content.parts if event.content else None) or []
    return "".join(part.text or "" for part in parts if part.thought)


def last_text(events):
    return next(text for event in reversed(events) if (text := text_of(event)))


@pytest.fixture(scope="session")
def all_spans():
    """What was traced in this process, whose provider can be set only once."""
    from opentelemetry import trace  # noqa: PLC0415 - takes a second
    from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor  # noqa: PLC0415
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter  # noqa: PLC0415

    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    return exporter


@pytest.fixture
def spans(all_spans):
    """What this test traces."""
    all_spans.clear()
    return all_spans


@pytest.fixture
def opening():
    return Opening
