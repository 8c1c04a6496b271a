"""A server that follows, while the index is made elsewhere: what it answers, to whom, and what it logs."""

from __future__ import annotations

import json
import math
from contextlib import asynccontextmanager

import anyio
import pytest
import structlog

from interfaces.mcp.http import keep_following
from memory.embedders import FakeDenseEmbedder
from memory.errors import UnavailableError
from orchestrator import logbook
from tests.interfaces.mcp.conftest import Heard
from tests.memory.vector.edge_http_front import EdgeHttpFront
from tests.organisation import write
from tests.wiring.announced import Announced

pytestmark = [
    pytest.mark.slow,
    pytest.mark.allow_hosts(["127.0.0.1"]),
    pytest.mark.filterwarnings("ignore::DeprecationWarning:mcp.*"),
]

FLASHES = "How many flashes has the Beacon?"


@pytest.fixture(scope="module")
def anyio_backend():
    return "asyncio"  # a server keeps real time


@pytest.fixture
def place(tmp_path):
    write(tmp_path / "projects")
    with EdgeHttpFront(str(tmp_path / "front")) as front:
        yield Announced(tmp_path, front)


class Steps:
    """A clock by which between two looks at the pointer something happens."""

    def __init__(self, *steps):
        self.steps, self.slept, self.scope = list(steps), [], anyio.CancelScope()

    async def sleep(self, seconds):
        self.slept.append(seconds)
        if not self.steps:
            self.scope.cancel()
            await anyio.sleep_forever()
        await self.steps.pop(0)()


async def looked(place, *steps):
    """What was logged while a server looked once, and once after each step."""
    clock = Steps(*steps)
    logbook._doors.clear()
    structlog.reset_defaults()
    with structlog.testing.capture_logs() as logged, clock.scope:
        await keep_following(place.server, place.config.vector.qdrant, clock)
    assert clock.slept == [1.0] * (len(steps) + 1)
    return [": ".join([one["event"], *one.get("reason", "").split(":")[:1]]).rstrip(": ") for one in logged]


@asynccontextmanager
async def tools(place, *, following=False, **more):
    from interfaces.mcp.index import open_served  # noqa: PLC0415 - takes a second
    from interfaces.mcp.tools import Tools  # noqa: PLC0415 - as above

    async with open_served(
        place.server, "qdrant", place.config, dense=FakeDenseEmbedder(), following=following
    ) as index:
        yield Tools(index, most_chars=16_000, **more)


async def test_it_looks_again_and_again_and_says_once_what_is_wrong(place):
    async def down():
        place.front.left = 0

    async def still():
        pass

    async def up():
        place.front.left = None

    async def publish():
        await place.index()

    assert await looked(place, still, publish, still, down, still, up) == [
        "the index can't be followed: DataFolderError",
        "another generation is here",
        "the index can't be followed: StoreError",
    ]


async def test_before_anything_was_fetched_a_server_says_so(place):
    async with tools(place, following=True) as one:
        with pytest.raises(UnavailableError, match=r"has not fetched an index yet\. Ask again soon"):
            await one.list_projects()
        with pytest.raises(UnavailableError, match="has not fetched"):
            await one.ask_projects(Heard(), FLASHES)
        await place.index()
        await place.follow()
        assert [project["name"] for project in (await one.list_projects())["projects"]] == ["harbour", "lighthouse"]


async def test_who_may_see_one_project_sees_nothing_of_the_other(place):
    await place.index()
    await place.follow()
    async with tools(place, allowed=frozenset({"harbour"})) as ada, tools(place) as ben:
        answers = [
            [
                await one.list_projects(),
                await one.ask_projects(Heard(), FLASHES),
                await one.retrieve_evidence("Beacon flashes"),
                await one.find_entities("Beacon"),
            ]
            for one in (ada, ben)
        ]
    assert "three flashes" in json.dumps(answers[1])
    for secret in ("lighthouse/", '"lighthouse"', "class Beacon", "flashes each"):
        assert secret in json.dumps(answers[1])
        assert secret not in json.dumps(answers[0])


@pytest.mark.slow
async def test_no_question_fails_and_none_mixes_while_generations_follow_one_another(place):
    """Two files that always say the same number: an answer that has two numbers is of two generations."""
    numbers = ("two", "three", "four", "five")

    def edit(number):
        place.edit(f"# lighthouse\n\nThe Beacon has {number} flashes.\n")
        (place.projects / "lighthouse/docs").mkdir(exist_ok=True)
        (place.projects / "lighthouse/docs/beacon.md").write_text(f"# Beacon\n\nFlashes of the Beacon: {number}.\n")

    edit(numbers[0])
    await place.index()
    await place.follow()
    send, said = anyio.create_memory_object_stream[set[str]](math.inf)
    seen = []

    async def ask(one):
        while True:
            result = await one.ask_projects(Heard(), FLASHES)
            assert result["status"] == "answered"
            answer = result["answer"]
            await send.send({number for number in numbers if f"{number} flashes" in answer or f": {number}." in answer})

    async with tools(place) as one, send, said, anyio.create_task_group() as group:
        for _ in range(2):
            group.start_soon(ask, one)
        for number in numbers[1:]:
            edit(number)
            await place.index()
            await place.follow()
            seen += [await said.receive() for _ in range(said.statistics().current_buffer_used + 4)]
        group.cancel_scope.cancel()
    assert all(len(one) == 1 for one in seen)
    assert [*dict.fromkeys(min(one) for one in seen)] == list(numbers)
