"""How the agents of a turn run together: custom agents as ADK means them. Its own `SequentialAgent` and `ParallelAgent`
are deprecated, and a `Workflow` costs three times as much (docs/decisions/0032-adk-agents-in-a-turn.md).
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from functools import partial
from typing import TYPE_CHECKING, Any

from google.adk.agents import BaseAgent
from google.adk.events import Event, EventActions

from interfaces.adk.alongside import alongside
from interfaces.adk.steps import is_step
from memory.attempt import attempt

if TYPE_CHECKING:
    from google.adk.agents.invocation_context import InvocationContext

__all__ = ["SideBySideAgent", "TurnAgent"]


class SideBySideAgent(BaseAgent):
    """Runs its agents at the same time, and hands on what each says as it says it. One that breaks says so in an event
    of its own, and takes no other along.
    """

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
