"""What ADK costs on top of the core, side by side in one run (docs/benchmarks.md).

    python benchmarks/adk.py [--turns 60] [--session 200] [--json]

The orchestrator alone, with three agents that answer at once; a bare ADK Workflow of one node that does nothing; both apps;
and one session with many turns, its late turns against its early ones. CPU time, each turn measured in turn with the others.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import time
import warnings
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from google.adk.apps import App
from google.adk.features import FeatureName, override_feature_enabled
from google.adk.runners import InMemoryRunner
from google.adk.workflow import START, FunctionNode, Workflow
from google.genai import types

from memory.entities import Scope
from orchestrator import HybridRetrievalOrchestrator
from orchestrator.adk import ExtractiveLlm, Turns, agents_app, retrieval_app
from orchestrator.running.fakes import FakeAgent, FakeGraphAgent, found

QUESTION = "How do other teams handle retries?"
FOUND = [found(f"Retries in {name} back off three times.", name) for name in ("billing", "auth", "orders")]
WARM = 5


@asynccontextmanager
async def opened() -> AsyncIterator[HybridRetrievalOrchestrator]:
    """The core with agents that answer at once."""
    graph = FakeGraphAgent(scope=Scope(["billing"]))
    yield HybridRetrievalOrchestrator(local=FakeAgent(), graph=graph, vector=FakeAgent(FOUND), wait_for_mays=True)


def bare_app() -> App:
    """One node that hands on what was said."""

    def echo(node_input: str) -> str:
        return node_input

    return App(name="bare", root_agent=Workflow(name="bare", edges=[(START, FunctionNode(func=echo, name="echo"))]))


async def talk(app: App) -> Callable[[], Awaitable[None]]:
    """One turn of a session with an app, again and again."""
    runner = InMemoryRunner(app=app)
    session = await runner.session_service.create_session(app_name=app.name, user_id="u")
    message = types.Content(role="user", parts=[types.Part(text=QUESTION)])

    async def turn() -> None:
        async for _ in runner.run_async(user_id="u", session_id=session.id, new_message=message):
            pass

    return turn


async def cpu_ms(turn: Callable[[], Awaitable[Any]]) -> float:
    """One turn's CPU time."""
    started = time.process_time()
    await turn()
    return (time.process_time() - started) * 1000


async def measured(turns: int, session: int) -> dict[str, float]:
    """The whole measurement."""
    async with opened() as core:

        async def asked() -> None:
            await core.retrieve(QUESTION)

        apps = {
            "retrieval": retrieval_app(Turns(opened), ExtractiveLlm()),
            "agents": agents_app(Turns(opened), ExtractiveLlm()),
        }
        contenders = {
            "core": asked,
            "bare": await talk(bare_app()),
            **{name: await talk(app) for name, app in apps.items()},
        }
        times: dict[str, list[float]] = {name: [] for name in contenders}
        for _ in range(max(turns, session)):
            for name, turn in contenders.items():
                times[name].append(await cpu_ms(turn))
    first = {name: statistics.median(values[WARM:turns]) for name, values in times.items()}
    on_top = {name: (first[name] - first["core"]) / first["bare"] for name in apps}
    late = {name: sum(times[name][179:200]) / sum(times[name][9:30]) for name in (*apps, "bare") if session >= 200}
    return {
        **{f"{name}_cpu_ms": round(value, 3) for name, value in first.items()},
        **{f"{name}_on_top_of_core_by_bare": round(value, 3) for name, value in on_top.items()},
        **{f"{name}_late_by_early": round(value, 3) for name, value in late.items()},
    }


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=60)
    parser.add_argument("--session", type=int, default=200)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    override_feature_enabled(FeatureName.IN_MEMORY_SESSION_SERVICE_LIGHT_COPY, enabled=True)  # as apps/*/agent.py do
    document = asyncio.run(measured(given.turns, given.session))
    if given.json:
        print(json.dumps(document))
        return
    for name, value in document.items():
        print(f"{name:40} {value}")


if __name__ == "__main__":
    main()
