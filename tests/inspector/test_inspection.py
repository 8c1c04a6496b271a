"""The lines that a page shows, inside the permission."""

from __future__ import annotations

import anyio
import pytest

from configs import HybridRetrievalConfig
from inspector import Excerpt, follow, inspect_replay
from inspector.inspection import read_excerpts
from inspector.timeline import timeline
from memory.clock import VirtualClock
from memory.errors import InvalidInputError, InvalidQueryError, StoreError
from memory.files import FakeFiles
from orchestrator import HybridRetrievalOrchestrator
from orchestrator.running.fakes import FakeAgent, found
from replay import Changes, Faults, read_scenario, replay
from tests.inspector.conftest import SHIPPED

FILES = {"a/five.md": "1\n2\n3\n4\n5", "a/long.md": "\n".join(map(str, range(1, 101))), "b/five.md": "secret"}


def at(path, first, last, project="a"):
    return {"project": project, "path": path, "start_line": first, "end_line": last}


def result(*cited, proved=(), source="graph:kglite"):
    return {
        "citations": [{"location": one} for one in cited],
        "observations": [{"source": source, "locations": proved}],
    }


async def read(document, files=None):
    return await read_excerpts(files or FakeFiles(FILES, frozenset({"a"})), document)


@pytest.mark.parametrize(
    ("first", "last", "excerpt"),
    [
        (2, 2, Excerpt(1, ("1", "2", "3", "4", "5"))),  # three before are one, three after are just there
        (5, 5, Excerpt(2, ("2", "3", "4", "5"))),  # and none after the last
        (4, 4, Excerpt(1, ("1", "2", "3", "4", "5"))),
    ],
)
async def test_a_citation_has_lines_around_it(first, last, excerpt):
    assert await read(result(at("five.md", first, last))) == {("a", "five.md", first, last): excerpt}


async def test_a_long_place_is_cut():
    [excerpt] = (await read(result(at("long.md", 11, 60)))).values()
    assert (excerpt.start, excerpt.lines[0], excerpt.lines[-1], excerpt.cut) == (8, "8", "50", True)  # 11 + 40 - 1


async def test_what_proves_a_relation_stands_alone():
    places = [at("long.md", 11, 11), at("long.md", 21, 60)]
    first, second = (await read(result(proved=places))).values()
    assert first == Excerpt(11, ("11",))
    assert (second.lines[-1], second.cut) == ("32", True)  # 21 + 12 - 1


async def test_a_place_that_is_also_cited_has_its_context():
    place = at("five.md", 3, 3)
    [excerpt] = (await read(result(place, proved=[place]))).values()
    assert excerpt.start == 1


async def test_a_chunk_has_its_text_already():
    assert await read(result(proved=[at("five.md", 1, 1)], source="vector:qdrant")) == {}


async def test_what_may_not_be_seen_is_not_there():
    assert await read(result(at("five.md", 1, 1, "b"), at("gone.md", 1, 1), at("five.md", 4, 9), None)) == {}


class Broken:
    """A store that is out of reach, or hangs at the second call."""

    def __init__(self, *answers):
        self.answers = list(answers)

    async def lines(self, location):
        if not self.answers:
            raise StoreError("gone", "Come back later.")
        if (answer := self.answers.pop(0)) is None:
            await anyio.sleep_forever()
        return answer


async def test_a_store_that_is_gone_costs_the_page_its_lines_alone():
    assert await read(result(at("five.md", 1, 1)), Broken()) == {}


async def test_a_store_that_hangs_costs_ten_seconds_and_the_rest():
    began = anyio.current_time()
    shown = await read(result(at("five.md", 1, 1), at("five.md", 2, 2)), Broken(["1"], None))
    assert list(shown) == [("a", "five.md", 1, 1)]
    assert anyio.current_time() - began == 10.0


async def test_agents_of_ones_own_have_no_files():
    assert await read_excerpts(None, result(at("five.md", 1, 1))) == {}


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
