"""An ADK model that follows a script, for tests of agents (docs/design.md#the-rooms)."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import anyio
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.genai import types
from pydantic import Field

__all__ = ["ScriptedLlm"]


class ScriptedLlm(BaseLlm):
    """Says its turns one after the other, the last again and again: a text, a function call, or an error that is
    raised.

    hang: seconds before each turn; tokens: what it reports for each; requests: what it was asked, in order.
    """

    model: str = "scripted"
    turns: list[str | types.FunctionCall | Exception]
    hang: float = 0.0
    tokens: int = 0
    requests: list[LlmRequest] = Field(default_factory=list)

    async def generate_content_async(
        self,
        llm_request: LlmRequest,
        stream: bool = False,  # noqa: FBT001, FBT002 - ADK's signature
    ) -> AsyncGenerator[LlmResponse, None]:
        """The next turn; a text is streamed by words."""
        turn = self.turns[min(len(self.requests), len(self.turns) - 1)]
        self.requests.append(llm_request)
        await anyio.sleep(self.hang)
        if isinstance(turn, Exception):
            raise turn
        if isinstance(turn, types.FunctionCall):
            yield _response(types.Part(function_call=turn), self.tokens)
            return
        words = turn.split(" ")
        for place, word in enumerate(words if stream else ()):
            text = word if place == len(words) - 1 else f"{word} "
            yield _response(types.Part(text=text), 0, partial=True)
        yield _response(types.Part(text=turn), self.tokens)


def _response(part: types.Part, tokens: int, *, partial: bool = False) -> LlmResponse:
    usage = types.GenerateContentResponseUsageMetadata(total_token_count=tokens) if tokens else None
    content = types.Content(role="model", parts=[part])
    return LlmResponse(content=content, partial=partial, usage_metadata=usage)
