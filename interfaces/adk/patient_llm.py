"""An ADK model with a deadline, whose failures are ours (docs/design.md#the-run)."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from functools import partial

import anyio
from google.adk.models import LlmCapabilities
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse

from memory.attempt import attempt
from memory.errors import ModelError
from wiring.adk_language_model import check_client

__all__ = ["PatientLlm"]


class PatientLlm(BaseLlm):
    """Another model, for so many seconds a turn; raises ModelError when it breaks or is late."""

    inner: BaseLlm
    seconds: float

    @property
    def capabilities(self) -> LlmCapabilities:
        """The other model's."""
        return self.inner.capabilities

    async def generate_content_async(
        self,
        llm_request: LlmRequest,
        stream: bool = False,  # noqa: FBT001, FBT002 - ADK's signature
    ) -> AsyncGenerator[LlmResponse, None]:
        """The other model's answer."""
        await check_client(self.inner)
        until = anyio.current_time() + self.seconds
        responses = aiter(self.inner.generate_content_async(llm_request, stream=stream))
        while True:
            step = await attempt(partial(anext, responses), until)
            if isinstance(step.error, StopAsyncIteration):
                return
            if step.status != "ok":
                raise ModelError(
                    f"{self.model} {'did not answer in time' if step.status == 'timeout' else step.reason}"
                )
            yield step.value
