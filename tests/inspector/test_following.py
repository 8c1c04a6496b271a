from __future__ import annotations

import pytest

from configs import HybridRetrievalConfig
from inspector import follow, inspect_replay
from inspector.timeline import timeline
from memory.clock import VirtualClock
from memory.errors import InvalidInputError, InvalidQueryError
from orchestrator import HybridRetrievalOrchestrator
from orchestrator.running.fakes import FakeAgent, found
from replay import Changes, Faults, read_scenario, replay
from tests.inspector.conftest import SHIPPED

RETRIES = found("Retries for customer tables back off three times.")

QUESTION = "How do other teams handle retries for customer tables?"


def build(**settings):
    return HybridRetrievalOrchestrator(
        clock=VirtualClock(), vector=FakeAgent([RETRIES], seconds=0.25), config=HybridRetrievalConfig(**settings)
    )


def untimed(document):
    metrics = {key: value for key, value in document["metrics"].items() if not key.endswith("_ms")}
    agents = [{k: v for k, v in one.items() if k != "elapsed_ms"} for one in document["coverage"]["agents"]]
    kept = {k: v for k, v in document.items() if k not in {"request_id", "started_at"}}
    return {**kept, "metrics": metrics, "coverage": {**document["coverage"], "agents": agents}}


async def test_the_result_and_the_events_are_those_of_the_stream():
    async with build() as orchestrator:
        result, inspection = await follow(orchestrator, QUESTION, {})
        streamed = [event async for event in orchestrator.stream(QUESTION, {})]
    assert untimed(result.to_dict()) == untimed(streamed[-1].result.to_dict()) == untimed(inspection.result)
    assert [type(event) for _, event in inspection.events] == [type(event) for event in streamed]


async def test_events_have_the_time_at_which_they_came():
    async with build() as orchestrator:
        _, inspection = await follow(orchestrator, QUESTION, {})
    [vector] = [lane for lane in timeline(inspection).lanes if lane.name == "vector"]
    assert (vector.start, vector.end, vector.found) == (0.0, 250.0, (250.0,))


async def test_each_event_is_shown_as_it_comes():
    shown = []
    async with build() as orchestrator:
        _, inspection = await follow(orchestrator, QUESTION, {}, shown.append)
    assert shown == [event for _, event in inspection.events]


async def test_a_reader_who_goes_away_costs_no_agent_its_work():
    seen = []

    def head(event):
        seen.append(event)
        raise BrokenPipeError

    agent = FakeAgent([RETRIES], seconds=0.25)
    async with HybridRetrievalOrchestrator(vector=agent) as orchestrator:
        with pytest.raises(BrokenPipeError):
            await follow(orchestrator, QUESTION, {}, head)
    assert len(seen) == 1
    assert agent.ended


@pytest.mark.parametrize(("context", "total"), [({}, 8000), ({"deadline": 2.0}, 2000), ({"deadline": 90.0}, 8000)])
async def test_the_deadlines_it_had(context, total):
    async with build(agent_timeout_ms=3000, total_timeout_ms=8000) as orchestrator:
        _, inspection = await follow(orchestrator, QUESTION, context)
    assert (inspection.agent_ms, inspection.total_ms) == (3000, total)


async def test_a_question_that_is_none():
    async with build() as orchestrator:
        with pytest.raises(InvalidQueryError):
            await follow(orchestrator, " ", {})


def test_it_is_the_run_that_replay_reports(shipped):
    scenario = read_scenario(SHIPPED / "a-customer-tables.yaml")
    assert shipped("a-customer-tables").result == replay(scenario).result
    late = Changes(faults=Faults(delay={"vector": 20.0}))
    assert inspect_replay(scenario, late).result == replay(scenario, late).result


def test_every_citation_has_its_lines(shipped):
    inspection = shipped("a-customer-tables")
    cited = {tuple(c["location"].values()) for c in inspection.result["citations"]}
    assert cited
    assert cited <= set(inspection.excerpts)


def test_no_lines_come_from_beyond_the_permission(shipped):
    inspection = shipped("permission-narrowed")
    scenario = read_scenario(SHIPPED / "permission-narrowed.yaml")
    assert {project for project, *_ in inspection.excerpts} <= set(scenario.context["allowed_projects"])


def test_there_is_no_recording(tmp_path):
    file = tmp_path / "one.yaml"
    file.write_text('schema_version: "1"\nid: one\nquery: What is it?\n', encoding="utf-8")
    with pytest.raises(InvalidInputError, match="no recording"):
        inspect_replay(read_scenario(file))
