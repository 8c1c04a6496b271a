"""What a run promises: every agent ends in an outcome, and nobody's failure costs another."""

from __future__ import annotations

import asyncio
import math
from collections import UserList
from dataclasses import replace
from types import MappingProxyType

import anyio
import pytest

from memory.clock import VirtualClock
from memory.entities import EvidenceFile, Scope, ScopedProject
from memory.errors import InvalidAnswerError, InvalidInputError
from memory.observations import GraphObservation, LocalObservation, Location, VectorObservation
from memory.query import PathRole, TaskContext
from memory.shared import SharedWorkingMemory
from orchestrator import events
from orchestrator.running import AgentRole, AgentSpec, Limits, MultiAgentOrchestrator, OrchestrationMode
from orchestrator.running.fakes import FakeAgent, FakeGraphAgent, FakePublishingAgent, found

MAY, MUST = PathRole.MAY, PathRole.MUST
FOREVER = math.inf


async def run(*specs, entities=("Customer",), context=None, limits=None, **options):
    """The outcomes, the texts in the shared memory and the scope of one run; how long it took."""
    made = {
        name: options.pop(name)
        for name in ("mode", "scope_mode", "fallback_order", "min_scope_confidence")
        if name in options
    }
    memory = options.pop("memory", None) or SharedWorkingMemory("q")
    runner = MultiAgentOrchestrator(agents=specs, limits=limits or Limits(), **made)
    began = anyio.current_time()
    result = await runner.run("q", context or TaskContext(), memory=memory, entities=entities, **options)
    return result, [entry.content for entry in memory.snapshot()], anyio.current_time() - began


def graph(agent, **more):
    return AgentSpec("graph", agent=agent, gives_scope=True, takes_scope=False, **more)


def vector(agent, **more):
    return AgentSpec("vector", agent=agent, gives_scope=False, takes_scope=True, **more)


def test_what_a_run_is_made_of_is_checked():
    agent = FakeAgent()
    with pytest.raises(InvalidInputError, match="Two agents have one id"):
        MultiAgentOrchestrator(agents=[AgentSpec("x", agent=agent), AgentSpec("x", agent=agent)])
    with pytest.raises(InvalidInputError, match="An agent is given as 'x'"):
        MultiAgentOrchestrator(agents=["x"])
    with pytest.raises(InvalidInputError, match="x is a value of type object, which has no `retrieve`"):
        MultiAgentOrchestrator(agents=[AgentSpec("x", agent=object())])
    with pytest.raises(InvalidInputError, match="The mode is 'sequential'"):
        MultiAgentOrchestrator("sequential")


@pytest.mark.specification("001 §1 parallel", "001 §2.2 step 3", "001 §7.2 MultiAgentOrchestrator")
async def test_agents_work_at_the_same_time_and_all_that_they_found_is_kept():
    result, texts, seconds = await run(
        AgentSpec("a", AgentRole.RESEARCHER, FakeAgent([found("one")], 2)), AgentSpec("b", agent=FakeAgent([], 3))
    )
    assert (result.outcomes["a"].status, result.outcomes["b"].status, texts) == ("ok", "empty", ["one"])
    assert seconds == pytest.approx(3)
    assert result.outcomes["a"].elapsed_ms == pytest.approx(2000)


@pytest.mark.specification("001 §7.2 MultiAgentOrchestrator")
async def test_sequential_agents_work_one_after_the_other():
    _, _, seconds = await run(
        AgentSpec("a", agent=FakeAgent([], 2)),
        AgentSpec("b", agent=FakeAgent([], 3)),
        mode=OrchestrationMode.SEQUENTIAL,
    )
    assert seconds == pytest.approx(5)


@pytest.mark.specification("001 §1 coverage")
@pytest.mark.parametrize(
    ("error", "status", "reason"),
    [
        (RuntimeError("down"), "error", "RuntimeError: down"),
        (KeyError("x"), "error", "KeyError: 'x'"),
        (RuntimeError(), "error", "RuntimeError"),
        (TimeoutError("slow"), "timeout", "TimeoutError: slow"),
        (ExceptionGroup("two", [ExceptionGroup("in", [OSError("a")]), ValueError("b")]), "error", "OSError: a"),
        (ConnectionError("bolt://neo4j:secret@db:7687 refused"), "error", "ConnectionError: bolt://db:7687 refused"),
        (asyncio.CancelledError(), "error", "cancelled itself"),
        (ValueError("a\nb" + "x" * 500), "error", "ValueError: a b" + "x" * 285),
    ],
)
async def test_an_agent_that_raises_is_an_outcome(error, status, reason):
    result, texts, _ = await run(
        AgentSpec("a", agent=FakeAgent(error=error)), AgentSpec("b", agent=FakeAgent([found("b")]))
    )
    assert (result.outcomes["a"].status, result.outcomes["a"].reason) == (status, reason)
    assert texts == ["b"]


@pytest.mark.specification("001 §8 timeouts")
async def test_a_hanging_agent_ends_at_its_own_deadline_and_is_cleaned_up():
    hanging = FakeAgent(seconds=FOREVER)
    result, _, seconds = await run(AgentSpec("a", agent=hanging, timeout_ms=700), AgentSpec("b", agent=FakeAgent()))
    assert (result.outcomes["a"].status, result.outcomes["a"].reason) == ("timeout", "did not answer in time")
    assert seconds == pytest.approx(0.7)
    assert hanging.ended


@pytest.mark.specification("001 §8 timeouts")
async def test_the_total_deadline_holds_though_the_agents_own_is_later():
    result, _, seconds = await run(AgentSpec("a", agent=FakeAgent(seconds=FOREVER)), limits=Limits(agent=9, total=2))
    assert result.outcomes["a"].status == "timeout"
    assert seconds == pytest.approx(2)


async def test_an_error_thrown_because_of_the_deadline_is_a_timeout():
    class Converts:
        async def retrieve(self, query, context):
            try:
                await anyio.sleep(FOREVER)
            except asyncio.CancelledError:
                raise OSError("interrupted") from None

    result, _, _ = await run(AgentSpec("a", agent=Converts()))
    assert result.outcomes["a"].status == "timeout"


GARBAGE = {
    "nothing": None,
    "a text": "a text",
    "a number": 42,
    "a list of nothing": [None],
    "a list of texts": ["a"],
    "a list of mappings": [{"content": 1}],
    "a list of objects": [object()],
    "a mapping": {"a": 1},
    "bytes": b"bytes",
}


@pytest.mark.parametrize("value", GARBAGE.values(), ids=GARBAGE)
async def test_garbage_is_refused_with_a_reason(value):
    result, texts, _ = await run(AgentSpec("a", agent=FakeAgent(value)))
    assert result.outcomes["a"].status == "error"
    assert result.outcomes["a"].reason
    assert texts == []


def hit(**fields):
    return VectorObservation("x", "f", fields.pop("project", "p"), 0.5, None, "code", **fields)


@pytest.mark.specification("001 §2.2 step 3")
@pytest.mark.parametrize(
    ("observation", "said"),
    [
        (GraphObservation("x", ["Customer"], [], [], 1, 0.5, "entity"), "entities: something there is no Entity"),
        (GraphObservation("x", [], [None], [], 1, 0.5, "entity"), "relationships: something there is no Relationship"),
        (GraphObservation("x", [], [], [None], 1, 0.5, "entity"), "source_projects: something there is no str"),
        (hit(project=None), "source_file and project: something there is no str"),
        (LocalObservation("x", None, None, 0.5, "fact"), "source_file and project: something there is no str"),
        (hit(locations=("f:1",)), "locations: something there is no Location"),
        (hit(locations=7), "locations: is no list"),
        (hit(locations={}), "locations: is no list"),
        (hit(entities_mentioned="Customer"), "entities_mentioned: is no list"),
        (hit(entities_mentioned={"Customer"}), "entities_mentioned: is no list"),
        (hit(entities_mentioned=[None]), "entities_mentioned: something there is no str"),
        (hit(embedding="vector"), "embedding: is no vector of numbers"),
        (hit(embedding=3), "embedding: is no vector of numbers"),
        (hit(embedding=[]), "embedding: is no vector of numbers"),
        (hit(embedding={}), "embedding: is no vector of numbers"),
        (hit(embedding=["a", 1.0]), "embedding: is no vector of numbers"),
        (hit(metadata=[1]), "metadata: is no mapping"),
        (None, "None is no observation"),
        (3, "a value of type int is no observation"),
    ],
)
async def test_an_observation_with_a_rotten_part_is_refused_and_the_sound_ones_stay(observation, said):
    result, texts, _ = await run(AgentSpec("a", agent=FakeAgent([found("sound"), observation, found("more")])))
    assert (result.outcomes["a"].status, result.outcomes["a"].observations) == ("error", 2)
    assert result.outcomes["a"].reason == f"1 of 3 refused: {said}"
    assert texts == ["sound", "more"]


async def test_the_first_reason_speaks_for_all():
    result, _, _ = await run(AgentSpec("a", agent=FakeAgent([None, found("sound"), hit(locations=7)])))
    assert result.outcomes["a"].reason == "2 of 3 refused: None is no observation"


@pytest.mark.parametrize(
    ("value", "said"), [(None, "None"), ("x", "a value of type str"), ({}, "a value of type dict")]
)
async def test_what_is_no_list_is_named(value, said):
    result, _, _ = await run(AgentSpec("a", agent=FakeAgent(value)))
    assert result.outcomes["a"].reason == f"returned {said}, not a list of observations"


async def test_any_sequence_and_any_mapping_will_do():
    sound = hit(entities_mentioned=UserList(["Customer"]), metadata=MappingProxyType({"a": 1}), embedding=(1, 2))
    result, texts, _ = await run(AgentSpec("a", agent=FakeAgent(UserList([sound]))))
    assert (result.outcomes["a"].status, texts) == ("ok", ["x"])


async def test_what_was_published_before_the_end_counts():
    slow = FakePublishingAgent([found("one"), found("two")], seconds=FOREVER)
    result, texts, _ = await run(AgentSpec("a", agent=slow))
    assert (result.outcomes["a"].status, result.outcomes["a"].observations) == ("timeout", 2)
    assert texts == ["one", "two"]


async def test_publishing_garbage_is_an_error_and_what_came_before_stays():
    result, texts, _ = await run(AgentSpec("a", agent=FakePublishingAgent([found("one"), None])))
    assert (result.outcomes["a"].status, texts) == ("error", ["one"])


async def test_nothing_is_taken_from_an_agent_that_has_ended():
    class Keeps(FakePublishingAgent):
        async def publish_into(self, query, context, publish):
            self.publish = publish

    late, memory = Keeps(), SharedWorkingMemory("q")
    result = await MultiAgentOrchestrator(agents=[AgentSpec("a", agent=late)]).run("q", memory=memory)
    await late.publish(found("late"))
    late.publish.scope(Scope(["billing"]))
    assert (memory.snapshot(), result.scope, result.outcomes["a"].status) == ((), None, "empty")


class TestTooMuch:
    """What one agent says beyond measure costs nobody else, and is counted."""

    LIMITS = Limits(observations=25)

    async def test_the_first_are_taken_and_the_others_counted(self):
        many = [found(f"n{number}") for number in range(5_000)]
        result, texts, _ = await run(AgentSpec("a", agent=FakeAgent(many)), limits=self.LIMITS)
        assert texts == [f"n{number}" for number in range(25)]
        assert (result.outcomes["a"].status, result.outcomes["a"].observations) == ("ok", 25)
        assert result.outcomes["a"].reason == "4975 more left out, 25 taken"

    async def test_as_many_as_are_taken_is_no_news(self):
        result, _, _ = await run(
            AgentSpec("a", agent=FakeAgent([found(f"n{number}") for number in range(25)])), limits=self.LIMITS
        )
        assert (result.outcomes["a"].observations, result.outcomes["a"].reason) == (25, None)

    async def test_what_is_none_or_was_said_before_takes_no_place_but_is_not_looked_for_without_end(self):
        same = [found("same")] * 30
        result, texts, _ = await run(
            AgentSpec("a", agent=FakeAgent([*same, None, found("other"), *same])), limits=self.LIMITS
        )
        assert (texts, result.outcomes["a"].reason) == (["same", "other"], "1 of 62 refused: None is no observation")
        result, texts, _ = await run(AgentSpec("a", agent=FakeAgent(range(10**12))), limits=self.LIMITS)
        assert result.outcomes["a"].reason == (
            f"500 of {10**12} refused: a value of type int is no observation; {10**12 - 500} more left out, 0 taken"
        )

    async def test_both_searches_of_an_agent_share_it(self):
        class Twice(FakeAgent):
            async def retrieve(self, query, context, scope=None):
                return [found(f"{bool(scope)}{number}") for number in range(20)]

        result, texts, _ = await run(graph(FakeGraphAgent(scope=Scope(["p"]))), vector(Twice()), limits=self.LIMITS)
        assert len(texts) == 25
        assert result.outcomes["vector"].reason == "15 more left out, 25 taken"

    @pytest.mark.parametrize("goes_on", [False, True])
    @pytest.mark.parametrize("new", [False, True])
    async def test_publishing_without_end_is_ended(self, goes_on, new):
        class Endless:
            calls = 0

            async def publish_into(self, query, context, publish):
                while True:
                    self.calls += 1
                    try:
                        await publish(found(f"n{self.calls}" if new else "same"))
                    except InvalidAnswerError:
                        if not goes_on:
                            raise

        endless = Endless()
        result, texts, seconds = await run(
            AgentSpec("a", agent=endless), AgentSpec("b", agent=FakeAgent([found("b")])), limits=self.LIMITS
        )
        outcome, note = result.outcomes["a"], "475 more left out, 25 taken"
        why = "did not answer in time" if goes_on else "InvalidAnswerError: published more than 500 times"
        assert (outcome.status, outcome.reason) == ("timeout" if goes_on else "error", f"{why}; {note}" if new else why)
        assert len(texts) == (26 if new else 2)
        assert endless.calls == (502 if goes_on else 501)
        assert seconds == pytest.approx(5 if goes_on else 0)

    @pytest.mark.specification("001 §2.2 step 3")
    async def test_a_text_of_megabytes_is_cut(self):
        result, texts, _ = await run(AgentSpec("a", agent=FakeAgent([found("word " * 2_000_000), found("b")])))
        assert [len(text) for text in texts] == [15_999, 1]
        assert (result.outcomes["a"].status, result.outcomes["a"].reason) == ("ok", "1 cut to 16000 characters")

    @pytest.mark.specification("001 §2.2 step 3")
    async def test_long_texts_are_fewer(self):
        long = [found(f"n{number} " + "word " * 3_000) for number in range(25)]
        result, texts, _ = await run(AgentSpec("a", agent=FakeAgent(long)))
        assert sum(map(len, texts)) < 176_000
        assert (len(texts), result.outcomes["a"].reason) == (11, "14 more left out, 11 taken")

    async def test_watching_it_is_no_different(self):
        seen = []
        many = [found("\ud83d" + "x" * 40_000), *(found(f"n{number}") for number in range(40))]
        _, texts, _ = await run(AgentSpec("a", agent=FakeAgent(many)), limits=self.LIMITS, emit=seen.append)
        added = [event.observation.content for event in seen if isinstance(event, events.ObservationAdded)]
        assert (len(added), added) == (25, texts)
        assert added[0].startswith("\ufffdx")


class Evil(UserList):
    """Cannot even be looked at."""

    def __len__(self):
        raise RuntimeError("no")


class UnprintableError(Exception):
    def __str__(self):
        raise RuntimeError("no")


@pytest.mark.parametrize(
    ("agent", "reason"),
    [(FakeAgent(Evil()), "RuntimeError: no"), (FakeAgent(error=UnprintableError()), "UnprintableError")],
)
async def test_what_raises_when_it_is_looked_at_is_an_outcome(agent, reason):
    result, _, _ = await run(AgentSpec("a", agent=agent))
    assert (result.outcomes["a"].status, result.outcomes["a"].reason) == ("error", reason)


@pytest.mark.parametrize("one", [found("one"), GraphObservation("one", [], [], [], 1, 0.5, "entity")])
async def test_the_same_observation_twice_counts_once(one):
    result, texts, _ = await run(AgentSpec("a", agent=FakeAgent([one, replace(one)])))
    assert (result.outcomes["a"].observations, texts) == (1, ["one"])


async def test_one_text_of_two_places_files_or_kinds_is_several():
    lines = [(Location("billing", "one.md", n, n),) for n in (1, 2)]
    given = [
        found("one"),
        replace(found("one"), source_file="other.md"),
        *(replace(found("one"), locations=at) for at in lines),
        LocalObservation("one", "one.md", None, 0.8, "fact"),
        GraphObservation("one", [], [], [], 1, 0.5, "entity"),
    ]
    result, texts, _ = await run(AgentSpec("a", agent=FakeAgent(given)))
    assert (result.outcomes["a"].observations, texts) == (6, ["one"] * 6)


@pytest.mark.specification("001 §7.2 attention")
async def test_the_agents_own_rating_is_its_weight_in_the_shared_memory():
    rated = [
        LocalObservation("l", "f", None, 0.1, "fact"),
        hit(),
        GraphObservation("g", [], [], [], 1, 0.9, "entity"),
    ]
    memory = SharedWorkingMemory("q")
    await MultiAgentOrchestrator(agents=[AgentSpec("a", agent=FakeAgent(rated))]).run("q", memory=memory)
    entries = memory.snapshot()
    assert [(e.content, e.attention_weight, e.source_agent_id) for e in entries] == [
        ("l", 0.1, "a"),
        ("x", 0.5, "a"),
        ("g", 0.9, "a"),
    ]
    assert all(e.is_belief_candidate for e in entries)
    assert [e.observation for e in entries] == rated


@pytest.mark.specification("001 §3.2 ENTITY_LOOKUP")
async def test_a_may_is_cut_off_a_grace_after_the_last_must():
    may = FakeAgent(seconds=FOREVER)
    result, _, seconds = await run(
        AgentSpec("a", agent=FakeAgent([found("x")], 1)),
        AgentSpec("b", agent=may, path_role=MAY),
        limits=Limits(grace=0.05),
    )
    assert (result.outcomes["b"].status, result.outcomes["b"].reason) == ("skipped", "not waited for")
    assert not result.outcomes["b"].failed
    assert seconds == pytest.approx(1.05)
    assert may.ended


async def test_a_may_whose_own_end_is_sooner_than_the_grace_is_late_not_cut():
    result, _, seconds = await run(
        AgentSpec("a", agent=FakeAgent([found("x")], 1.98)),
        AgentSpec("b", agent=FakeAgent(seconds=FOREVER), path_role=MAY),
        limits=Limits(agent=9, total=2, grace=0.05),
    )
    assert (result.outcomes["b"].status, seconds) == ("timeout", pytest.approx(2))


@pytest.mark.specification("001 §8 parallelism")
async def test_one_after_the_other_a_may_has_its_own_time():
    result, texts, seconds = await run(
        AgentSpec("a", agent=FakeAgent([found("x")], 1)),
        AgentSpec("b", agent=FakeAgent(seconds=FOREVER), path_role=MAY),
        AgentSpec("c", agent=FakeAgent([found("z")], 3), path_role=MAY),
        mode=OrchestrationMode.SEQUENTIAL,
    )
    assert ([o.status for o in result.outcomes.values()], texts) == (["ok", "timeout", "ok"], ["x", "z"])
    assert seconds == pytest.approx(9)  # 1 + 5 + 3


async def test_a_must_is_waited_for_though_others_have_ended():
    result, _, seconds = await run(
        AgentSpec("a", agent=FakeAgent([found("x")], 1)),
        AgentSpec("b", agent=FakeAgent([found("y")], 3)),
        AgentSpec("c", agent=FakeAgent([found("z")], 2), path_role=MAY),
    )
    assert [o.status for o in result.outcomes.values()] == ["ok", "ok", "ok"]
    assert seconds == pytest.approx(3)


async def test_a_may_within_the_grace_is_heard():
    result, _, seconds = await run(
        AgentSpec("a", agent=FakeAgent([found("x")], 1)),
        AgentSpec("b", agent=FakeAgent([found("y")], 1.04), path_role=MAY),
    )
    assert result.outcomes["b"].status == "ok"
    assert seconds == pytest.approx(1.04)


@pytest.mark.specification("001 §3.2 ENTITY_LOOKUP")
async def test_a_may_is_waited_for_while_nothing_has_been_found():
    result, texts, seconds = await run(
        AgentSpec("a", agent=FakeAgent([], 1)),
        AgentSpec("b", agent=FakeAgent([found("y")], 3), path_role=MAY),
        AgentSpec("c", agent=FakeAgent([found("z")], 4), path_role=MAY),
    )
    assert (result.outcomes["b"].status, result.outcomes["c"].status, texts) == ("ok", "skipped", ["y"])
    assert seconds == pytest.approx(3.5)


async def test_mays_are_waited_for_when_the_door_says_so_and_when_there_is_no_must():
    for options in ({"wait_for_mays": True}, {"roles": {"a": MAY, "b": MAY}}):
        result, _, seconds = await run(
            AgentSpec("a", agent=FakeAgent([found("x")], 1)),
            AgentSpec("b", agent=FakeAgent([], 4), path_role=MAY),
            **options,
        )
        assert (result.outcomes["b"].status, seconds) == ("empty", pytest.approx(4))


async def test_who_is_not_there_or_not_planned_is_skipped():
    result, _, _ = await run(
        AgentSpec("a"), AgentSpec("b", why_absent="switched off"), AgentSpec("c", agent=FakeAgent()), roles={"a": MUST}
    )
    assert [(o.status, o.reason) for o in result.outcomes.values()] == [
        ("skipped", "there is no such agent"),
        ("skipped", "switched off"),
        ("skipped", "not planned for this kind of question"),
    ]


class TestFallback:
    @pytest.mark.specification("001 §8 fallback")
    async def test_the_others_are_started_in_order_until_one_finds_something(self):
        late, never = FakeAgent([found("b")]), FakeAgent([found("c")])
        result, texts, _ = await run(
            AgentSpec("a", agent=FakeAgent(error=OSError("x"))),
            AgentSpec("b", agent=late),
            AgentSpec("c", agent=never),
            roles={"a": MUST},
            fallback_order=["a", "b", "c"],
        )
        assert ([o.status for o in result.outcomes.values()], texts) == (["error", "ok", "skipped"], ["b"])
        assert result.outcomes["b"].role is MAY
        assert never.asked == []

    @pytest.mark.specification("001 §8 timeouts")
    async def test_one_that_publishes_as_it_goes_is_waited_for(self):
        result, _, seconds = await run(
            AgentSpec("a", agent=FakeAgent()),
            AgentSpec("b", agent=FakePublishingAgent([found("b")], 2)),
            roles={"a": MUST},
            fallback_order=["b"],
        )
        assert (result.outcomes["b"].status, seconds) == ("ok", pytest.approx(2))

    async def test_nobody_is_started_when_something_was_found(self):
        result, _, _ = await run(
            AgentSpec("a", agent=FakeAgent([found("a")])),
            AgentSpec("b", agent=FakeAgent()),
            roles={"a": MUST},
            fallback_order=["b"],
        )
        assert result.outcomes["b"].status == "skipped"

    async def test_nobody_is_started_where_just_some_are_asked(self):
        other = FakeAgent([found("b")])
        result, texts, _ = await run(
            AgentSpec("a", agent=FakeAgent()),
            AgentSpec("b", agent=other),
            roles={"a": MUST},
            fallback_order=["b"],
            falls_back=False,
        )
        assert ([o.status for o in result.outcomes.values()], texts, other.asked) == (["empty", "skipped"], [], [])


class TestScope:
    SCOPE = Scope([ScopedProject("billing", 0.9), ScopedProject("auth", 0.1)], (EvidenceFile("billing", "a.py"),))

    @pytest.mark.specification("001 §1 parallel")
    @pytest.mark.specification("001 §2.3 sequential")
    async def test_sequential_waits_for_the_scope(self):
        searching = FakeAgent([found("x")])
        result, _, seconds = await run(
            graph(FakeGraphAgent(scope=self.SCOPE, scope_seconds=1)), vector(searching), scope_mode="sequential"
        )
        assert (result.scope, searching.scopes, seconds) == (self.SCOPE, [self.SCOPE], pytest.approx(1))

    @pytest.mark.specification("001 §8 timeouts")
    async def test_waiting_is_outside_the_search_own_clock_and_at_most_half_the_deadline(self):
        searching = FakeAgent([found("x")], seconds=0.9)
        result, texts, seconds = await run(
            graph(FakeGraphAgent(seconds=FOREVER, scope_seconds=FOREVER)),
            vector(searching),
            scope_mode="sequential",
            limits=Limits(agent=1, total=10),
        )
        assert (result.outcomes["vector"].status, texts, searching.scopes) == ("ok", ["x"], [None])
        assert result.outcomes["vector"].reason == "no scope in time: searched without one"
        assert seconds == pytest.approx(1.4)  # half a second of waiting, 0.9 of searching

    @pytest.mark.parametrize("error", [OSError("down"), ExceptionGroup("g", [OSError("a")])])
    async def test_waiting_ends_at_once_when_the_graph_ends(self, error):
        searching = FakeAgent([found("x")])
        _, _, seconds = await run(
            graph(FakePublishingAgent(error=error)), vector(searching), scope_mode="sequential", limits=Limits(agent=4)
        )
        assert (searching.scopes, seconds) == ([None], 0)

    @pytest.mark.specification("001 §2.3 parallel + re-search", "001 §2.2 step 4")
    async def test_parallel_research_searches_at_once_and_again_with_the_scope(self):
        searching = FakeAgent([found("x")], seconds=0.5)
        result, texts, seconds = await run(
            graph(FakeGraphAgent(scope=self.SCOPE, scope_seconds=2)), vector(searching), scope_mode="parallel_research"
        )
        assert (searching.scopes, texts) == ([None, self.SCOPE], ["x"])
        assert (result.outcomes["vector"].observations, seconds) == (1, pytest.approx(2.5))

    @pytest.mark.specification("001 §2.3 parallel + re-search")
    @pytest.mark.parametrize("probe_seconds", [0.1, 5])
    async def test_what_the_second_search_finds_comes_first(self, probe_seconds):
        class Scoped(FakeAgent):
            async def retrieve(self, query, context, scope=None):
                await anyio.sleep(1 if scope else probe_seconds)
                return [found("x", confidence=0.9), found("y")] if scope else [found("x", confidence=0.5), found("z")]

        memory = SharedWorkingMemory("t")
        result, texts, _ = await run(
            graph(FakeGraphAgent(scope=self.SCOPE, scope_seconds=0.5)),
            vector(Scoped()),
            scope_mode="parallel_research",
            memory=memory,
            limits=Limits(agent=10, observations=3),
        )
        entries = memory.snapshot()
        assert (texts, [entry.attention_weight for entry in entries]) == (["x", "y", "z"], [0.9, 0.8, 0.8])
        assert (result.outcomes["vector"].observations, result.outcomes["vector"].reason) == (3, None)

    async def test_a_second_search_that_finds_nothing_takes_nothing_away(self):
        class Empty(FakeAgent):
            async def retrieve(self, query, context, scope=None):
                return [] if scope else [found("x")]

        _, texts, _ = await run(
            graph(FakeGraphAgent(scope=self.SCOPE, scope_seconds=0.5)), vector(Empty()), scope_mode="parallel_research"
        )
        assert texts == ["x"]

    async def test_a_failed_second_search_is_said_and_costs_nothing(self):
        class FailsScoped(FakeAgent):
            async def retrieve(self, query, context, scope=None):
                if scope is not None:
                    raise OSError("no")
                return [found("x")]

        result, texts, _ = await run(graph(FakeGraphAgent(scope=self.SCOPE)), vector(FailsScoped()))
        outcome = result.outcomes["vector"]
        assert (outcome.status, outcome.reason, texts) == ("ok", "the scoped search failed: OSError: no", ["x"])

    async def test_no_second_search_without_a_scope(self):
        searching = FakeAgent()
        await run(graph(FakeGraphAgent(error=OSError("x"), scope_error=OSError("x"))), vector(searching))
        assert searching.scopes == [None]

    @pytest.mark.specification("001 §2.3 full parallel")
    async def test_full_parallel_only_records_the_scope(self):
        searching = FakeAgent()
        result, _, _ = await run(graph(FakeGraphAgent(scope=self.SCOPE)), vector(searching), scope_mode="full_parallel")
        assert (result.scope, searching.scopes) == (self.SCOPE, [None])

    @pytest.mark.specification("001 §1 scope", "001 §2.3 full parallel", "001 §2.3 steered", "001 §4.3 scope")
    async def test_none_reports_the_scope_and_hands_nothing_on(self):
        searching = FakeAgent()
        result, _, _ = await run(graph(FakeGraphAgent(scope=self.SCOPE)), vector(searching), scope_mode="none")
        assert (result.scope, searching.scopes) == (self.SCOPE, [None])

    @pytest.mark.specification("001 §2.3 phase 2")
    async def test_projects_the_graph_is_unsure_of_do_not_steer(self):
        searching = FakeAgent()
        await run(
            graph(FakeGraphAgent(scope=self.SCOPE)),
            vector(searching),
            scope_mode="sequential",
            min_scope_confidence=0.2,
        )
        assert searching.scopes[0].names == ("billing",)
        unsure = Scope([ScopedProject("auth", 0.1)])
        searching = FakeAgent()
        await run(
            graph(FakeGraphAgent(scope=unsure)), vector(searching), scope_mode="sequential", min_scope_confidence=0.2
        )
        assert searching.scopes == [None]

    async def test_a_failing_find_scope_leaves_the_status_to_retrieve(self):
        for agent, reason in [
            (FakeGraphAgent([found("g")], scope_error=OSError("x")), "no scope: OSError: x"),
            (FakeGraphAgent([found("g")], scope="billing"), "no scope: a value of type str is not a Scope"),
        ]:
            result, _, _ = await run(graph(agent))
            assert (result.outcomes["graph"].status, result.outcomes["graph"].reason) == ("ok", reason)
            assert result.scope is None

    async def test_the_scope_stays_inside_the_permission(self):
        searching = FakeAgent()
        result, _, _ = await run(
            graph(FakePublishingAgent(scope=self.SCOPE)),
            vector(searching),
            scope_mode="sequential",
            context=TaskContext(allowed_projects=frozenset({"auth"})),
        )
        assert (result.scope.names, result.scope.files) == (("auth",), ())

    async def test_the_callers_scope_replaces_the_graphs(self):
        searching, given = FakeAgent(), Scope(["crm"])
        result, _, _ = await run(
            graph(FakeGraphAgent(scope=self.SCOPE, scope_seconds=2)), vector(searching), scope=given
        )
        assert (result.scope, searching.scopes) == (given, [given])

    async def test_the_graph_is_asked_with_the_entities_and_not_without(self):
        asked = FakeGraphAgent(scope=self.SCOPE)
        await run(graph(asked), entities=("Customer", "Order"))
        assert asked.entities == ["Customer", "Order"]
        result, _, _ = await run(graph(FakeGraphAgent(scope=self.SCOPE)), entities=())
        assert result.scope is None


async def test_events_tell_what_happens_in_order():
    told = []
    await run(
        graph(FakePublishingAgent([found("x")], scope=Scope(["billing"]))), emit=told.append, scope_mode="sequential"
    )
    assert [type(event) for event in told] == [
        events.AgentStarted,
        events.ScopeFound,
        events.ObservationAdded,
        events.AgentFinished,
    ]


async def test_a_cancelled_caller_leaves_nothing_running():
    hanging = FakeGraphAgent(seconds=FOREVER, scope_seconds=FOREVER)
    searching = FakeAgent(seconds=FOREVER)
    with anyio.move_on_after(1):
        await run(graph(hanging), vector(searching), AgentSpec("may", agent=FakeAgent(seconds=FOREVER), path_role=MAY))
    assert hanging.ended
    assert searching.ended
    assert len(asyncio.all_tasks()) <= 2  # the test's own


@pytest.mark.parametrize("mode", OrchestrationMode)
async def test_a_caller_whose_task_is_cancelled_is_cancelled(mode):
    hanging = FakeAgent(seconds=FOREVER)
    task = asyncio.create_task(run(AgentSpec("a", agent=hanging), mode=mode))
    await anyio.sleep(1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert hanging.ended


@pytest.mark.specification("001 §8 timeouts")
async def test_the_deadlines_by_default_are_the_specifications():
    for limits, agent, seconds in ((Limits(), None, 5), (Limits(), 60_000, 10)):
        spec = AgentSpec("a", agent=FakeAgent(seconds=FOREVER), timeout_ms=agent)
        _, _, took = await run(spec, limits=limits)
        assert took == pytest.approx(seconds)
    assert Limits().grace == 0.5


async def test_a_run_ends_when_its_caller_says():
    _, _, seconds = await run(
        AgentSpec("a", agent=FakeAgent(seconds=FOREVER)), until=anyio.current_time() + 3, limits=Limits(agent=9)
    )
    assert seconds == pytest.approx(3)


async def test_times_are_of_the_clock_given():
    class Slow(FakeAgent):
        async def retrieve(self, query, context, scope=None):
            clock.seconds += 0.25
            return [found("x")]

    clock = VirtualClock(seconds=7)
    runner = MultiAgentOrchestrator(agents=[AgentSpec("a", agent=Slow())], clock=clock)
    result = await runner.run("q")
    assert result.outcomes["a"].elapsed_ms == 250


async def test_a_question_alone_is_enough():
    asked = FakeAgent([found("x")])
    runner = MultiAgentOrchestrator(agents=[AgentSpec("a", agent=asked), AgentSpec("b")])
    result = await runner.run("how?")
    assert [(o.status, o.observations, o.role) for o in result.outcomes.values()] == [
        ("ok", 1, MUST),
        ("skipped", 0, MUST),
    ]
    ((query, context),) = asked.asked
    assert (query, context.project) == ("how?", TaskContext().project)
    nobody = runner.none_asked("no project is allowed")
    assert [(o.status, o.reason, o.role) for o in nobody.outcomes.values()] == [
        ("skipped", "no project is allowed", MAY)
    ] * 2
    assert nobody.scope is None


async def test_an_agent_whose_retrieve_is_no_coroutine_is_heard():
    class Plain:
        def retrieve(self, query, context):
            return [found("x")]

    result, texts, _ = await run(AgentSpec("a", agent=Plain()))
    assert (result.outcomes["a"].status, texts) == ("ok", ["x"])
