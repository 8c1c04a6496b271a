"""A dead store costs the first questions their deadline and the next ones nothing; one that is back is found again."""

from __future__ import annotations

from dataclasses import replace

import anyio
import pytest

from configs import HybridRetrievalConfig
from configs.settings import GraphSettings, VectorSettings
from memory.clock import VirtualClock
from memory.errors import ConfigError, StoreError
from wiring.breaking import FAILURES, LATE, PAUSE, Breaker, Guarded, behind, breaker_of, opened_behind


class Store:
    """Answers, or fails as it is told; counts who asked."""

    engine = "neo4j"

    def __init__(self):
        self.error = None
        self.asked = 0
        self.hang = 0.0
        self.closed = False

    async def find(self, word, *, permission):
        self.asked += 1
        await anyio.sleep(self.hang)
        if self.error is not None:
            raise self.error
        return [word, permission]

    async def close(self):
        self.closed = True


@pytest.fixture
def clock():
    return VirtualClock()


@pytest.fixture
def store():
    return Store()


@pytest.fixture
def guarded(store, clock):
    return behind(Breaker("Neo4j at bolt://a", clock), store)


async def refused(guarded, times=1):
    said = []
    for _ in range(times):
        with pytest.raises(StoreError) as error:
            await guarded.find("a", permission=frozenset())
        said.append(error.value.message)
    return said


async def test_what_a_store_says_comes_through(guarded, store):
    assert await guarded.find("a", permission=frozenset("b")) == ["a", frozenset("b")]
    assert guarded.engine == "neo4j"
    await guarded.close()
    assert store.closed
    with pytest.raises(AttributeError):
        guarded.nothing_like_it  # noqa: B018 - it is looked at


async def test_after_failures_in_a_row_it_is_left_alone(guarded, store):
    store.error = StoreError("It is out of reach.")
    assert await refused(guarded, FAILURES) == ["It is out of reach."] * FAILURES
    assert (
        await refused(guarded, 50) == ["Neo4j at bolt://a failed 3 calls in a row and is left alone for a while."] * 50
    )
    assert store.asked == FAILURES


async def test_one_answer_between_them_and_it_is_not(guarded, store):
    for _ in range(4):
        store.error = StoreError("Once more.")
        await refused(guarded, FAILURES - 1)
        store.error = None
        assert await guarded.find("a", permission=frozenset())
    assert store.asked == 4 * FAILURES


async def test_after_the_pause_one_call_sees_whether_it_is_back(guarded, store, clock):
    store.error = StoreError("It is out of reach.")
    await refused(guarded, FAILURES)
    clock.seconds += PAUSE
    await refused(guarded, 5)
    assert store.asked == FAILURES + 1
    clock.seconds += PAUSE
    store.error = None
    assert await guarded.find("a", permission=frozenset())
    assert await guarded.find("b", permission=frozenset())
    assert store.asked == FAILURES + 3


async def test_while_one_sees_the_others_do_not_wait(guarded, store, clock):
    store.error = StoreError("It is out of reach.")
    await refused(guarded, FAILURES)
    clock.seconds += PAUSE
    store.hang, store.error = 0.01, None
    async with anyio.create_task_group() as group:
        group.start_soon(lambda: guarded.find("a", permission=frozenset()))
        await anyio.wait_all_tasks_blocked()
        await refused(guarded, 10)
    assert store.asked == FAILURES + 1


@pytest.mark.parametrize(("seconds", "asked"), [(LATE, FAILURES), (LATE / 2, 5)])
async def test_calls_that_their_callers_gave_up_count_when_they_were_late(guarded, store, clock, seconds, asked):
    store.hang = 60.0
    for _ in range(5):
        with anyio.CancelScope() as scope:
            async with anyio.create_task_group() as group:
                group.start_soon(_ignoring_refusal, guarded)
                await anyio.wait_all_tasks_blocked()
                clock.seconds += seconds
                scope.cancel()
    assert store.asked == asked


async def _ignoring_refusal(guarded):
    try:
        await guarded.find("a", permission=frozenset())
    except StoreError:
        return


async def test_a_mistake_of_the_callers_says_nothing_of_the_store(guarded, store):
    store.error = ConfigError("a", "b", "c")
    for _ in range(FAILURES + 2):
        with pytest.raises(ConfigError):
            await guarded.find("a", permission=frozenset())
    assert store.asked == FAILURES + 2


async def test_a_server_that_is_not_there_is_opened_with_the_first_call_that_reaches_it(store, clock):
    reached = []

    async def opening():
        if not reached:
            raise StoreError("Nobody listens.")
        return store

    guarded = await opened_behind(Breaker("Qdrant at http://a", clock), opening)
    assert await refused(guarded) == ["Nobody listens."]
    await guarded.close()
    assert not store.closed
    reached.append(True)
    assert await guarded.find("a", permission=frozenset()) == ["a", frozenset()]


async def test_what_is_wrong_with_the_settings_is_raised_at_once(clock):
    async def opening():
        raise ConfigError("vector.qdrant.url", "settings", "is none.")

    with pytest.raises(ConfigError):
        await opened_behind(Breaker("Qdrant", clock), opening)


def test_one_for_each_server_and_none_for_the_data_folder():
    config = HybridRetrievalConfig()
    assert breaker_of(config.vector) is None
    assert breaker_of(config.graph) is None
    served = breaker_of(replace(VectorSettings(), store="qdrant"))
    assert served is breaker_of(replace(VectorSettings(), store="qdrant"))
    other = replace(VectorSettings().qdrant, url="http://127.0.0.1:6334")
    assert breaker_of(replace(VectorSettings(), store="qdrant", qdrant=other)) is not served
    assert breaker_of(replace(GraphSettings(), store="neo4j")) is not served
    store = Store()
    assert behind(None, store) is store
    assert isinstance(behind(served, store), Guarded)
