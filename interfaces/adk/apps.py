"""The two ADK apps: one node that runs the orchestrator, or every agent on its own (docs/design.md#the-doors)."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import TYPE_CHECKING

from google.adk.agents.context import Context
from google.adk.apps import App
from google.adk.events import Event, EventActions
from google.adk.plugins import BasePlugin
from google.adk.workflow import START, FunctionNode, Workflow

from interfaces.adk.agents import (
    MergingAgent,
    OpeningAgent,
    SearchingAgent,
    SideBySideAgent,
    TurnAgent,
    question_of,
    state_key,
)
from interfaces.adk.session import asked_state
from interfaces.adk.steps import RunSpans, Step, mark
from interfaces.adk.turns import Turns
from interfaces.adk.writer import answer_agent, model_of_environment

if TYPE_CHECKING:
    from google.adk.agents.invocation_context import InvocationContext
    from google.adk.models.base_llm import BaseLlm
    from google.genai import types


class _OneTurn(BasePlugin):
    """A turn reads nothing of the events before it, so ADK need not search them: it looks through all events that it is
    handed, several times a turn. What is stored stays whole. The index is let go of when the runner is closed.
    """

    def __init__(self, turns: Turns) -> None:
        super().__init__(name="hybrid_retrieval_turns")
        self._turns = turns

    async def on_user_message_callback(
        self,
        *,
        invocation_context: InvocationContext,
        user_message: types.Content,  # noqa: ARG002 - ADK's signature
    ) -> None:
        events = invocation_context.session.events
        events[:] = [event for event in events if event.invocation_id == invocation_context.invocation_id]

    async def after_run_callback(self, *, invocation_context: InvocationContext) -> None:
        self._turns.end(invocation_context.invocation_id)

    async def on_run_error_callback(self, *, invocation_context: InvocationContext, error: Exception) -> None:  # noqa: ARG002 - ADK's signature
        self._turns.end(invocation_context.invocation_id)

    async def close(self) -> None:
        await self._turns.close()


def retrieval_app(turns: Turns | None = None, model: BaseLlm | None = None, *, stores_steps: bool = False) -> App:
    """START → the orchestrator → an agent that writes the answer.

    turns and model: what the environment names, if not given. stores_steps: how each agent ended stays in the session;
    it is shown in any case, while the turn runs.
    """
    turns = turns or Turns()

    async def retrieve(ctx: Context) -> AsyncGenerator[Event, None]:
        """Asks the three agents at the same time, and merges what they find."""
        turn = await turns.open(ctx.invocation_id)
        state = ctx.state.to_dict()
        text = question_of(ctx)
        question = turns.question(turn, state, text)
        if question != text:
            yield Event(partial=not stores_steps, content=Step("opening", {"read_as": question}).content())
        follow = turn.follow(question, turns.context(state))
        with RunSpans(ctx) as spans:
            async with aclosing(follow) as run:
                async for event in run:
                    step = turn.step(event)
                    shown = Event(partial=not stores_steps, content=step.content()) if step is not None else None
                    spans.see(event, step, shown.id if shown is not None else None)
                    if shown is not None:
                        yield shown
        mark(ctx)
        turn.unwritten |= {state_key("retrieve"): turn.summary, **({} if turn.error else asked_state(question))}
        yield Event(partial=True, actions=EventActions(state_delta=dict(turn.unwritten)))

    answer = answer_agent(turns, model or model_of_environment())
    node = FunctionNode(func=retrieve, name="retrieve")
    return App(
        name="hybrid_retrieval_app",
        plugins=[_OneTurn(turns)],
        root_agent=Workflow(name="hybrid_retrieval_app", edges=[(START, node, answer)]),
    )


def agents_app(
    turns: Turns | None = None,
    model: BaseLlm | None = None,
    *,
    stores_steps: bool = False,
    agents: Mapping[str, str] | None = None,
) -> App:
    """opening → local, graph and vector side by side → merger → an agent that writes the answer.

    Each is an ADK agent of its own, to be put together otherwise; the vector agent waits for the graph's scope. The
    arguments are those of `retrieval_app`. agents: the agents of its own that the application has given the
    orchestrator, each name with what it does; one that is not named here takes no part.
    """
    turns = turns or Turns()
    local = SearchingAgent(name="local", description="Looks into the project in hand.", turns=turns, source="local")
    graph = SearchingAgent(
        name="graph",
        description="Walks the graph of all projects, and says which of them matter.",
        turns=turns,
        source="graph",
        gives_scope=True,
    )
    vector = SearchingAgent(
        name="vector",
        description="Searches the texts and the code of all projects.",
        turns=turns,
        source="vector",
        waits_for_scope=True,
    )
    own = [
        SearchingAgent(name=name, description=what, turns=turns, source=name) for name, what in (agents or {}).items()
    ]
    return App(
        name="hybrid_retrieval_agents",
        plugins=[_OneTurn(turns)],
        root_agent=TurnAgent(
            name="hybrid_retrieval_agents",
            description="Answers questions about all projects, with citations.",
            stores_steps=stores_steps,
            sub_agents=[
                OpeningAgent(name="opening", description="Classifies the question.", turns=turns),
                SideBySideAgent(name="search", sub_agents=[local, graph, vector, *own]),
                MergingAgent(name="merger", description="Ranks what was found.", turns=turns),
                answer_agent(turns, model or model_of_environment()),
            ],
        ),
    )
