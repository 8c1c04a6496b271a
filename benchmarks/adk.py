"""What ADK costs on top of the core, side by side in one run (docs/benchmarks.md).

    python benchmarks/adk.py [--turns 60] [--session 200] [--repeats 5] [--data-dir INDEX] [--json]

The orchestrator alone, with three agents that answer at once; a bare ADK Workflow of one node that does nothing, and one of
the nodes of the app whose agents are ADK's; and both apps. One session each; its turns 180 to 200 against 10 to 30, as medians over several sessions. With an index (the demo's)
the same turns of sessions that search it, which is what a user waits for. CPU time, each turn measured in turn with the
others; ADK's light copies of sessions are on for all, as in the apps.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import time
import warnings
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from google.adk.apps import App
from google.adk.features import FeatureName, override_feature_enabled
from google.adk.runners import InMemoryRunner
from google.adk.workflow import START, FunctionNode, JoinNode, Workflow
from google.genai import types

from memory.entities import Scope
from orchestrator import HybridRetrievalOrchestrator
from orchestrator.adk import ExtractiveLlm, Turns, agents_app, retrieval_app
from orchestrator.running.fakes import FakeAgent, FakeGraphAgent, found

QUESTION = "How do other teams handle retries?"
FOUND = [found(f"Retries in {name} back off three times.", name) for name in ("billing", "auth", "orders")]
WARM = 5
EARLY, LATE = (10, 30), (180, 200)
APPS = ("retrieval", "agents")
BARE_AGENTS = ("opening", "local", "graph", "vector", "answer")

OpenCore = Callable[[], AbstractAsyncContextManager[HybridRetrievalOrchestrator]]


@asynccontextmanager
async def opened() -> AsyncIterator[HybridRetrievalOrchestrator]:
    """The core with agents that answer at once."""
    graph = FakeGraphAgent(scope=Scope(["billing"]))
    yield HybridRetrievalOrchestrator(local=FakeAgent(), graph=graph, vector=FakeAgent(FOUND), wait_for_mays=True)


def echo(node_input: str) -> str:
    """A node that does nothing hands on what was said."""
    return node_input


def bare_app() -> App:
    """One such node."""
    return App(name="bare", root_agent=Workflow(name="bare", edges=[(START, FunctionNode(func=echo, name="echo"))]))


def bare_agents_app() -> App:
    """The nodes of the app whose agents are ADK's, with nothing in them."""

    def joined(node_input: dict[str, str]) -> str:
        return "".join(node_input.values())

    opening, local, graph, vector, answer = (FunctionNode(func=echo, name=name) for name in BARE_AGENTS)
    merger, join = FunctionNode(func=joined, name="merger"), JoinNode(name="all_ended")
    edges = [(START, opening, (local, graph, vector), join, merger, answer)]
    return App(name="bare_agents", root_agent=Workflow(name="bare_agents", edges=edges))


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


async def sessions(open_core: OpenCore, turns: int) -> dict[str, list[float]]:
    """One new session with each contender, of so many turns: the CPU time of each turn."""
    async with open_core() as core:

        async def asked() -> None:
            await core.retrieve(QUESTION)

        contenders = {
            "core": asked,
            "bare": await talk(bare_app()),
            "bare_agents": await talk(bare_agents_app()),
            "retrieval": await talk(retrieval_app(Turns(open_core), ExtractiveLlm())),
            "agents": await talk(agents_app(Turns(open_core), ExtractiveLlm())),
        }
        times: dict[str, list[float]] = {name: [] for name in contenders}
        for _ in range(turns):
            for name, turn in contenders.items():
                times[name].append(await cpu_ms(turn))
        return times


async def measured(turns: int, session: int, repeats: int = 1, data: Path | None = None) -> dict[str, float]:
    """The whole measurement."""
    override_feature_enabled(FeatureName.IN_MEMORY_SESSION_SERVICE_LIGHT_COPY, enabled=True)
    times = [await sessions(opened, max(turns, session)) for _ in range(repeats)]
    first = {name: statistics.median(_between(times, name, WARM, turns)) for name in times[0]}
    document = {f"{name}_cpu_ms": round(value, 3) for name, value in first.items()}
    for app in APPS:
        document[f"{app}_on_top_of_core_by_bare"] = round((first[app] - first["core"]) / first["bare"], 3)
    beside = (first["agents"] - first["core"]) / first["bare_agents"]
    document["agents_on_top_of_core_by_bare_agents"] = round(beside, 3)
    if session >= LATE[1]:
        document |= _late_by_early(times, (*APPS, "bare"), "")
    if data is not None:
        open_core = partial(HybridRetrievalOrchestrator.open, data)
        times = [await sessions(open_core, LATE[1]) for _ in range(repeats)]
        document |= _late_by_early(times, (*APPS, "core"), "_on_an_index")
    return document


def _late_by_early(times: list[dict[str, list[float]]], names: Sequence[str], where: str) -> dict[str, float]:
    late = {name: statistics.median(_between(times, name, *LATE)) for name in names}
    early = {name: statistics.median(_between(times, name, *EARLY)) for name in names}
    return {f"{name}_late_by_early{where}": round(late[name] / early[name], 3) for name in names}


def _between(times: list[dict[str, list[float]]], name: str, first: int, last: int) -> list[float]:
    return [spent for session in times for spent in session[name][first:last]]


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=60)
    parser.add_argument("--session", type=int, default=200)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--data-dir", type=Path, help="an index, for turns that search it")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    document = asyncio.run(measured(given.turns, given.session, given.repeats, given.data_dir))
    if given.json:
        print(json.dumps(document))
        return
    for name, value in document.items():
        print(f"{name:40} {value}")


if __name__ == "__main__":
    main()
