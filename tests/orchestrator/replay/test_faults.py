"""Agents that are late, fail, or return garbage."""

from __future__ import annotations

import anyio
import pytest

from memory.entities import Scope
from memory.errors import InvalidInputError, StoreError
from memory.query import TaskContext
from orchestrator.replay import Faults, read_seconds
from orchestrator.running.calls import AgentCalls
from orchestrator.running.fakes import FakeAgent, FakeGraphAgent, FakePublishingAgent, found


@pytest.mark.parametrize(("text", "seconds"), [("300ms", 0.3), ("2s", 2.0), ("1.5 m", 90.0)])
def test_times(text, seconds):
    assert read_seconds(text) == seconds


@pytest.mark.parametrize("text", ["", "2", "soon", "-1s", "inf"])
def test_what_is_no_time(text):
    with pytest.raises(InvalidInputError, match="is no time"):
        read_seconds(text)


def test_two_sets_of_faults_are_one_and_the_later_wins():
    both = Faults({"local": 1.0, "graph": 1.0}) | Faults({"graph": 2.0}, {"vector": "why"}, frozenset({"local"}))
    assert both == Faults({"local": 1.0, "graph": 2.0}, {"vector": "why"}, frozenset({"local"}))
    assert both
    assert not Faults()


def test_an_agent_that_nothing_concerns_is_itself():
    agent = FakeAgent()
    assert Faults({"graph": 1.0}).around("local", agent) is agent


async def test_a_late_one_answers_what_it_would_have():
    late = Faults({"vector": 3.0}).around("vector", FakeAgent([found("Late.")]))
    began = anyio.current_time()
    assert await late.retrieve("q", TaskContext(), Scope(["a"])) == [found("Late.")]
    assert anyio.current_time() - began == 3.0


async def test_one_that_fails_says_why():
    for why, said in (("no disk", "no disk"), ("", "local was made to fail")):
        with pytest.raises(StoreError, match=said):
            await Faults(fail={"local": why}).around("local", FakeAgent()).retrieve("q", TaskContext())


async def test_garbage_comes_in_the_agents_own_way():
    faults = Faults(garbage=frozenset({"local", "graph"}))
    assert await faults.around("local", FakeAgent()).retrieve("q", TaskContext()) == ["this is no observation"]
    published = []

    async def publish(observation):
        published.append(observation)

    await faults.around("graph", FakePublishingAgent()).publish_into("q", TaskContext(), publish)
    assert published == ["this is no observation"]


async def test_it_gives_and_takes_a_scope_as_the_agent_does():
    graph = Faults({"graph": 1.0}).around("graph", FakePublishingAgent())
    assert AgentCalls(graph, gives_scope=True).reports
    assert AgentCalls(Faults({"vector": 1.0}).around("vector", FakeAgent())).takes_scope


async def test_a_late_graphs_scope_is_late_too():
    class Graph(FakeGraphAgent, FakePublishingAgent):
        pass

    late = Faults({"graph": 2.0}).around("graph", Graph(scope=Scope(["a"])))
    began = anyio.current_time()
    assert await late.find_scope(["A"]) == Scope(["a"])
    assert anyio.current_time() - began == 2.0
