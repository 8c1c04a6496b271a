"""Who blocks the event loop takes no time from the others, and is late itself."""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass

import anyio
import pytest

from memory.entities import Scope
from memory.query import PathRole
from memory.shared import SharedWorkingMemory
from orchestrator import HybridRetrievalOrchestrator
from orchestrator.running import AgentSpec, Limits, MultiAgentOrchestrator, OrchestrationMode
from orchestrator.running.deadlines import BLOCKED, NOTICED
from orchestrator.running.fakes import FakeAgent, FakeGraphAgent, FakePublishingAgent, FakeStubbornAgent, found
from synthesis import Answer

LIMITS = Limits(agent=3)
QUESTION = "How do other teams handle retries for customer tables?"
RETRIES = found("Retries for customer tables back off three times.")


def block(seconds):
    """What `time.sleep` does to the event loop."""
    asyncio.get_running_loop().jump(seconds)


@dataclass
class Blocks(FakeAgent):
    """Works for as long without awaiting anything, so many times."""

    times: float = 1

    async def _act(self):
        done = 0
        while done < self.times:
            block(self.seconds)
            await anyio.lowlevel.checkpoint()
            done += 1
        return self.returns


async def run(*agents, limits=LIMITS, mode=OrchestrationMode.PARALLEL, **more):
    """By agent (a, b, ...) its status and reason; the texts in the shared memory, and how long it took."""
    memory = SharedWorkingMemory("q")
    specs = [AgentSpec(name, agent=agent) for name, agent in zip("abc", agents, strict=False)]
    runner = MultiAgentOrchestrator(mode, specs, limits=limits, **more)
    began = anyio.current_time()
    result = await runner.run("q", memory=memory, entities=["Customer"])
    ended = {name: (outcome.status, outcome.reason) for name, outcome in result.outcomes.items()}
    return ended, [entry.content for entry in memory.snapshot()], anyio.current_time() - began


@pytest.mark.parametrize("mode", OrchestrationMode)
async def test_the_others_have_their_time_all_the_same(mode):
    ended, texts, seconds = await run(Blocks([found("late")], 12), FakeAgent([found("one")], 2.9), mode=mode)
    assert (ended, texts) == ({"a": ("timeout", BLOCKED), "b": ("ok", None)}, ["one"])
    assert seconds == pytest.approx(14.9)


async def test_who_was_before_the_others_end_does_so_too():
    ended, texts, seconds = await run(FakeAgent([found("one")], 2.9), Blocks([found("late")], 2.8), FakeAgent([], 2.9))
    assert (ended["a"], ended["b"], texts) == (("ok", None), ("ok", None), ["one", "late"])
    assert seconds == pytest.approx(5.7)


async def test_but_no_more_than_that():
    ended, _, seconds = await run(Blocks(seconds=8), FakeAgent(seconds=math.inf))
    assert ended["b"] == ("timeout", "did not answer in time")
    assert seconds == pytest.approx(11)


async def test_a_turn_that_is_short_is_counted_against_all():
    _, _, seconds = await run(Blocks(seconds=NOTICED / 2, times=math.inf), FakeAgent(seconds=math.inf))
    assert seconds == pytest.approx(3, abs=NOTICED)


async def test_they_put_each_other_off_for_as_long_as_each_has_time():
    ended, texts, seconds = await run(
        Blocks(seconds=0.5, times=math.inf), Blocks(seconds=0.5, times=math.inf), FakeAgent([found("one")], 2.9)
    )
    assert ([status for status, _ in ended.values()], texts) == (["timeout", "timeout", "ok"], ["one"])
    assert seconds <= 9


async def test_who_is_given_up_puts_nobody_off():
    class Goes(FakeStubbornAgent):
        async def _act(self):
            for _ in range(100):
                try:
                    await anyio.sleep(0.01)
                except asyncio.CancelledError:
                    self.cancelled += 1
                block(0.5)

    ended, _, seconds = await run(Goes(), FakeAgent(seconds=math.inf))
    assert (ended["a"][0], ended["b"][0]) == ("timeout", "timeout")
    assert seconds < 8


async def test_a_list_that_blocks_when_it_is_read():
    class Slow(list):
        def __iter__(self):
            block(12)
            return super().__iter__()

    ended, texts, _ = await run(FakeAgent(Slow([found("late")])), FakeAgent([found("one")], 1))
    assert (ended["a"], ended["b"]) == (("timeout", BLOCKED), ("ok", None))
    assert "one" in texts


async def test_the_scope_is_waited_for_as_long_as_without():
    class Scoped(FakeAgent):
        async def retrieve(self, query, context, scope=None):
            return [found(f"inside {scope.names}" if scope else "everywhere")]

    giving = FakeGraphAgent(scope=Scope(["billing"]), scope_seconds=1)
    _, texts, _ = await run(Blocks(seconds=8), giving, Scoped())
    assert len(texts) == 2


async def test_the_answer_says_who_it_was_and_is_written_in_time():
    blocks = Blocks([found("late")], 8)
    async with HybridRetrievalOrchestrator(graph=blocks, vector=FakePublishingAgent([RETRIES], 1)) as one:
        result = await one.retrieve(QUESTION, {"deadline": 3})
    assert (result.status, result.coverage.agents[1].reason) == ("partial", BLOCKED)
    assert (result.coverage.agents[2].status, result.coverage.agents[2].role) == ("ok", PathRole.MUST)
    assert (RETRIES.content in result.answer.text, result.answer.notes) == (True, ())


async def test_an_answer_that_blocked_the_loop_is_one():
    class Writes:
        async def answer(self, query, observations):
            block(12)
            return Answer("Three times.")

    one = HybridRetrievalOrchestrator(synthesis=Writes(), vector=FakeAgent([RETRIES]))
    assert (await one.retrieve(QUESTION)).answer.text == "Three times."
