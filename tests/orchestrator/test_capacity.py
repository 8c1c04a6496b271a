"""More questions at once than are taken, on virtual time: some are answered, some wait, the rest are refused."""

from __future__ import annotations

import anyio
import pytest

from configs import HybridRetrievalConfig
from memory.clock import SystemClock
from memory.errors import BusyError
from orchestrator import HybridRetrievalOrchestrator
from orchestrator.running.fakes import FakeAgent, found
from replay.parts import VirtualTimeLoop

QUESTION = "How do other teams handle retries for customer tables?"
RETRIES = found("Retries for customer tables back off three times.", "billing")


@pytest.fixture(scope="module")
def anyio_backend():
    return "asyncio", {"loop_factory": VirtualTimeLoop}


def orchestrator(seconds=1.0, running=2, waiting=3, **parts):
    config = HybridRetrievalConfig(max_running=running, max_waiting=waiting)
    return HybridRetrievalOrchestrator(vector=FakeAgent([RETRIES], seconds=seconds), config=config, **parts)


async def ask_at_once(opened, count, context=None):
    """How each ended, and when."""
    ended = []

    async def ask():
        try:
            result = await opened.retrieve(QUESTION, context)
            ended.append((result.status, anyio.current_time() - began))
        except BusyError as error:
            ended.append((error.message, anyio.current_time() - began))

    began = anyio.current_time()
    async with anyio.create_task_group() as group:
        for _ in range(count):
            group.start_soon(ask)
    return ended


async def test_so_many_at_once_the_next_ones_after_them_the_rest_refused():
    async with orchestrator() as opened:
        ended = await ask_at_once(opened, 7)
    refused = ("Too many questions at once: 3 wait already.", 0.0)
    assert ended == [refused, refused, *[("answered", 1.0)] * 2, *[("answered", 2.0)] * 2, ("answered", 3.0)]


async def test_the_wait_for_others_is_part_of_the_time():
    class LoopClock(SystemClock):
        def monotonic(self):
            return anyio.current_time()

    took = []
    async with orchestrator(running=1, clock=LoopClock()) as opened, anyio.create_task_group() as group:

        async def ask():
            took.append((await opened.retrieve(QUESTION)).metrics.total_time_ms)

        for _ in range(3):
            group.start_soon(ask)
    assert took == pytest.approx([1000.0, 2000.0, 3000.0])


async def test_who_was_refused_is_answered_a_moment_later():
    async with orchestrator(running=1, waiting=0) as opened:
        assert sorted(status for status, _ in await ask_at_once(opened, 2))[1] == "answered"
        assert await ask_at_once(opened, 1) == [("answered", 1.0)]


async def test_a_question_waits_for_half_of_its_time():
    async with orchestrator(seconds=4.0, running=1) as opened:
        ended = await ask_at_once(opened, 2, {"deadline": 6.0})
    assert ended == [("Too many questions at once: no place became free within 3 s.", 3.0), ("answered", 4.0)]


async def test_the_wait_is_part_of_a_questions_time():
    async with orchestrator(seconds=3.1, running=1) as opened:
        ended = await ask_at_once(opened, 2, {"deadline": 6.4})
    assert ended == [("answered", 3.1), ("not_found", pytest.approx(6.07))]  # a tenth of the rest is kept


async def test_a_stream_is_refused_too():
    async with orchestrator(running=1, waiting=0) as opened, anyio.create_task_group() as group:
        group.start_soon(opened.retrieve, QUESTION)
        await anyio.wait_all_tasks_blocked()
        with pytest.raises(BusyError):
            [event async for event in opened.stream(QUESTION)]


async def test_who_leaves_gives_a_place_back_and_one_in_the_queue_too():
    async with orchestrator(seconds=1.0, running=1, waiting=1) as opened:
        with anyio.move_on_after(0.5):
            await ask_at_once(opened, 2)
        assert await ask_at_once(opened, 2) == [("answered", 1.0), ("answered", 2.0)]


@pytest.mark.specification("001 §3.2 ENTITY_LOOKUP")
async def test_beside_others_a_may_is_waited_for():
    """One alone is cut off half a second after the last must; with others at the processor its lateness says nothing of it."""

    def slow_may(*, in_process=True):
        return HybridRetrievalOrchestrator(
            graph=FakeAgent([RETRIES]),
            vector=FakeAgent([found("Callers of the tables.", "auth")], seconds=0.8),
            config=HybridRetrievalConfig(),
            graph_in_process=in_process,
        )

    async def vector(opened, questions):
        results = []
        async with opened, anyio.create_task_group() as group:
            for _ in range(questions):
                group.start_soon(lambda: _keep(results, opened, "Who calls customer_tables?"))
        return [{one.agent: one.status for one in result.coverage.agents}["vector"] for result in results]

    assert await vector(slow_may(), 1) == ["skipped"]
    assert await vector(slow_may(), 2) == ["ok", "ok"]
    assert await vector(slow_may(in_process=False), 2) == ["skipped", "skipped"], "they wait for no processor"


async def test_questions_to_agents_elsewhere_are_not_counted():
    """They wait for a network, and so does an answer that a language model writes."""
    elsewhere = HybridRetrievalOrchestrator(graph=FakeAgent([RETRIES], seconds=1.0), config=HybridRetrievalConfig())
    async with elsewhere as opened:
        ended = await ask_at_once(opened, 500)
    assert ended == [("answered", 1.0)] * 500


async def _keep(results, opened, question):
    results.append(await opened.retrieve(question))
