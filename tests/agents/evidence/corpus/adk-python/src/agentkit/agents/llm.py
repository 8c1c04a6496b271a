"""An agent that thinks with a language model."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

from agentkit.agents.base import BaseAgent
from agentkit.events import Event
from agentkit.session import Invocation
from agentkit.tools.function_tool import FunctionTool


class LlmAgent(BaseAgent):
    """Answers with a model and calls tools.

    output_key: where the final text is written in the session state; no agent reads it automatically.
    """

    def __init__(
        self,
        name: str,
        model: str,
        instruction: str,
        tools: list[Callable[..., Any] | FunctionTool] | None = None,
        output_key: str | None = None,
    ) -> None:
        super().__init__(name)
        self.model = model
        self.instruction = instruction
        self.tools = [tool if isinstance(tool, FunctionTool) else FunctionTool(tool) for tool in tools or []]
        self.output_key = output_key

    async def run(self, invocation: Invocation) -> AsyncIterator[Event]:
        text = await invocation.ask_model(self.model, self.filled_instruction(invocation), self.tools)
        if self.output_key is not None:
            invocation.state[self.output_key] = text
        yield Event(author=self.name, text=text)

    def filled_instruction(self, invocation: Invocation) -> str:
        """The instruction with `{key}` replaced by the state's value."""
        return self.instruction.format_map(invocation.state)
