"""How the agents of a turn run together, through ADK's own runner."""

from __future__ import annotations

import anyio
import pytest

from tests.orchestrator.adk.conftest import Talk, text_of

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
            for step in steps:
                if isinstance(step, Exception):
                    raise step
                if callable(step):
                    await step()
                    continue
                said = {"author": name, "invocation_id": ctx.invocation_id}
                if isinstance(step, dict):
                    said["actions"] = EventActions(state_delta=step)
                else:
                    said["content"] = types.Content(role="model", parts=[types.Part(text=step)])
                yield Event(**said)

    return Stepping(name=name)


def turn(*agents):
    from orchestrator.adk import TurnAgent  # noqa: PLC0415 - takes a second

    return Talk(agent=TurnAgent(name="turn", sub_agents=list(agents)))


def side_by_side(*agents):
    from orchestrator.adk import SideBySideAgent  # noqa: PLC0415 - takes a second

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


async def test_agents_side_by_side_run_at_the_same_time_and_speak_in_their_order():
    second = anyio.Event()
    order = []

    async def first_waits():
        await second.wait()
        order.append("first")

    async def second_goes():
        order.append("second")
        second.set()

    talk = turn(side_by_side(agent("first", first_waits, {"first": 1}), agent("second", second_goes, {"second": 2})))
    with anyio.fail_after(10):
        events = await talk.say("?")
    assert order == ["second", "first"]
    assert [event.author for event in events] == ["first", "second", "turn"]


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
