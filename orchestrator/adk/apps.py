"""The two ADK apps (design §7): one node that runs the orchestrator, or every agent on its own; both end in an `LlmAgent`."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING

from google.adk.agents.context import Context
from google.adk.apps import App
from google.adk.events import Event, EventActions
from google.adk.plugins import BasePlugin
from google.adk.workflow import START, FunctionNode, Workflow

from orchestrator.adk.agents import MergingAgent, OpeningAgent, SearchingAgent, question_of, state_key
from orchestrator.adk.composing import SideBySideAgent, TurnAgent
from orchestrator.adk.models import model_of_environment
from orchestrator.adk.turns import Turns
from orchestrator.adk.writer import answer_agent

if TYPE_CHECKING:
    from google.adk.agents.invocation_context import InvocationContext
    from google.adk.models.base_llm import BaseLlm
    from google.genai import types

__all__ = ["agents_app", "retrieval_app"]


class _OneTurn(BasePlugin):
    """A turn reads nothing of the turns before it, so ADK need not search them: it looks through all events that it is
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


def retrieval_app(turns: Turns | None = None, model: BaseLlm | None = None) -> App:
    """START → the orchestrator → an agent that writes the answer. turns and model: what the environment names, if not
    given.
    """
    turns = turns or Turns()

    async def retrieve(ctx: Context) -> AsyncGenerator[Event, None]:
        """Asks the three agents at the same time, and merges what they find."""
        turn = await turns.open(ctx.invocation_id)
        said = await turn.answer(question_of(ctx), turns.context(ctx.state.to_dict()))
        turn.unwritten[state_key("retrieve")] = said
        yield Event(partial=True, actions=EventActions(state_delta={state_key("retrieve"): said}))

    answer = answer_agent(turns, model or model_of_environment())
    node = FunctionNode(func=retrieve, name="retrieve")
    return App(
        name="hybrid_retrieval",
        plugins=[_OneTurn(turns)],
        root_agent=Workflow(name="hybrid_retrieval", edges=[(START, node, answer)]),
    )


def agents_app(turns: Turns | None = None, model: BaseLlm | None = None) -> App:
    """opening → local, graph and vector side by side → merger → an agent that writes the answer.

    Each is an ADK agent of its own, to be put together otherwise; the vector agent waits for the graph's scope.
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
    return App(
        name="hybrid_retrieval_agents",
        plugins=[_OneTurn(turns)],
        root_agent=TurnAgent(
            name="hybrid_retrieval_agents",
            description="Answers questions about all projects, with citations.",
            sub_agents=[
                OpeningAgent(name="opening", description="Classifies the question.", turns=turns),
                SideBySideAgent(name="search", sub_agents=[local, graph, vector]),
                MergingAgent(name="merger", description="Ranks what was found.", turns=turns),
                answer_agent(turns, model or model_of_environment()),
            ],
        ),
    )
