"""The language models that the settings name, and the synthesis that writes with one (001 §6).

They are ADK's: Gemini, Claude, whatever LiteLLM reaches, or one of your own (docs/design.md#models).
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from typing import TYPE_CHECKING

import anyio.to_thread

from memory.attempt import attempt, safe_reason
from memory.errors import ConfigError, ModelError
from memory.imports import brought_by
from synthesis import SynthesisAgent, TextDelta

if TYPE_CHECKING:
    from google.adk.models.base_llm import BaseLlm
    from google.adk.models.llm_request import LlmRequest
    from google.adk.models.llm_response import LlmResponse

    from configs import SynthesisSettings
    from synthesis.language_model import LanguageModel


def open_synthesis(settings: SynthesisSettings) -> SynthesisAgent:
    """The synthesis with the language model that is set, or without one. Raises ConfigError for an unknown model."""
    return SynthesisAgent(
        open_language_model(settings.model), model_timeout=settings.model_timeout_ms / 1000, repair=settings.repair
    )


def open_language_model(model: str | None, setting: str = "synthesis.model") -> LanguageModel | None:
    """The language model of this name, if there is one; `setting` named it. Raises ConfigError for an unknown model."""
    if model is None:
        return None
    with brought_by("adk", f"A language model ({setting})"):
        return AdkLanguageModel(named_llm(model, setting))


class AdkLanguageModel:
    """Asks an ADK model with streaming; the answer's tokens are reported once, with its end.

    Whatever the model raises, and an answer that it refuses, is a ModelError.
    """

    def __init__(self, llm: BaseLlm) -> None:
        self._llm = llm

    @property
    def name(self) -> str:
        return self._llm.model

    async def stream(self, prompt: str) -> AsyncIterator[TextDelta]:
        """The answer as it is written; its thoughts are left out."""
        await check_client(self._llm)
        responses = aiter(self._llm.generate_content_async(asked_of(self._llm, prompt), stream=True))
        streamed, tokens = False, 0
        while True:
            step = await attempt(partial(anext, responses))
            if isinstance(step.error, StopAsyncIteration):
                break
            if step.status != "ok":
                raise ModelError(f"{self.name} failed: {step.reason}")
            response: LlmResponse = step.value
            if response.error_code:
                raise ModelError(f"{self.name} gave no answer: {refusal_of(response)}")
            tokens = tokens_of(response) or tokens
            text = text_of(response)
            if text and (response.partial or not streamed):  # what ends a stream repeats all of it
                yield TextDelta(text)
            streamed = streamed or bool(response.partial)
        yield TextDelta("", tokens)


def named_llm(name: str, setting: str = "synthesis.model") -> BaseLlm:
    """The model that ADK knows by this name of a setting; raises ConfigError where it knows none or lacks its needs."""
    from google.adk.models import LLMRegistry  # noqa: PLC0415 - takes a second

    try:
        return LLMRegistry.new_llm(name)
    except (ValueError, ImportError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        hint = "Name one as ADK does: gemini-2.5-flash, or provider/model through LiteLLM."
        raise ConfigError(setting, "the settings", reason, hint) from error


async def check_client(llm: BaseLlm) -> None:
    """Raises ModelError where the model's client cannot be made, mostly for want of a key.

    It is tried in a thread without an event loop: what is left of a client of google-genai that could not be made
    starts a task in the loop it is in, and the task fails unheard.
    """
    if hasattr(type(llm), "api_client"):
        made = await attempt(partial(anyio.to_thread.run_sync, _client_problem, llm, abandon_on_cancel=True))
        problem = made.value if made.status == "ok" else made.reason
        if problem:
            raise ModelError(f"{llm.model} cannot be asked: {problem}")


def _client_problem(llm: BaseLlm) -> str:
    from google.auth.exceptions import GoogleAuthError  # noqa: PLC0415 - only where one is asked

    try:
        llm.api_client  # type: ignore[attr-defined]  # noqa: B018 - made when it is first looked at
    except (ValueError, GoogleAuthError) as error:  # google-genai's, which must not outlive the thread
        return safe_reason(str(error))
    return ""


def asked_of(llm: BaseLlm, prompt: str) -> LlmRequest:
    """One prompt as a request."""
    from google.adk.models.llm_request import LlmRequest  # noqa: PLC0415 - only where one is asked
    from google.genai import types  # noqa: PLC0415 - as above

    content = types.Content(role="user", parts=[types.Part(text=prompt)])
    return LlmRequest(model=llm.model, contents=[content], config=types.GenerateContentConfig())


def text_of(response: LlmResponse) -> str:
    parts = (response.content and response.content.parts) or []
    return "".join(part.text for part in parts if part.text and not part.thought)


def refusal_of(response: LlmResponse) -> str:
    """Why there is no answer in it, as the model says; '' where it says nothing of that."""
    return safe_reason(f"{response.error_code or ''} {response.error_message or ''}")


def tokens_of(response: LlmResponse) -> int:
    """Prompt and completion together, 0 where it reports none."""
    usage = response.usage_metadata
    return (usage.total_token_count or 0) if usage is not None else 0
