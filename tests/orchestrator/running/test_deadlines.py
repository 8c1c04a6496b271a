"""A call that does not stop holds nobody up: not the run, not closing, not the event loop's end."""

from __future__ import annotations

import asyncio
import math

import anyio
import pytest
import structlog

from memory.attempt import LATE, Attempt
from memory.query import PathRole
from memory.shared import SharedWorkingMemory
from orchestrator import HybridRetrievalOrchestrator
from orchestrator.running import AgentSpec, Limits, MultiAgentOrchestrator, OrchestrationMode, Strays
from orchestrator.running.deadlines import ENDS_WITHIN, NEVER_STOPPED, STOPS_WITHIN, Leash
from orchestrator.running.fakes import FakeAgent, FakeGraphAgent, FakeStubbornAgent, found
from replay.parts import VirtualTimeLoop

LONG = 25.0
QUESTION = "How do other teams handle retries for customer tables?"
RETRIES = found("Retries for customer tables back off three times.")
OTHER = AgentSpec("other", agent=FakeAgent([found("one")], seconds=0.2))


class Shielded(FakeAgent):
    """Does not let itself be cancelled."""

    async def _act(self):
        with anyio.CancelScope(shield=True):
            return await super()._act()


class SlowToEnd(FakeAgent):
    """Takes its time to clean up."""

    cleaning = 0.0

    async def _act(self):
        try:
            return await super()._act()
        finally:
            self.ended = False
            with anyio.CancelScope(shield=True):
                await anyio.sleep(self.cleaning)
            self.ended = True


async def run(*specs, strays=None, limits=None, mode=OrchestrationMode.PARALLEL, **options):
    """The outcomes, the texts in the shared memory, and how long it took."""
    memory = SharedWorkingMemory("q")
    runner = MultiAgentOrchestrator(mode, specs, limits=limits or Limits(), strays=strays, scope_mode="sequential")
    began = anyio.current_time()
    result = await runner.run("q", memory=memory, entities=["Customer"], **options)
    return result.outcomes, [entry.content for entry in memory.snapshot()], anyio.current_time() - began


async def test_a_shield_does_not_hold_against_the_deadline():
    shielded = Shielded([found("late")], LONG)
    outcomes, texts, seconds = await run(AgentSpec("a", agent=shielded, timeout_ms=1000), OTHER)
    assert (outcomes["a"].status, outcomes["a"].reason, texts) == ("timeout", LATE, ["one"])
    assert seconds == pytest.approx(1)
    assert shielded.ended


@pytest.mark.parametrize("mode", OrchestrationMode)
async def test_who_swallows_its_cancellation_is_given_up(mode):
    stubborn, strays = FakeStubbornAgent([found("late")], LONG), Strays()
    outcomes, texts, seconds = await run(
        AgentSpec("a", agent=stubborn, timeout_ms=1000), OTHER, strays=strays, mode=mode
    )
    assert (outcomes["a"].status, outcomes["a"].reason, texts) == ("timeout", NEVER_STOPPED, ["one"])
    assert outcomes["other"].status == "ok"
    assert seconds == pytest.approx(1 + STOPS_WITHIN + (0.2 if mode is OrchestrationMode.SEQUENTIAL else 0))
    assert (len(strays), stubborn.cancelled) == (1, 1)  # cancelled once, and not again with every turn of the loop
    await anyio.sleep(LONG)
    assert (len(strays), stubborn.ended) == (0, True)


async def test_the_runs_own_end_holds_as_an_agents_does():
    stubborn = FakeStubbornAgent(seconds=LONG)
    outcomes, _, seconds = await run(AgentSpec("a", agent=stubborn), OTHER, limits=Limits(agent=9, total=2))
    assert (outcomes["a"].status, outcomes["a"].reason) == ("timeout", NEVER_STOPPED)
    assert seconds == pytest.approx(2 + STOPS_WITHIN)
    await anyio.sleep(LONG)


async def test_a_may_that_is_not_waited_for_is_given_up_too():
    may = AgentSpec("may", agent=FakeStubbornAgent(seconds=LONG), path_role=PathRole.MAY)
    outcomes, _, seconds = await run(OTHER, may, limits=Limits(grace=0.05))
    assert (outcomes["may"].status, outcomes["may"].reason) == ("skipped", "not waited for")
    assert seconds == pytest.approx(0.25 + STOPS_WITHIN)
    await anyio.sleep(LONG)


async def test_a_search_for_the_scope_that_does_not_stop_costs_only_the_scope():
    class Stubborn(FakeGraphAgent):
        async def find_scope(self, entities, context=None):
            await FakeStubbornAgent(seconds=LONG).retrieve("", context)

    spec = AgentSpec("a", agent=Stubborn([found("one")]), gives_scope=True)
    outcomes, texts, seconds = await run(spec, limits=Limits(agent=2))
    assert (outcomes["a"].status, texts) == ("ok", ["one"])
    assert outcomes["a"].reason == f"no scope: {NEVER_STOPPED}"
    assert seconds == pytest.approx(1 + STOPS_WITHIN)
    await anyio.sleep(LONG)


async def test_nothing_is_taken_from_it_any_more():
    class Publishes:
        async def publish_into(self, query, context, publish):
            try:
                await anyio.sleep(LONG)
            except asyncio.CancelledError:
                await anyio.sleep(1)
            await publish(found("late"))

    _, texts, _ = await run(AgentSpec("a", agent=Publishes(), timeout_ms=1000), OTHER)
    await anyio.sleep(2)
    assert texts == ["one"]


@pytest.mark.parametrize(("cleaning", "left"), [(STOPS_WITHIN / 2, 0), (STOPS_WITHIN * 2, 1)])
async def test_cleaning_up_is_waited_for_a_moment_and_never_interrupted(cleaning, left):
    slow, strays = SlowToEnd(seconds=math.inf), Strays()
    slow.cleaning = cleaning
    _, _, seconds = await run(AgentSpec("a", agent=slow, timeout_ms=1000), strays=strays)
    assert seconds == pytest.approx(1 + min(cleaning, STOPS_WITHIN))
    assert len(strays) == left
    await anyio.sleep(1)
    assert slow.ended


@pytest.mark.parametrize("how", ["scope", "task"])
async def test_a_caller_who_goes_is_not_kept(how):
    stubborn, strays = FakeStubbornAgent(seconds=LONG), Strays()
    began = anyio.current_time()
    if how == "scope":
        with anyio.move_on_after(1):
            await run(AgentSpec("a", agent=stubborn), strays=strays)
    else:
        task = asyncio.create_task(run(AgentSpec("a", agent=stubborn), strays=strays))
        await anyio.sleep(1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert anyio.current_time() - began == pytest.approx(1 + STOPS_WITHIN)
    assert len(strays) == 1
    await anyio.sleep(LONG)


class TestClose:
    async def given_up(self, agent):
        strays = Strays()
        done = await Leash("a", strays).attempt(lambda: agent.retrieve("q", None), anyio.current_time() + 1)
        assert done == Attempt("timeout", reason=NEVER_STOPPED)
        return strays

    async def test_cancels_once_more_and_waits(self):
        agent = FakeStubbornAgent(seconds=LONG, swallows=1)
        strays = await self.given_up(agent)
        began = anyio.current_time()
        await strays.close()
        assert (anyio.current_time() - began, agent.ended, len(strays)) == (0, True, 0)

    @pytest.fixture
    def logged(self):
        with structlog.testing.capture_logs() as lines:
            yield lines
        structlog.reset_defaults()

    async def test_waits_a_second_at_most_and_says_what_still_runs(self, logged):
        strays = await self.given_up(FakeStubbornAgent(seconds=LONG))
        began = anyio.current_time()
        await strays.close()
        assert anyio.current_time() - began == pytest.approx(ENDS_WITHIN)
        assert [(line["event"], line["call"]) for line in logged] == [
            ("a call did not stop when its time was over", "a"),
            ("a call still runs at the end", "a"),
        ]
        await anyio.sleep(LONG)

    async def test_of_an_orchestrator(self):
        stubborn = FakeStubbornAgent(seconds=LONG, swallows=1)
        async with HybridRetrievalOrchestrator(graph=stubborn, vector=FakeAgent([RETRIES])) as one:
            began = anyio.current_time()
            result = await one.retrieve(QUESTION, {"deadline": 2})
            assert anyio.current_time() - began < 2
            assert (result.status, result.coverage.agents[1].reason) == ("partial", NEVER_STOPPED)
        assert stubborn.ended

    async def test_of_nothing(self):
        await Strays().close()


def test_the_event_loop_ends_though_a_call_never_does():
    ended = []

    async def main():
        outcomes, _, _ = await run(AgentSpec("a", agent=FakeStubbornAgent(seconds=math.inf)), OTHER)
        ended.append(outcomes["a"].reason)

    anyio.run(main, backend_options={"loop_factory": VirtualTimeLoop})
    assert ended == [NEVER_STOPPED]


async def test_a_synthesis_that_does_not_stop_is_replaced():
    class Stubborn:
        async def answer(self, query, observations):
            return await FakeStubbornAgent(seconds=LONG).retrieve(query, None)

    began = anyio.current_time()
    one = HybridRetrievalOrchestrator(synthesis=Stubborn(), vector=FakeAgent([RETRIES]))
    result = await one.retrieve(QUESTION, {"deadline": 2})
    assert anyio.current_time() - began == pytest.approx(2 + STOPS_WITHIN)
    assert (result.answer.answerer, result.status) == ("extractive", "answered")
    await anyio.sleep(LONG)
