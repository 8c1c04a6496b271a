"""What ADK costs on top of the core, side by side in one run (docs/benchmarks.md).

    python benchmarks/adk.py [--turns 60] [--repeats 3] [--data-dir INDEX] [--json]

The orchestrator alone, with three agents that answer at once; a bare ADK Workflow of one node that does nothing, and
one of the agents of the app whose agents are ADK's; and both apps. Then turns 180 to 200 of a session against turns 10
to 30 of another, with the same agents and, given an index (the demo's), with turns that search it, which is what a user
waits for: it is opened as the apps open it. CPU time, each turn measured in turn with the others'; ADK's light copies
of sessions are on for all, as in the apps.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import time
import warnings
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from google.adk.apps import App
from google.adk.features import FeatureName, override_feature_enabled
from google.adk.runners import InMemoryRunner
from google.adk.workflow import START, FunctionNode, JoinNode, Workflow
from google.genai import types

from interfaces.adk import ExtractiveLlm, Turns, agents_app, retrieval_app
from memory.entities import Scope
from orchestrator import HybridRetrievalOrchestrator
from orchestrator.running.fakes import FakeAgent, FakeGraphAgent, found

OpenOrchestrator = Callable[[], AbstractAsyncContextManager[HybridRetrievalOrchestrator]]

QUESTION = "How do other teams handle retries?"
FOUND = [found(f"Retries in {name} back off three times.", name) for name in ("billing", "auth", "orders")]
WARM = 5
EARLY, LATE = (10, 30), (180, 200)
APPS: dict[str, Callable[..., App]] = {
    "retrieval": retrieval_app,
    "agents": agents_app,
    "agents_stored": partial(agents_app, stores_steps=True),
}
BARE_AGENTS = ("opening", "local", "graph", "vector", "answer")


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
    """The agents of the app whose agents are ADK's as nodes of a Workflow, with nothing in them."""

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


async def side_by_side(turns: int) -> dict[str, list[float]]:
    """One new session with each contender, of so many turns: the CPU time of each turn."""
    async with opened() as core:

        async def asked() -> None:
            await core.retrieve(QUESTION)

        contenders = {"core": asked, "bare": await talk(bare_app()), "bare_agents": await talk(bare_agents_app())}
        contenders |= {name: await talk(make(Turns(opened), ExtractiveLlm())) for name, make in APPS.items()}
        times: dict[str, list[float]] = {name: [] for name in contenders}
        for _ in range(turns):
            for name, turn in contenders.items():
                times[name].append(await cpu_ms(turn))
        return times


async def late_by_early(make_app: Callable[[], App], repeats: int) -> float:
    """Turns 180 to 200 of a session against turns 10 to 30 of another,
    turn by turn in turn, as the ratio of medians.
    """
    late, early = [], []
    for _ in range(repeats):
        old, young = await talk(make_app()), await talk(make_app())
        for turn, before in ((old, LATE[0]), (young, EARLY[0])):
            for _ in range(before):
                await turn()
        for _ in range(*EARLY):
            late.append(await cpu_ms(old))
            early.append(await cpu_ms(young))
    return statistics.median(late) / statistics.median(early)


async def measured(turns: int, repeats: int = 0, data: Path | None = None) -> dict[str, float]:
    """The whole measurement; repeats: how many pairs of long sessions, 0 for none."""
    override_feature_enabled(FeatureName.IN_MEMORY_SESSION_SERVICE_LIGHT_COPY, enabled=True)
    times = await side_by_side(turns)
    first = {name: statistics.median(values[WARM:]) for name, values in times.items()}
    document = {f"{name}_cpu_ms": round(value, 3) for name, value in first.items()}
    for app in APPS:
        document[f"{app}_on_top_of_core_by_bare"] = round((first[app] - first["core"]) / first["bare"], 3)
    beside = (first["agents"] - first["core"]) / first["bare_agents"]
    document["agents_on_top_of_core_by_bare_agents"] = round(beside, 3)
    cores: dict[str, OpenOrchestrator | None] = {"": opened}
    if data is not None:
        os.environ["HYBRID_RETRIEVAL_DATA_DIR"] = str(data)
        cores["_on_an_index"] = None
    for where, open_core in cores.items() if repeats else ():
        for name, make in APPS.items():
            anew = partial(_app, make, open_core)
            document[f"{name}_late_by_early{where}"] = round(await late_by_early(anew, repeats), 3)
    return document


def _app(make: Callable[..., App], open_core: OpenOrchestrator | None) -> App:
    return make(Turns(open_core), ExtractiveLlm())


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=60)
    parser.add_argument("--repeats", type=int, default=3, help="pairs of long sessions; 0 for none")
    parser.add_argument("--data-dir", type=Path, help="an index, for turns that search it")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    document = asyncio.run(measured(given.turns, given.repeats, given.data_dir))
    if given.json:
        print(json.dumps(document))
        return
    for name, value in document.items():
        print(f"{name:40} {value}")


if __name__ == "__main__":
    main()
