"""The three retrieval agents, the merger and what opens a turn, each an ADK agent of its own.

See docs/design.md#the-doors.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Any

from google.adk.agents import BaseAgent
from google.adk.events import Event, EventActions

from configs import AgentName
from interfaces.adk.session import asked_in, asked_state
from interfaces.adk.steps import Step
from interfaces.adk.tracing import mark
from interfaces.adk.turns import Turns

if TYPE_CHECKING:
    from google.adk.agents.invocation_context import InvocationContext

__all__ = ["MergingAgent", "OpeningAgent", "SearchingAgent", "question_of", "state_key"]


def state_key(branch: str) -> str:
    """The one key of the session's state that a branch writes; two that share a key lose each other's writes."""
    return f"hybrid_retrieval:{branch}"


def question_of(context: Any) -> str:
    """The user's words in this turn; `context` is any of ADK's contexts."""
    content = context.user_content
    return "".join(part.text or "" for part in (content.parts or [] if content else []))


class _Stage(BaseAgent):
    """One stage of a turn; says how it ended, for people as a thought and small in the session's state.
    `turns` is the app's.
    """

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
        question = asked_in(state, text)
        summary = await turn.begin(question, self.turns.context(state))
        if question != text and "error" not in summary:
            summary["read_as"] = question
        return Step(self.name, summary, state=asked_state(question))


class SearchingAgent(_Stage):
    """The local, the graph or the vector agent, under its own deadline; a failure of it is an outcome, not an
    exception.

    source: which of them; gives_scope: it says which projects matter; waits_for_scope: it searches what the other says,
    and must not stand before it in a sequence.
    """

    source: AgentName
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
