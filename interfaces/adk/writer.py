"""The `LlmAgent` that writes the answer to what a turn found, which model it asks and for how long (001 §6).

Its citations are held against the sources.
"""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import anyio.lowlevel
from google.adk.agents import LlmAgent
from google.adk.models import LlmCapabilities
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.genai import types

from interfaces.adk.agents import state_key
from interfaces.adk.offline_llms import ExtractiveLlm
from interfaces.adk.steps import mark
from interfaces.adk.turns import Turns, alongside
from memory.attempt import safe_reason
from memory.errors import ModelError
from memory.project_folder import changed_text
from orchestrator.json_parts import citation_dict
from orchestrator.running.deadlines import Leash, Strays
from orchestrator.staleness import dated
from synthesis import EXTRACTIVE, UNSAID, Answer, SynthesisAgent, TextDelta, build_synthesis_context, synthesis_prompt
from wiring import environment_config
from wiring.language_models import AdkLanguageModel, check_client, named_llm, refusal_of, text_of, tokens_of

if TYPE_CHECKING:
    from google.adk.agents.callback_context import CallbackContext
    from google.adk.agents.readonly_context import ReadonlyContext

    from interfaces.adk.turns import Turn
    from orchestrator.result import HybridResult

_Ask: TypeAlias = Callable[[], AsyncGenerator[LlmResponse, None]]
GEMINI: Final = "gemini-2.5-flash"
_SHOWN: Final = ("marker", "located", "supported", "verified", "stale", "reason")
DRAFT: Final = """{context}

This draft is made of sentences that stand in the sources, and its citations hold. Use what is good in it.
<draft>
{draft}
</draft>"""


def model_of_environment() -> BaseLlm:
    """The model that the settings name (HYBRID_RETRIEVAL_SYNTHESIS__MODEL), Gemini where there is a GOOGLE_API_KEY, and
    without either the extractive answerer.
    """
    name = environment_config()[1].synthesis.model
    if name is None:
        name = GEMINI if os.environ.get("GOOGLE_API_KEY") else None
    return named_llm(name) if name else ExtractiveLlm()


def answer_agent(turns: Turns, model: BaseLlm) -> LlmAgent:
    """The agent that ends a turn.

    It reads what the turn's agents found, never the session's history. A model that fails, is late, or of whose
    citations none holds is replaced by the extractive answer; where nothing was found no model is asked. The turn's
    settings (`synthesis`) say how long it may write, and whether it mends citations. The checked text is the event that
    is not partial; `custom_metadata` lists its citations.
    """
    writer = _Writer(turns, model)
    return _AnswerAgent(
        name="answer",
        description="Writes the answer to what was retrieved, with citations that are checked.",
        turns=turns,
        model=model,
        include_contents="none",
        disallow_transfer_to_parent=True,
        disallow_transfer_to_peers=True,
        before_model_callback=writer.before,
        after_model_callback=writer.after,
        on_model_error_callback=writer.failed,
    )


class _AnswerAgent(LlmAgent):
    """Its model has the time of the turn."""

    turns: Turns

    async def canonical_model_async(self, ctx: ReadonlyContext) -> BaseLlm:
        model, turn = self.canonical_model, self.turns.of(ctx.invocation_id)
        assert turn.orchestrator is not None  # the model is asked about its result
        seconds, strays = turn.writes_until - anyio.current_time(), turn.orchestrator.strays
        return PatientLlm(model=model.model, inner=model, seconds=seconds, strays=strays)


class _Written:
    """A language model whose first draft is there already; whatever it is asked after that, it asks the real one."""

    def __init__(self, text: str, tokens: int, model: BaseLlm) -> None:
        self._first: list[TextDelta] = [TextDelta(text, tokens)]
        self._model = AdkLanguageModel(model)
        self.name = model.model

    async def stream(self, prompt: str) -> AsyncIterator[TextDelta]:
        if self._first:
            yield self._first.pop()
            return
        async for delta in self._model.stream(prompt):
            yield delta


class _Writer:
    """The callbacks of one answering agent."""

    def __init__(self, turns: Turns, model: BaseLlm) -> None:
        self._turns, self._model = turns, model

    def before(self, callback_context: CallbackContext, llm_request: LlmRequest) -> LlmResponse | None:
        """The model gets the prompt, behind what ADK says of the agent; none is asked about nothing, or for what is
        there.
        """
        turn = self._turns.of(callback_context.invocation_id)
        mark(callback_context)  # where no model is called, ADK names the turn on no span
        callback_context.state.update(turn.unwritten)
        if turn.result is not None and self._may_say_more(turn.result):
            assert turn.orchestrator is not None  # the result is made of both
            assert turn.findings is not None
            config, question = turn.orchestrator.config, turn.findings.asked.question.text
            context = build_synthesis_context(question, turn.result.observations, config.max_context_tokens)
            if turn.result.answer.citations:
                context = DRAFT.format(context=context, draft=turn.result.answer.text)
            llm_request.append_instructions([synthesis_prompt(question, context)])
            turn.writes_until = anyio.current_time() + config.synthesis.model_timeout_ms / 1000
            return None
        if turn.result is not None:
            return self._response(callback_context, turn.result.answer)
        error = (turn.error or {}).get("error") or {"message": "This turn's findings are gone.", "hint": "Ask again."}
        return _text(" ".join(str(error[part]) for part in ("message", "hint") if error.get(part)))

    def _may_say_more(self, result: HybridResult) -> bool:
        """The model is not the extractive answerer, whose answer is there already, and has something to read."""
        if isinstance(self._model, ExtractiveLlm):
            return False
        return result.status != "not_found" or UNSAID in result.answer.notes

    async def after(self, callback_context: CallbackContext, llm_response: LlmResponse) -> LlmResponse | None:
        """A whole answer is checked; pieces pass."""
        turn = self._turns.of(callback_context.invocation_id)
        result = turn.result
        if llm_response.partial or result is None or isinstance(llm_response, _OurResponse):
            return None
        text = text_of(llm_response).strip()
        if llm_response.error_code or not text:
            why = refusal_of(llm_response) or "no whole answer"
            return self._response(callback_context, _replaced(result, self._model, why))
        if text == result.answer.text:
            return self._response(callback_context, result.answer, llm_response.usage_metadata)
        answer = await self._checked(turn, result, text, tokens_of(llm_response))
        return self._response(callback_context, answer, llm_response.usage_metadata)

    async def _checked(self, turn: Turn, result: HybridResult, text: str, tokens: int) -> Answer:
        orchestrator, findings = turn.orchestrator, turn.findings
        assert orchestrator is not None  # the result is made of both
        assert findings is not None
        agent = SynthesisAgent(
            _Written(text, tokens, self._model),
            model_timeout=turn.writes_until - anyio.current_time(),
            repair=orchestrator.config.synthesis.repair,
        )
        answer = await agent.answer(
            findings.asked.question.text,
            result.observations,
            budget=orchestrator.config.max_context_tokens,
            missing=result.missing,
            files=orchestrator.lines_of(frozenset(result.metrics.projects_searched)),
        )
        if answer.answerer == EXTRACTIVE:  # the turn's own answer knows more of the question
            return replace(result.answer, tokens=answer.tokens, notes=(*result.answer.notes, *answer.notes[:1]))
        answer = dated(answer, orchestrator.catalogue)[0]
        return replace(answer, notes=(*answer.notes, *findings.asked.notes, *findings.notes))

    def failed(
        self,
        callback_context: CallbackContext,
        llm_request: LlmRequest,  # noqa: ARG002 - ADK's signature
        error: Exception,
    ) -> LlmResponse | None:
        result = self._turns.of(callback_context.invocation_id).result
        if result is None:
            return None
        return self._response(callback_context, _replaced(result, self._model, str(error)))

    def _response(self, context: CallbackContext, answer: Answer, usage: Any = None) -> LlmResponse:
        """The answer, and behind it what has changed since it was indexed."""
        result = self._turns.of(context.invocation_id).result
        changed = changed_text(result.metrics.changed) if result is not None else ""
        context.state[state_key("answer")] = {
            "answered_by": answer.answerer,
            "citations": len(answer.citations),
            "not_verified": sum(not citation.verified for citation in answer.citations),
            "not_supported": sum(citation.located and not citation.supported for citation in answer.citations),
            "tokens": answer.tokens,
        }
        shown = {"answered_by": answer.answerer, "citations": len(answer.citations), "tokens": answer.tokens}
        if result is not None:
            shown["status"] = result.status
        mark(context, more={f"hybrid_retrieval.{key}": value for key, value in shown.items()})
        rows = [{key: whole[key] for key in _SHOWN} for whole in map(citation_dict, answer.citations)]
        text = "\n\n".join(filter(None, (answer.text, changed)))
        return _text(text, usage, citations=rows, notes=list(answer.notes))


def _replaced(result: HybridResult, model: BaseLlm, why: str) -> Answer:
    return replace(result.answer, notes=(*result.answer.notes, f"{model.model}: {safe_reason(why)}"))


class _OurResponse(LlmResponse):
    """What was written here, after a failure too, and needs no check."""


def _text(text: str, usage: Any = None, **metadata: Any) -> LlmResponse:
    content = types.Content(role="model", parts=[types.Part(text=text)])
    return _OurResponse(content=content, custom_metadata=metadata or None, usage_metadata=usage)


class PatientLlm(BaseLlm):
    """Another model, for so many seconds a turn; raises ModelError when it breaks or is late.

    Its pieces end with one whole response: the first with a text or an error, else an empty one. strays: where it is
    given up to if it does not stop.
    """

    inner: BaseLlm
    seconds: float
    strays: Strays

    @property
    def capabilities(self) -> LlmCapabilities:
        return self.inner.capabilities

    async def generate_content_async(
        self,
        llm_request: LlmRequest,
        stream: bool = False,  # noqa: FBT001, FBT002 - ADK's signature
    ) -> AsyncGenerator[LlmResponse, None]:
        until = anyio.current_time() + self.seconds
        ask = partial(self.inner.generate_content_async, llm_request, stream=stream)
        async with aclosing(alongside(partial(self._within, until, ask))) as given:
            async for one in given:
                if isinstance(one, ModelError):
                    raise one
                yield one
                if not one.partial:
                    return

    async def _within(self, until: float, ask: _Ask, hand_on: Callable[[LlmResponse | ModelError], None]) -> None:
        done = await Leash(self.model, self.strays).attempt(partial(self._asked, ask, hand_on), until)
        if isinstance(done.error, ModelError):
            hand_on(done.error)
        elif done.status != "ok":
            hand_on(ModelError(f"{self.model} {done.reason}"))

    async def _asked(self, ask: _Ask, hand_on: Callable[[LlmResponse], None]) -> None:
        await check_client(self.inner)
        whole = LlmResponse()
        async with aclosing(ask()) as responses:
            async for response in responses:
                if response.partial and not response.error_code:
                    hand_on(response)
                    await anyio.lowlevel.checkpoint()  # a model need not await anything
                    continue
                whole = response.model_copy(update={"partial": False})
                if whole.error_code or text_of(whole).strip():
                    break
            hand_on(whole)
