"""Every way out of the product beside `retrieve`: what its caller sees of one question, without what differs each time."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from contextlib import asynccontextmanager, redirect_stdout, suppress
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import structlog
from structlog.testing import capture_logs

from agents import GraphRetrievalAgent
from agents.evidence import checked_request
from facades.hybrid_retriever import STRATEGIES, FusionParameters, HybridRetriever, RetrieverParts
from inspector import follow, page
from interfaces.adk import AskTool, EvidenceTool
from interfaces.asking import compact_result
from interfaces.cli.ask import answer_page
from interfaces.cli.main import run
from interfaces.cli.why import why
from interfaces.mcp.server import build_server
from interfaces.mcp.tools import Tools
from memory.embedders import Bm25Sparse, FakeSource
from memory.errors import UserError
from orchestrator import logbook
from orchestrator.logbook import log_result
from replay import Scenario, record
from tests.organisation import plain
from tests.properties.questions import SETTINGS, Call
from wiring.catalogue import permitted

if TYPE_CHECKING:
    from tests.properties.worlds import World

_ENOUGH = 16_000


def see(world: World, call: Call) -> Any:
    """What the caller sees; an error of ours is seen too, any other is raised."""
    try:
        return WAYS_OUT[call.way](world, call)
    except UserError as error:
        return {"error": type(error).__name__, "message": error.message, "hint": error.hint}


def _run(world: World, call: Call) -> Any:
    """Events, the page, the page for people, the result for a model, the log, and why each observation is there or not."""
    context = {**call.asked.context, "allowed_projects": call.permission}
    with capture_logs() as logged:
        asked = partial(follow, world.orchestrator(call.asked.scope), call.asked.query, context)
        result, inspection = world.portal.call(asked)
        log_result(result, log_content=True)
    structlog.reset_defaults()
    document = _still(inspection.result)
    told_apart = sorted((one for _, one in inspection.events), key=lambda one: json.dumps(plain(one.to_dict())))
    events = tuple((float(place), _at_once(one)) for place, one in enumerate(told_apart))
    ids = [one["id"] for one in (*document["observations"], *document["metrics"]["dropped"])]
    return {
        "events": [plain(one.to_dict()) | {"line": one.line()} for one in told_apart],
        "page": page(replace(inspection, result=document, events=events)).splitlines(),
        "text": answer_page(document, explain=True).splitlines(),
        "compact_result": compact_result(result),
        "why": [why(document, one).lines() for one in ids],
        "why not": _refused(partial(why, document, "nothing")),
        "log": [{key: value for key, value in one.items() if key not in _TIMES} for one in logged],
    }


_TIMES = frozenset({"request_id", "total_ms"})


def _still(value: Any, key: str = "") -> Any:
    """The document at a time that never passes."""
    if isinstance(value, Mapping):
        return {name: _still(one, name) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_still(one) for one in value]
    if key.endswith("_ms"):
        return 0.0
    return "2025-01-01T00:00:00+00:00" if key == "started_at" else "0" if key == "request_id" else value


def _at_once(event: Any) -> Any:
    outcome = getattr(event, "outcome", None)
    return event if outcome is None else replace(event, outcome=replace(outcome, elapsed_ms=0.0))


def _refused(call: Callable[[], Any]) -> str:
    try:
        return str(call())
    except UserError as error:
        return str(error)


def _pack(world: World, call: Call) -> Any:
    """The evidence pack of Python, the command line and ADK."""
    request = checked_request(call.asked.query, None, 30, call.only or None, call.path)
    catalogued = frozenset(world.retriever.catalogue.projects)
    pack = world.portal.call(world.retriever.retrieve, request, permitted(call.asked.allowed, catalogued))
    return plain(pack.to_dict())


def _tool(world: World, call: Call, tool: str, **arguments: Any) -> Any:
    """A tool of the MCP server, whose owner gave it the permission; its errors are texts."""
    index = SimpleNamespace(questions=world.questions, evidence=world.evidence, catalogue=world.catalogue)
    tools = Tools(index, most_chars=_ENOUGH, allowed=call.asked.allowed)
    given = {"only_projects": list(call.only) or None, **arguments}
    heard: list[Any] = []
    if call.asked.allowed not in world.servers:
        world.servers[call.asked.allowed] = build_server(tools)
    server = world.servers[call.asked.allowed]

    async def used() -> Any:
        if tool == "ask_projects":
            context = SimpleNamespace(report_progress=lambda *said: _hear(heard, said))
            return await tools.ask_projects(context, **given)
        result = await server.call_tool(tool, {key: one for key, one in given.items() if one is not None})
        return [result.is_error, result.structured_content or [part.text for part in result.content]]

    return [world.portal.call(used), sorted(said[2] for said in heard)]


async def _hear(heard: list[Any], said: Any) -> None:
    heard.append(said)


def _mcp_ask(world: World, call: Call) -> Any:
    current = call.asked.context.get("project")
    return _tool(world, call, "ask_projects", question=call.asked.query, current_project=current)


def _mcp_evidence(world: World, call: Call) -> Any:
    paths = [call.path] if call.path else None
    return _tool(world, call, "retrieve_evidence", query=call.asked.query, top_k=30, paths=paths)


def _mcp_entities(world: World, call: Call) -> Any:
    return _tool(world, call, "find_entities", name=call.name, kind=call.kind, limit=call.limit)


def _mcp_path(world: World, call: Call) -> Any:
    return _tool(world, call, "explain_path", source=call.name, target=call.other)


def _mcp_projects(world: World, call: Call) -> Any:
    tools = Tools(SimpleNamespace(catalogue=world.catalogue), most_chars=_ENOUGH, allowed=call.asked.allowed)
    return world.portal.call(tools.list_projects)


def _adk_ask(world: World, call: Call) -> Any:
    async def used() -> Any:
        tool = AskTool(_opened(world.orchestrator(call.asked.scope)), allowed_projects=call.permission)
        try:
            current = call.asked.context.get("project")
            return await tool.ask_projects(call.asked.query, current, list(call.only) or None)
        finally:
            await tool.close()

    return world.portal.call(used)


def _adk_evidence(world: World, call: Call) -> Any:
    async def used() -> Any:
        tool = EvidenceTool(_opened(world.retriever), allowed_projects=call.permission)
        try:
            paths = [call.path] if call.path else None
            return plain(
                await tool.retrieve_adk_evidence(call.asked.query, "any", 30, list(call.only) or None, paths, None)
            )
        finally:
            await tool.close()

    return world.portal.call(used)


def _opened(one: Any) -> Any:
    @asynccontextmanager
    async def opening() -> Any:
        yield one

    return opening


def _documents(world: World, call: Call) -> Any:
    """The documents of specification 003's retriever, by strategy."""
    parts = RetrieverParts(
        world.parts.vectors,
        world.manifest().names,
        world.dense,
        world.dense,
        Bm25Sparse(),
        GraphRetrievalAgent(world.parts.graph, SETTINGS.graph, SETTINGS.scope, max_observations=20),
    )

    async def used() -> Any:
        allowed = call.permission
        async with HybridRetriever(config=SETTINGS, parts=parts, fusion=_ALL, allowed_projects=allowed) as retriever:
            asked = [await retriever.retrieve(call.asked.query, strategy, 30) for strategy in STRATEGIES]
        return [plain(asdict(replace(one, latency_ms=0.0))) for one in asked]

    return world.portal.call(used)


_ALL = FusionParameters(min_score_threshold=0.0)


def _export(world: World, call: Call) -> Any:
    """The graph as the command prints it, where the command can open it, else as the store gives it."""
    if world.data is None:
        permission = permitted(call.asked.allowed, world.manifest().names)
        entities = world.portal.call(partial(world.graph.all_entities, permission=permission))
        edges = world.portal.call(partial(world.graph.all_edges, permission=permission))
        return [list(map(str, entities)), list(map(str, edges))]
    project = call.only[:1]
    return [
        _command(world, call, "export", "--entities", *(f"--project={name}" for name in project)),
        _command(world, call, "export", "--edges"),
        _command(world, call, "export", "--edges", "--across"),
    ]


def _doctor(world: World, call: Call) -> Any:
    """What is counted, and what is called damaged; no model is at hand, which it says of each index alike."""
    if world.data is None:
        return None
    return _command(world, call, "doctor", *_FAKE_MODEL)


_FAKE_MODEL = (
    "--set",
    f"vector.dense_model={FakeSource().model}",
    "--set",
    f"vector.dimension={FakeSource().dimension}",
)


def _command(world: World, call: Call, *arguments: str) -> Any:
    assert world.data is not None
    allowed = [part for name in call.permission for part in ("--allow", name)]
    out = io.StringIO()
    with redirect_stdout(out), suppress(SystemExit):
        run([*arguments, *allowed, "--json", "--quiet", "--data-dir", str(world.data)])
    logbook._doors.clear()
    structlog.reset_defaults()
    return out.getvalue().replace(str(world.data), "DATA").splitlines()


_UNHURRIED = ("agent_timeout_ms=60000", "total_timeout_ms=120000")  # calls keep their real times, on a busy machine too


def _cassette(world: World, call: Call) -> Any:
    """A recording: every call with its answer, but for its milliseconds, and the result."""
    with TemporaryDirectory() as folder:
        context = {**call.asked.context, "allowed_projects": call.permission}
        scenario = Scenario("one", call.asked.query, Path(folder) / "one.yaml", context, settings=_UNHURRIED)
        made = record(scenario, world.portal, world.parts)
    calls = sorted(made.calls, key=lambda one: json.dumps([one.name, one.arguments]))
    recorded = [[one.name, one.arguments, one.answer, one.error] for one in calls]
    answers = {way: {agent: _untimed(answer) for agent, answer in own.items()} for way, own in made.answers.items()}
    kept = {"calls": recorded, "answers": answers, "result": plain(made.result)}
    return _in_full(json.loads(json.dumps(kept)), made.pool)


def _untimed(answer: Mapping[str, Any]) -> dict[str, Any]:
    """What an agent answered, without when."""
    found = [observation for _, observation in answer.get("observations", ())]
    return {"observations": found, "scope": answer.get("scope", (0, None))[1], "outcome": plain(answer.get("outcome"))}


def _in_full(value: Any, pool: Mapping[str, Any]) -> Any:
    """With what the pool holds in place of its digest, which one last bit of a score would change."""
    if isinstance(value, dict):
        if value.keys() == {"#"}:
            return _in_full(pool[value["#"]], pool)
        return {key: _in_full(item, pool) for key, item in value.items()}
    return [_in_full(item, pool) for item in value] if isinstance(value, list) else value


WAYS_OUT: Mapping[str, Callable[[World, Call], Any]] = {
    "run": _run,
    "pack": _pack,
    "MCP ask_projects": _mcp_ask,
    "MCP retrieve_evidence": _mcp_evidence,
    "MCP find_entities": _mcp_entities,
    "MCP explain_path": _mcp_path,
    "MCP list_projects": _mcp_projects,
    "ADK ask_projects": _adk_ask,
    "ADK retrieve_adk_evidence": _adk_evidence,
    "documents": _documents,
    "export": _export,
    "doctor": _doctor,
    "cassette": _cassette,
}
