"""How the agents of a turn run together: custom agents as ADK means them. Its own `SequentialAgent` and `ParallelAgent` are
deprecated, and a `Workflow` costs three times as much (docs/decisions/0032-adk-agents-in-a-turn.md).
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
from google.adk.agents import BaseAgent
from google.adk.events import Event, EventActions

from orchestrator.running.branch import attempt

if TYPE_CHECKING:
    from google.adk.agents.invocation_context import InvocationContext

__all__ = ["SideBySideAgent", "TurnAgent"]


class SideBySideAgent(BaseAgent):
    """Runs its agents at the same time. One that breaks says so in an event of its own, and takes no other along.

    Their events follow when all have ended, in the agents' order.
    """

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        said: list[list[Event]] = [[] for _ in self.sub_agents]
        async with anyio.create_task_group() as group:
            for agent, events in zip(self.sub_agents, said, strict=True):
                group.start_soon(_heard_out, agent, ctx, events)
        for events in said:
            for event in events:
                yield event


async def _heard_out(agent: BaseAgent, ctx: InvocationContext, events: list[Event]) -> None:
    done = await attempt(partial(_heard, agent, ctx, events))
    if done.error is not None:
        code = type(done.error).__name__
        events.append(_event(agent.name, ctx, error_code=code, error_message=done.reason))


async def _heard(agent: BaseAgent, ctx: InvocationContext, events: list[Event]) -> None:
    async with aclosing(agent.run_async(ctx)) as run:
        async for event in run:
            events.append(event)  # noqa: PERF401 - what was said before it broke counts


class TurnAgent(BaseAgent):
    """Runs its agents one after the other, and adds one event to the session: the answer.

    An event that only changes the state passes as a partial one, which is shown and not stored, and what it says is
    written with the next that is stored. ADK looks through all that a session holds with every event that is added, so
    that each makes all later turns dearer.
    """

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        unwritten: dict[str, Any] = {}
        for agent in self.sub_agents:
            async with aclosing(agent.run_async(ctx)) as run:
                async for event in run:
                    if event.partial:
                        yield event
                    elif _only_changes_state(event):
                        unwritten |= event.actions.state_delta
                        yield event.model_copy(update={"partial": True})
                    else:
                        event.actions.state_delta = unwritten | event.actions.state_delta
                        unwritten = {}
                        yield event
        if unwritten:
            yield _event(self.name, ctx, actions=EventActions(state_delta=unwritten))


def _only_changes_state(event: Event) -> bool:
    actions = EventActions(state_delta=event.actions.state_delta)
    return event.content is None and event.output is None and event.error_code is None and event.actions == actions


def _event(author: str, ctx: InvocationContext, **more: Any) -> Event:
    return Event(author=author, invocation_id=ctx.invocation_id, branch=ctx.branch, **more)
