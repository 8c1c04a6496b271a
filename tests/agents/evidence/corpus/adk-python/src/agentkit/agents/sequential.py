"""Runs sub-agents one after another."""

from __future__ import annotations

from collections.abc import AsyncIterator

from agentkit.agents.base import BaseAgent
from agentkit.events import Event
from agentkit.session import Invocation


class SequentialAgent(BaseAgent):
    """A workflow agent: each sub-agent starts when the one before it has ended.

    All of them share one session state. What a sub-agent leaves under its `output_key` is in the state for those
    that follow; they read it by naming the key in their instruction, nothing is passed on by itself.
    """

    def __init__(self, name: str, sub_agents: list[BaseAgent]) -> None:
        super().__init__(name)
        self.sub_agents = sub_agents

    async def run(self, invocation: Invocation) -> AsyncIterator[Event]:
        for agent in self.sub_agents:
            async for event in agent.run(invocation):
                yield event
            if invocation.ended:
                return
