"""The ADK agents of a turn: what opens it, the three that retrieve, the merger, and how they run together.

Those that run others are custom agents as ADK means them: its own `SequentialAgent` and `ParallelAgent` are deprecated,
and a `Workflow` costs three times as much (docs/decisions/0032-adk-agents-in-a-turn.md).
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from functools import partial
from typing import TYPE_CHECKING, Any

from google.adk.agents import BaseAgent
from google.adk.events import Event, EventActions

from interfaces.adk.session import asked_state
from interfaces.adk.steps import Step, is_step, mark
from interfaces.adk.turns import Turns, alongside
from memory.attempt import attempt

if TYPE_CHECKING:
    from google.adk.agents.invocation_context import InvocationContext


def state_key(branch: str) -> str:
    """The one key of the session's state that a branch writes; two that share a key lose each other's writes."""
    return f"hybrid_retrieval:{branch}"


def question_of(context: Any) -> str:
    """The user's words in this turn; `context` is any of ADK's contexts."""
    content = context.user_content
    return "".join(part.text or "" for part in (content.parts or [] if content else []))


class _Stage(BaseAgent):
    """One stage of a turn of the app; says how it ended, for people as a thought and small in the session's state."""

    turns: Turns

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        step = await self._work(ctx)
        event = Event(
            author=self.name,
            invocation_id=ctx.invocation_id,
            branch=ctx.branch,
            content=step.content(),
            actions=EventActions(state_delta={state_key(self.name): step.summary, **step.state}),
        )
        mark(ctx, event.id, step.attributes())
        yield event

    async def _work(self, ctx: InvocationContext) -> Step:
        raise NotImplementedError


class OpeningAgent(_Stage):
    """Classifies the question; the first of a turn."""

    async def _work(self, ctx: InvocationContext) -> Step:
        turn = await self.turns.open(ctx.invocation_id)
        text, state = question_of(ctx), ctx.session.state
        question = self.turns.question(turn, state, text)
        summary = await turn.begin(question, self.turns.context(state))
        if question != text and "error" not in summary:
            summary["read_as"] = question
        return Step(self.name, summary, state={} if "error" in summary else asked_state(question))


class SearchingAgent(_Stage):
    """The local, the graph or the vector agent, under its own deadline; a failure of it is an outcome, not an
    exception.

    source: which of them, or the name of one of the application's own; gives_scope: it says which projects matter;
    waits_for_scope: it searches what the other says, and must not stand before it in a sequence.
    """

    source: str
    gives_scope: bool = False
    waits_for_scope: bool = False

    async def _work(self, ctx: InvocationContext) -> Step:
        turn = self.turns.of(ctx.invocation_id)
        summary = await turn.search(self.source, gives_scope=self.gives_scope, waits_for_scope=self.waits_for_scope)
        return Step(self.name, summary, turn.scope if self.gives_scope else (), turn.best_of(self.source))


class MergingAgent(_Stage):
    """Ranks what was found, and drafts the answer out of the sources."""

    async def _work(self, ctx: InvocationContext) -> Step:
        turn = self.turns.of(ctx.invocation_id)
        summary = await turn.merge()
        return Step(self.name, {**summary, **await turn.finish()}, best=turn.best)


class SideBySideAgent(BaseAgent):
    """Runs its agents at the same time and hands on what each says as it comes; one that breaks says so in an event."""

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        async with aclosing(alongside(*(partial(_heard_out, agent, ctx) for agent in self.sub_agents))) as events:
            async for event in events:
                yield event


async def _heard_out(agent: BaseAgent, ctx: InvocationContext, hand_on: Callable[[Event], None]) -> None:
    done = await attempt(partial(_heard, agent, ctx, hand_on))
    if done.error is not None:
        code = type(done.error).__name__
        hand_on(_event(agent.name, ctx, error_code=code, error_message=done.reason))


async def _heard(agent: BaseAgent, ctx: InvocationContext, hand_on: Callable[[Event], None]) -> None:
    async with aclosing(agent.run_async(ctx)) as run:
        async for event in run:
            hand_on(event)


class TurnAgent(BaseAgent):
    """Runs its agents one after the other, and adds one event to the session: the answer.

    A step, which changes the state and at most says how a stage ended, passes as a partial event, which is shown and
    not stored, and what it changes is written with the next that is stored. ADK looks through all that a session holds
    with every event that is added, so that each makes all later turns dearer. stores_steps: it is stored all the same.
    """

    stores_steps: bool = False

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        unwritten: dict[str, Any] = {}
        for agent in self.sub_agents:
            async with aclosing(agent.run_async(ctx)) as run:
                async for event in run:
                    if event.partial:
                        yield event
                    elif _is_step(event) and not self.stores_steps:
                        unwritten |= event.actions.state_delta
                        yield event.model_copy(update={"partial": True})
                    else:
                        event.actions.state_delta = unwritten | event.actions.state_delta
                        unwritten = {}
                        yield event
        if unwritten:
            yield _event(self.name, ctx, actions=EventActions(state_delta=unwritten))


def _is_step(event: Event) -> bool:
    actions = EventActions(state_delta=event.actions.state_delta)
    return is_step(event.content) and event.output is None and event.error_code is None and event.actions == actions


def _event(author: str, ctx: InvocationContext, **more: Any) -> Event:
    return Event(author=author, invocation_id=ctx.invocation_id, branch=ctx.branch, **more)
