"""How the agents of a turn run together, through ADK's own runner."""

from __future__ import annotations

from contextlib import aclosing

import anyio
import pytest

from tests.interfaces.adk.conftest import Talk, done, text_of

pytestmark = pytest.mark.filterwarnings("ignore")  # of what ADK imports and calls experimental


def agent(name, *steps):
    """An agent that does these steps: a dict goes into the state, a text is said, an error breaks it, what can be called is
    waited for.
    """
    from google.adk.agents import BaseAgent  # noqa: PLC0415 - takes a second
    from google.adk.events import Event, EventActions  # noqa: PLC0415
    from google.genai import types  # noqa: PLC0415

    class Stepping(BaseAgent):
        async def _run_async_impl(self, ctx):
            async for step in done(steps):
                if isinstance(step, Event):
                    yield step.model_copy(update={"invocation_id": ctx.invocation_id})
                    continue
                said = {"author": name, "invocation_id": ctx.invocation_id}
                if isinstance(step, dict):
                    said["actions"] = EventActions(state_delta=step)
                else:
                    said["content"] = types.Content(role="model", parts=[types.Part(text=step)])
                yield Event(**said)

    return Stepping(name=name)


def turn(*agents):
    from interfaces.adk import TurnAgent  # noqa: PLC0415 - takes a second

    return Talk(agent=TurnAgent(name="turn", sub_agents=list(agents)))


def side_by_side(*agents):
    from interfaces.adk import SideBySideAgent  # noqa: PLC0415 - takes a second

    return SideBySideAgent(name="side", sub_agents=list(agents))


def seen(events):
    return [(event.author, bool(event.partial), text_of(event), dict(event.actions.state_delta)) for event in events]


async def test_what_changes_only_the_state_is_shown_and_written_with_what_is_said_next():
    talk = turn(agent("a", {"a": 1}), agent("b", {"b": 2}), agent("c", "Done.", {"c": 3}))
    shown = [
        ("a", True, "", {"a": 1}),
        ("b", True, "", {"b": 2}),
        ("c", False, "Done.", {"a": 1, "b": 2}),
        ("c", True, "", {"c": 3}),
        ("turn", False, "", {"c": 3}),
    ]
    assert seen(await talk.say("?")) == shown
    stored = (await talk.kept()).events
    assert seen(stored) == [("user", False, "?", {}), shown[2], shown[4]]
    assert await talk.kept_state() == {"a": 1, "b": 2, "c": 3}


async def test_the_later_word_on_a_key_counts():
    talk = turn(agent("a", {"key": 1}, {"key": 2}, "Said."))
    await talk.say("?")
    assert await talk.kept_state() == {"key": 2}


async def test_agents_side_by_side_run_at_the_same_time_and_speak_as_they_end():
    second = anyio.Event()
    order = []

    async def first_waits():
        await second.wait()
        order.append("first")

    async def second_goes():
        order.append("second")
        second.set()

    talk = turn(side_by_side(agent("first", first_waits, {"first": 1}), agent("second", second_goes, {"second": 2})))
    with anyio.fail_after(300):
        events = await talk.say("?")
    assert order == ["second", "first"]
    assert [event.author for event in events] == ["second", "first", "turn"]


async def test_who_stops_listening_ends_those_that_still_run():
    ended = []

    async def forever():
        try:
            await anyio.sleep_forever()
        finally:
            ended.append("slow")

    talk = turn(side_by_side(agent("quick", {"quick": 1}), agent("slow", forever)))
    with anyio.fail_after(300):
        async with aclosing(talk.turn("?")) as events:
            async for event in events:
                assert event.author == "quick"
                break
    assert ended == ["slow"]


async def test_a_step_is_stored_where_that_is_asked_for():
    from google.adk.events import Event, EventActions  # noqa: PLC0415 - takes a second

    from interfaces.adk import TurnAgent  # noqa: PLC0415
    from interfaces.adk.steps import Step  # noqa: PLC0415

    step = Event(
        author="a", content=Step("a", {"observations": 1}).content(), actions=EventActions(state_delta={"a": 1})
    )
    for stores_steps, authors in ((True, ["user", "a", "b"]), (False, ["user", "b"])):
        talk = Talk(
            agent=TurnAgent(name="turn", sub_agents=[agent("a", step), agent("b", "Done.")], stores_steps=stores_steps)
        )
        await talk.say("?")
        kept = await talk.kept()
        assert [event.author for event in kept.events] == authors
        assert kept.state == {"a": 1}


async def test_one_that_breaks_takes_no_other_along_and_is_said():
    broken, whole = agent("broken", {"before": 1}, OSError("no route")), agent("whole", {"whole": 2})
    talk = turn(side_by_side(broken, whole), agent("answer", "Still."))
    events = await talk.say("?")
    assert [(event.author, event.error_code, event.error_message) for event in events] == [
        ("broken", None, None),
        ("broken", "OSError", "OSError: no route"),
        ("whole", None, None),
        ("answer", None, None),
    ]
    assert await talk.kept_state() == {"before": 1, "whole": 2}
    assert [event.author for event in (await talk.kept()).events] == ["user", "broken", "answer"]
