"""The shared memory: many writers, an order that nobody's speed changes."""

from __future__ import annotations

import math

import anyio
import pytest

from memory.observations import NormalizedObservation, VectorObservation
from memory.shared import MemoryEntry, SharedWorkingMemory


@pytest.mark.specification("001 §7.2 SharedWorkingMemory", "001 §7.2 attention")
async def test_the_specifications_call():
    memory = SharedWorkingMemory(task_id="query_123")
    made = await memory.add_observation(
        content="Customer entity found in billing-service",
        source_agent_id="graph",
        attention_weight=0.9,
        is_belief_candidate=True,
    )
    entry = MemoryEntry("graph-1", "Customer entity found in billing-service", "graph", 0.9, is_belief_candidate=True)
    assert (memory.task_id, made, memory.snapshot()) == ("query_123", "graph-1", (entry,))


async def test_adding_at_once_is_the_same():
    waiting, at_once = SharedWorkingMemory("q"), SharedWorkingMemory("q")
    found = VectorObservation("text", "a.md", "crm", 0.5, None, "documentation")
    await waiting.add_observation("text", "vector", 0.7, is_belief_candidate=True, observation=found)
    assert at_once.add("text", "vector", 0.7, is_belief_candidate=True, observation=found) == "vector-1"
    assert at_once.snapshot() == waiting.snapshot()


async def test_an_entry_holds_its_observation():
    memory = SharedWorkingMemory("q")
    found = VectorObservation("text", "a.md", "crm", 0.5, None, "documentation")
    await memory.add_observation(found.content, "vector", observation=found)
    (entry,) = memory.snapshot()
    assert entry.observation is found
    assert (entry.attention_weight, entry.is_belief_candidate) == (0.5, False)


async def test_what_the_merger_can_do_alone_is_done_as_it_comes():
    prepared = []

    def prepare(entry):
        prepared.append(entry.id)
        return NormalizedObservation(entry.content, "graph:kglite", None, entry.attention_weight, "note")

    memory = SharedWorkingMemory("q", prepare)
    await memory.add_observation("one", "graph", 0.7)
    assert prepared == ["graph-1"]
    (entry,) = memory.snapshot()
    assert (entry.prepared.content, entry.prepared.confidence) == ("one", 0.7)
    assert entry == MemoryEntry("graph-1", "one", "graph", 0.7, is_belief_candidate=False)


@pytest.mark.parametrize(
    ("content", "weight"),
    [("", 0.5), (" \n", 0.5), (None, 0.5), ("x", -0.1), ("x", 1.1), ("x", math.nan), ("x", math.inf), ("x", True)],
)
async def test_garbage_is_refused(content, weight):
    memory = SharedWorkingMemory("q")
    with pytest.raises(ValueError, match=r"content is a text|not from 0 to 1"):
        await memory.add_observation(content, "graph", weight)
    assert (memory.snapshot(), memory.count("graph")) == ((), 0)


@pytest.mark.specification("001 §2.2 step 3", "001 §7.2 SharedWorkingMemory")
async def test_concurrent_writers_and_an_order_that_does_not_depend_on_them():
    async def write(memory, agent, texts):
        for text in texts:
            await anyio.lowlevel.checkpoint()
            await memory.add_observation(text, agent)

    texts = {"vector": ["d", "e"], "graph": ["a", "b", "c"], "local": []}
    snapshots = []
    for agents in (texts, dict(reversed(texts.items()))):
        memory = SharedWorkingMemory("q")
        async with anyio.create_task_group() as group:
            for agent, said in agents.items():
                group.start_soon(write, memory, agent, said)
        snapshots.append([(entry.id, entry.content) for entry in memory.snapshot()])
    assert snapshots[0] == snapshots[1]
    assert snapshots[0] == [("graph-1", "a"), ("graph-2", "b"), ("graph-3", "c"), ("vector-1", "d"), ("vector-2", "e")]
    assert [memory.count(agent) for agent in ("graph", "vector", "local", "nobody")] == [3, 2, 0, 0]
