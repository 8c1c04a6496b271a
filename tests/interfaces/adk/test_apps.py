"""Both apps through ADK's own runner, with a model that follows a script."""

from __future__ import annotations

import math
from functools import partial
from types import SimpleNamespace

import anyio
import pytest

from configs import ScopeSettings, SynthesisSettings
from memory.entities import Scope
from memory.errors import DataFolderError
from memory.observations import VectorObservation
from orchestrator.running.deadlines import NEVER_STOPPED, STOPS_WITHIN
from orchestrator.running.fakes import FakeAgent, FakeGraphAgent, FakeStubbornAgent
from tests.interfaces.adk.conftest import QUESTION, Opening, Talk, done, last_text, seen, step_of, text_of

pytestmark = pytest.mark.filterwarnings("ignore")  # of what ADK imports and calls experimental

RELATED = "How do our retries relate to billing and auth?"
CITED = "In billing, retries back off three times. [vector:billing/retries.md:1-1]"
FALSE = "In auth, retries back off 9 times. [vector:auth/retries.md:1-1]"


@pytest.fixture(params=["retrieval_app", "agents_app"])
def build(request):
    """Makes the app of this name, on fakes."""
    import interfaces.adk as door  # noqa: PLC0415 - takes a second

    def make(opening=None, model=None, *, stores_steps=False, **more):
        turns = door.Turns(opening or Opening(), **more)
        app = getattr(door, request.param)(turns, model or door.ExtractiveLlm(), stores_steps=stores_steps)
        return Talk(app)

    return make


def scripted(*turns, **more):
    from interfaces.adk import ScriptedLlm  # noqa: PLC0415 - takes a second

    return ScriptedLlm(turns=list(turns), **more)


def response(text, **more):
    from google.adk.models.llm_response import LlmResponse  # noqa: PLC0415 - takes a second
    from google.genai import types  # noqa: PLC0415

    return LlmResponse(content=types.Content(role="model", parts=[types.Part(text=text)]), **more)


def responding(*steps):
    """A model that gives these responses, raises what is an error, and waits for what can be called."""
    from google.adk.models.base_llm import BaseLlm  # noqa: PLC0415 - takes a second

    class Responding(BaseLlm):
        model: str = "responding"

        async def generate_content_async(self, llm_request, stream=False):  # noqa: FBT002 - ADK's signature
            async for step in done(steps):
                yield step

    return Responding()


async def metadata(events):
    return next(event.custom_metadata for event in reversed(events) if event.custom_metadata)


async def test_without_a_key_the_answer_is_the_extractive_one(build):
    opening = Opening()
    talk = build(opening)
    said = last_text(await talk.say(QUESTION))
    async with Opening()() as core:
        assert said == (await core.retrieve(QUESTION)).answer.text
    assert "[vector:billing/retries.md:1-1]" in said
    await talk.runner.close()
    assert (opening.opened, opening.closed) == (1, 1)


async def test_a_model_writes_from_what_was_found_and_is_checked(build):
    model = scripted(CITED, tokens=33)
    talk = build(model=model)
    events = await talk.say(QUESTION)
    assert last_text(events) == CITED
    [request] = model.requests
    prompt = request.config.system_instruction
    assert "Retries in auth are forbidden by policy." in prompt
    assert prompt.count("<draft>") == 1
    assert prompt.endswith("\nAnswer:")
    assert (await metadata(events))["citations"] == [
        {
            "marker": "[vector:billing/retries.md:1-1]",
            "located": True,
            "supported": True,
            "verified": True,
            "stale": False,
            "reason": None,
        }
    ]
    answer = (await talk.kept_state())["hybrid_retrieval:answer"]
    assert answer == {"answered_by": "scripted", "citations": 1, "not_verified": 0, "not_supported": 0, "tokens": 33}


async def test_what_has_changed_since_it_was_indexed_is_said_behind_the_answer(build):
    changed = {"auth": 3, "billing": 1}
    for model in (scripted(CITED), None):
        said = last_text(await build(Opening(changed=changed), model=model).say(QUESTION))
        assert said.endswith("\n\nChanged since they were indexed: auth (3 files), billing (1 file).")


async def test_pieces_stream_and_what_is_checked_ends_them(build):
    events = await build(model=scripted(CITED)).say(QUESTION, stream=True)
    pieces = [text for event in events if event.partial and (text := text_of(event))]
    assert len(pieces) > 3
    assert "".join(pieces) == CITED == last_text(events)


async def test_a_false_citation_may_be_mended_once(build):
    model = scripted(f"{CITED} {FALSE}", CITED)
    events = await build(model=model).say(QUESTION)
    assert last_text(events) == CITED
    assert (await metadata(events))["notes"] == ["1 citations did not hold, and were mended"]
    assert len(model.requests) == 2


@pytest.mark.parametrize(
    ("settings", "more", "notes", "asked"),
    [
        ({"repair": False}, {}, [], 1),
        ({"model_timeout_ms": 3000}, {"hang": 1.0}, ["1 citations did not hold, and were mended"], 2),
        (
            {"model_timeout_ms": 3000},
            {"hang": 2.0},
            ["1 citations did not hold, and were not mended: the model did not answer in time"],
            2,
        ),
        ({"model_timeout_ms": 3000}, {"hang": 4.0}, ["scripted: scripted did not answer in time"], 1),
    ],
)
async def test_the_settings_say_whether_it_mends_and_what_all_may_take(build, settings, more, notes, asked):
    model = scripted(f"{CITED} {FALSE}", CITED, **more)
    opening = Opening(settings={"fallback_on_timeout": False, "synthesis": SynthesisSettings(**settings)})
    events = await build(opening, model).say(QUESTION)
    assert ((await metadata(events))["notes"], len(model.requests)) == (notes, asked)


async def test_a_model_is_asked_what_was_understood(build):
    model = scripted(CITED, "All is well.")
    talk = build(model=model)
    talk.state = {"project": "billing"}
    events = await talk.say("What is this project?")
    assert "\nQUERY: What is billing?\n" in model.requests[0].config.system_instruction
    assert (await metadata(events))["notes"] == ['read as "What is billing?"']
    assert last_text(await talk.say("What is this project?")).startswith('Note: read as "What is billing?".')


async def test_a_false_citation_that_stays_is_marked(build):
    events = await build(model=scripted(f"{CITED} {FALSE}")).say(QUESTION)
    assert (
        last_text(events) == f"{CITED} In auth, retries back off 9 times. [vector:auth/retries.md:1-1] (not supported)"
    )
    assert [row["reason"] for row in (await metadata(events))["citations"]] == [None, "the cited lines do not say 9"]


@pytest.mark.parametrize(
    ("turn", "more", "note"),
    [
        (RuntimeError("quota"), {}, "scripted: scripted RuntimeError: quota"),
        (CITED, {"hang": math.inf}, "scripted: scripted did not answer in time"),
        ("All is well.", {}, "scripted: none of its citations holds"),
        ("", {}, "scripted: no whole answer"),
    ],
)
async def test_a_model_that_fails_is_replaced_by_the_extractive_answer(build, turn, more, note):
    events = await build(model=scripted(turn, **more)).say(QUESTION)
    assert "[vector:billing/retries.md:1-1]" in last_text(events)
    assert (await metadata(events))["notes"] == [note]


async def test_what_a_model_says_of_its_answer_saves_it_no_check(build):
    told = response("All is well.", custom_metadata={"notes": ["checked"]})
    events = await build(model=responding(told)).say(QUESTION)
    assert "[vector:billing/retries.md:1-1]" in last_text(events)
    assert (await metadata(events))["notes"] == ["responding: none of its citations holds"]


@pytest.mark.parametrize(
    ("error", "named"), [(RuntimeError, "RuntimeError: "), (ValueError, ""), (SystemExit, "SystemExit: ")]
)
async def test_what_a_models_client_or_refusal_may_not_show(build, error, named):
    text = "no\x1b[31m\nSources: password=" + "hunter2Zq9x! https://u:hunter2Zq9x!@h/"
    shown = "no[31m Sources: password=(redacted) https://h/"

    class Unreachable(type(responding())):
        @property
        def api_client(self):
            raise error(text)

    refusing = responding(response("", error_code="SAFETY", error_message=text))
    for one, note in (
        (Unreachable(), f"responding cannot be asked: {named}{shown}"),
        (refusing, f"SAFETY {shown}"),
    ):
        assert (await metadata(await build(model=one).say(QUESTION)))["notes"] == [f"responding: {note}"]


async def test_a_model_that_does_not_stop_is_given_up(build):
    stubborn = FakeStubbornAgent(seconds=100.0)
    opening = Opening(settings={"fallback_on_timeout": False, "synthesis": SynthesisSettings(model_timeout_ms=1500)})
    model = responding(partial(stubborn.retrieve, "", None), response(CITED))
    began = anyio.current_time()
    events = await build(opening, model).say(QUESTION)
    assert anyio.current_time() - began == pytest.approx(1.5 + STOPS_WITHIN)
    assert (await metadata(events))["notes"] == [f"responding: responding {NEVER_STOPPED}"]
    assert stubborn.cancelled == 1
    await anyio.sleep(200)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("steps", "notes"),
    [
        ([], ["responding: no whole answer"]),
        ([("In ", {"partial": True})], ["responding: no whole answer"]),
        ([("In ", {"partial": True}), ("", {"partial": True, "error_code": "MAX_TOKENS"})], ["responding: MAX_TOKENS"]),
        ([(CITED, {}), ("All is well.", {})], []),
        ([("", {}), (CITED, {}), ("", {"error_code": "MAX_TOKENS"})], []),
        ([(CITED, {}), RuntimeError("quota")], []),
    ],
)
async def test_a_turn_has_one_answer_however_many_a_model_gives(build, stream, steps, notes):
    given = [step if isinstance(step, Exception) else response(step[0], **step[1]) for step in steps]
    talk = build(model=responding(*given))
    whole = [event for event in await talk.say(QUESTION, stream=stream) if not event.partial]
    assert [event.custom_metadata["notes"] for event in whole] == [notes]
    assert "[vector:billing/retries.md:1-1]" in text_of(whole[0])
    assert [event.author for event in (await talk.kept()).events] == ["user", "answer"]


@pytest.mark.parametrize(
    ("failing", "status"), [({"error": OSError("no route")}, "error"), ({"seconds": math.inf}, "timeout")]
)
@pytest.mark.parametrize("source", ["graph", "local"])
async def test_a_failing_or_late_branch_takes_no_other_along(build, source, failing, status):
    kind = FakeGraphAgent if source == "graph" else FakeAgent
    talk = build(Opening(**{source: kind(**failing)}), scripted(CITED))
    told, lacks = last_text(await talk.say(RELATED)).split("\nMissing: ")
    assert told == CITED
    assert lacks.endswith(f"({source} was not there in time)." if status == "timeout" else f"({source} failed).")
    state = await talk.kept_state()
    agents = state.get("hybrid_retrieval:retrieve", state.get("hybrid_retrieval:merger"))["agents"]
    assert (agents[source], agents["vector"]) == (status, "ok")


async def test_the_graph_scopes_the_vector_agent(build):
    settings = {"fallback_on_timeout": False, "scope": ScopeSettings(mode="auto")}
    opening = Opening(graph=FakeGraphAgent(scope=Scope(["auth"]), scope_seconds=1.0), settings=settings)
    await build(opening).say("What calls PaymentGateway, and how do teams handle it?")
    assert [scope.names for scope in opening.vector.scopes] == [("auth",)] or [
        list(scope.names) for scope in opening.vector.scopes
    ] == [["auth"]]


async def test_nothing_found_asks_no_model(build):
    model = scripted(CITED)
    said = last_text(await build(Opening(vector=FakeAgent()), model).say(QUESTION))
    assert said.startswith("No answer found")
    assert model.requests == []


@pytest.mark.parametrize("question", ["", " \n", "x" * 9000])
async def test_a_question_that_is_none_is_said(build, question):
    model = scripted(CITED)
    said = last_text(await build(model=model).say(question))
    assert "The question" in said
    assert model.requests == []


async def test_an_index_that_cannot_be_opened_is_said_and_tried_again(build):
    opening = Opening(DataFolderError("There is no index.", "Index your projects first."))
    talk = build(opening)
    assert last_text(await talk.say(QUESTION)) == "There is no index. Index your projects first."
    opening.failure = None
    assert "[vector:billing/retries.md:1-1]" in last_text(await talk.say(QUESTION))


async def test_the_application_says_what_may_be_seen_and_the_session_what_is_in_hand(build):
    opening = Opening()
    talk = build(opening, allowed_projects=["billing"])
    talk.state = {"project": "billing"}
    said = last_text(await talk.say(QUESTION))
    assert "auth" not in said
    [(_, context)] = opening.vector.asked
    assert (context.permission, context.project) == ({"billing"}, "billing")


async def test_state_is_one_key_a_branch_and_stays_small(build):
    talk = build()
    for _ in range(3):
        await talk.say(QUESTION)
    state = await talk.kept_state()
    assert all(key.startswith("hybrid_retrieval:") for key in state)
    assert len(repr(state)) < 2000


async def test_a_turn_that_this_process_did_not_begin_is_said():
    from interfaces.adk import ExtractiveLlm, Turns, answer_agent  # noqa: PLC0415 - takes a second

    talk = Talk(agent=answer_agent(Turns(Opening()), ExtractiveLlm()))
    assert last_text(await talk.say(QUESTION)) == "This turn's findings are gone. Ask again."


async def test_agents_put_together_otherwise():
    """In a workflow, without the graph: who is not there is skipped, nobody waits for a scope, and each writes its key."""
    from google.adk.apps import App  # noqa: PLC0415 - takes a second
    from google.adk.workflow import START, Workflow  # noqa: PLC0415

    from interfaces.adk import (  # noqa: PLC0415
        ExtractiveLlm,
        MergingAgent,
        OpeningAgent,
        SearchingAgent,
        Turns,
        answer_agent,
    )

    turns = Turns(Opening())
    steps = (
        START,
        OpeningAgent(name="opening", turns=turns),
        SearchingAgent(name="vector", turns=turns, source="vector"),
        MergingAgent(name="merger", turns=turns),
        answer_agent(turns, ExtractiveLlm()),
    )
    talk = Talk(App(name="team", root_agent=Workflow(name="team", edges=[steps])))
    events = await talk.say(QUESTION)
    assert "[vector:billing/retries.md:1-1]" in last_text(events)
    assert [event.author for event in events] == ["opening", "vector", "merger", "answer"]
    merger = (await talk.kept_state())["hybrid_retrieval:merger"]
    assert merger["agents"] == {"local": "skipped", "graph": "skipped", "vector": "ok"}


async def test_an_agent_of_the_applications_own_takes_part_where_it_is_named():
    from interfaces.adk import ExtractiveLlm, Turns, agents_app  # noqa: PLC0415 - takes a second

    tickets = FakeAgent([seen("billing/retries.md")])
    opening = Opening(agents={"tickets": tickets})
    for named, asked in (({"tickets": "Looks into the tracker."}, 1), (None, 0)):
        talk = Talk(agents_app(Turns(opening), ExtractiveLlm(), agents=named))
        events = await talk.say(QUESTION)
        assert any(step_of(event).startswith("tickets: ") for event in events) == bool(asked)
        assert len(tickets.asked) == asked
        tickets.asked.clear()


@pytest.mark.specification("001 §8 fallback")
async def test_who_is_not_planned_is_asked_where_the_others_found_nothing(build):
    settings = {"scope": ScopeSettings(unplanned="never")}
    empty = Opening(settings=settings, graph=FakeGraphAgent())
    events = await build(empty).say("What calls PaymentGateway?")
    assert "[vector:billing/retries.md:1-1]" in last_text(events)
    found = Opening(settings=settings, graph=FakeGraphAgent([seen("auth/retries.md")]))
    await build(found).say("What calls PaymentGateway?")
    assert (len(empty.vector.asked), len(found.vector.asked)) == (1, 0)


@pytest.mark.specification("001 §2.3 steered")
async def test_the_scope_steers_the_kinds_of_question_that_the_matrix_scopes(build):
    settings = {"fallback_on_timeout": False, "scope": ScopeSettings(mode="auto")}
    for question, scope in (("How do other teams use PaymentGateway?", True), ("What calls PaymentGateway?", False)):
        opening = Opening(settings=settings, graph=FakeGraphAgent(scope=Scope(["billing"])))
        await build(opening).say(question)
        assert [bool(given) for given in opening.vector.scopes] == [scope], question


async def test_old_turns_that_are_over_are_forgotten_and_none_that_is_under_way():
    from interfaces.adk import Turns  # noqa: PLC0415 - takes a second

    turns = Turns(Opening())
    opened = [await turns.open(str(number)) for number in range(60)]
    assert [turns.of(str(number)) for number in range(60)] == opened
    for number in range(59):
        turns.end(str(number))
    await turns.open("60")
    assert [number for number in range(60) if turns.of(str(number)) is opened[number]] == list(range(27, 60))
    assert turns.of("0").summary == {"status": "under way"}
    assert await turns.of("0").search("vector") == {"status": "under way"}
    assert await turns.of("0").begin("q", {}) == {"status": "under way"}


async def test_a_runner_that_is_closed_takes_the_index_away_from_no_turn():
    from interfaces.adk import Turns  # noqa: PLC0415 - takes a second

    opening = Opening()
    turns = Turns(opening)
    await turns.open("a")
    turn = await turns.open("b")
    turns.end("a")
    await turns.close()
    assert (opening.opened, opening.closed) == (1, 0)
    assert [type(event).__name__ async for event in turn.follow(QUESTION, {})][-1] == "Finished"
    assert turn.summary["status"] == "answered"
    turns.end("b")
    turns.end("b")
    await anyio.wait_all_tasks_blocked()
    assert opening.closed == 1


async def test_a_turn_that_fails_holds_no_index(build):
    opening = Opening()
    talk = build(opening)
    plugin = talk.runner.plugin_manager.plugins[0]
    turns = plugin._turns
    await turns.open("a")

    class Context:
        invocation_id = "a"

    await plugin.on_run_error_callback(invocation_context=Context(), error=OSError())
    await turns.close()
    assert opening.closed == 1


async def test_what_happens_is_shown_and_the_answer_is_stored(build):
    talk = build()
    events = await talk.say(QUESTION)
    assert [bool(event.partial) for event in events] == [True] * 5 + [False]
    assert [event.author for event in (await talk.kept()).events] == ["user", "answer"]


async def test_each_agent_shows_how_much_it_found_where_and_the_best_of_it(build):
    events = await build().say("What calls PaymentGateway, and how do teams handle it?")
    steps = {step.partition(":")[0]: step for event in events if (step := step_of(event))}
    assert steps["local"] == "local: empty, 0 findings\n"
    assert steps["graph"] == "graph: empty, 0 findings, in billing\n"
    assert steps["vector"] == (
        "vector: 2 findings\n"
        "1. billing/retries.md:1-1  `Retries in billing back off three times.`\n"
        "2. auth/retries.md:1-1  `Retries in auth are forbidden by policy.`\n"
    )
    assert steps["merger"].startswith("merger: 2 findings\n1. ")


async def test_an_agent_shows_its_best_three_by_its_own_confidence(build):
    found = [VectorObservation(f"Retry {n}.", "a.md", "billing", n / 10, None, "code") for n in range(1, 6)]
    events = await build(Opening(vector=FakeAgent(found))).say(QUESTION)
    [step] = [step for event in events if (step := step_of(event)).startswith("vector")]
    assert step.splitlines()[1:] == ["1. `Retry 5.`", "2. `Retry 4.`", "3. `Retry 3.`"]


async def test_an_agent_shows_its_step_before_a_slower_one_has_ended(build):
    """The graph agent ends when it is let, which is once the vector agent's step was seen."""
    let = anyio.Event()

    class Waiting(FakeGraphAgent):
        async def retrieve(self, *asked, **more):
            await let.wait()
            return await super().retrieve(*asked, **more)

    talk = build(Opening(graph=Waiting(), settings={"scope": ScopeSettings(mode="full_parallel")}))
    seen = []
    with anyio.fail_after(300):
        async for event in talk.turn(RELATED):
            seen.append(step_of(event).partition(":")[0])
            if seen[-1] == "vector":
                let.set()
    assert seen.index("vector") < seen.index("graph")


async def test_steps_are_stored_where_that_is_asked_for_and_no_model_reads_them(build):
    model = scripted(CITED)
    talk = build(model=model, stores_steps=True)
    for _ in range(2):
        await talk.say(QUESTION)
    steps = [step_of(event).partition(":")[0] for event in (await talk.kept()).events if step_of(event)]
    assert steps[-4:] in (["local", "graph", "vector", "merger"], ["graph", "local", "vector", "merger"])
    assert steps.count("vector") == 2
    assert all(step_of(content_of) == "" for content_of in map(_as_event, model.requests[-1].contents))


def _as_event(content):
    return SimpleNamespace(content=content)


async def test_a_turn_without_a_model_is_in_the_trace(build, spans):
    """ADK's page finds a turn's spans by the invocation that one of them names; its schema asks the conversation of agents."""
    talk = build()
    events = await talk.say(QUESTION)
    ended = [span for span in spans.get_finished_spans() if span.attributes.get("gen_ai.agent.name")]
    named = {span.attributes["gen_ai.agent.name"]: span.attributes for span in ended}
    assert {"local", "graph", "vector", "merger", "answer"} <= set(named)
    assert named["vector"]["hybrid_retrieval.observations"] == 2
    assert named["local"]["hybrid_retrieval.status"] == "empty"
    for agent in ("local", "graph", "vector", "merger", "answer"):
        assert named[agent]["gcp.vertex.agent.invocation_id"] == events[0].invocation_id
        assert named[agent]["gen_ai.conversation.id"] == talk.session.id
    assert len({span.context.trace_id for span in ended}) == 1
    assert named["answer"]["hybrid_retrieval.answered_by"] == "extractive"
    assert "billing/retries.md:1-1" in named["vector"]["hybrid_retrieval.best"]
    assert all("gcp.vertex.agent.event_id" in named[agent] for agent in ("local", "graph", "vector", "merger"))
    assert not any("Retries" in str(value) for span in ended for value in span.attributes.values())


@pytest.mark.parametrize("turn", [CITED, RuntimeError("quota")])
@pytest.mark.parametrize("stream", [False, True])
async def test_every_agent_writes_its_key(build, turn, stream):
    talk = build(model=scripted(turn))
    await talk.say(QUESTION, stream=stream)
    stages = {"hybrid_retrieval_app": ["retrieve"]}.get(talk.name, ["opening", "local", "graph", "vector", "merger"])
    assert set(await talk.kept_state()) == {f"hybrid_retrieval:{stage}" for stage in [*stages, "answer", "asked"]}


async def test_a_follow_up_is_asked_with_what_the_session_last_asked_about(build):
    opening = Opening()
    talk = build(opening)
    for question in ("How does OrderService reach PaymentGateway?", "thanks", "What happens there when it times out?"):
        await talk.say(question)
    assert opening.vector.asked[-1][0] == "What happens in OrderService when PaymentGateway times out?"
    events = await talk.say("And in crm?")
    assert opening.vector.asked[-1][0] == "What happens in OrderService when PaymentGateway times out in crm?"
    assert any("read as: What happens in OrderService" in step_of(event) for event in events)
    talk.session = None
    await talk.say("What happens there when it times out?")
    assert opening.vector.asked[-1][0] == "What happens there when it times out?"


async def test_hello_is_answered_by_what_can_be_asked(build):
    model = scripted(CITED)
    said = last_text(await build(model=model).say("hello"))
    assert "Ask what a part is or does" in said
    assert model.requests == []


async def test_a_turn_is_handed_nothing_of_the_turns_before_it_and_all_is_stored(build):
    from google.adk.plugins import BasePlugin  # noqa: PLC0415 - takes a second

    handed = []

    class Looking(BasePlugin):
        async def before_run_callback(self, *, invocation_context):
            handed.append([event.author for event in invocation_context.session.events])

    talk = build()
    talk.runner.plugin_manager.register_plugin(Looking(name="looking"))
    for _ in range(3):
        await talk.say(QUESTION)
    assert handed == [["user"]] * 3
    assert [event.author for event in (await talk.kept()).events].count("user") == 3
