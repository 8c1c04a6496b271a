from __future__ import annotations

import asyncio
import gc

import anyio
import pytest

from configs import SynthesisSettings
from memory.errors import ConfigError, ModelError
from orchestrator.running.deadlines import Strays
from synthesis import TextDelta, synthesis_prompt
from wiring.language_models import open_synthesis

pytestmark = pytest.mark.filterwarnings("ignore")  # of what ADK imports


async def said(llm, prompt="q"):
    from interfaces.adk import AdkLanguageModel  # noqa: PLC0415 - takes a second

    return [delta async for delta in AdkLanguageModel(llm).stream(prompt)]


def scripted(*turns, **more):
    from interfaces.adk import ScriptedLlm  # noqa: PLC0415 - takes a second

    return ScriptedLlm(turns=list(turns), **more)


async def test_pieces_and_tokens_and_no_repetition_at_the_end():
    llm = scripted("one two three", tokens=9)
    assert await said(llm, "why?") == [TextDelta("one "), TextDelta("two "), TextDelta("three"), TextDelta("", 9)]
    assert llm.requests[0].contents[0].parts[0].text == "why?"


async def test_what_it_raises_or_refuses_is_a_model_error():
    from google.adk.models.llm_response import LlmResponse  # noqa: PLC0415 - takes a second

    from interfaces.adk import ScriptedLlm  # noqa: PLC0415

    class Refusing(ScriptedLlm):
        async def generate_content_async(self, llm_request, stream=False):  # noqa: FBT002 - ADK's signature
            yield LlmResponse(error_code="SAFETY", error_message="no")

    with pytest.raises(ModelError, match="scripted failed: RuntimeError: quota"):
        await said(scripted(RuntimeError("quota")))
    with pytest.raises(ModelError, match="scripted gave no answer: SAFETY no"):
        await said(Refusing(turns=[]))


@pytest.mark.parametrize("behind", [False, True])
async def test_a_model_without_a_key_fails_and_leaves_nothing_behind(monkeypatch, behind):
    from interfaces.adk.writer import PatientLlm  # noqa: PLC0415
    from wiring.language_models import asked_of, named_llm  # noqa: PLC0415 - takes a second

    for name in ("GOOGLE_API_KEY", "GEMINI_API_KEY", "GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_ENTERPRISE"):
        monkeypatch.delenv(name, raising=False)
    unheard = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: unheard.append(context))
    llm = named_llm("gemini-2.5-flash")
    patient = PatientLlm(model=llm.model, inner=llm, seconds=1, strays=Strays())
    asking = anext(patient.generate_content_async(asked_of(llm, "q"))) if behind else said(llm)
    with pytest.raises(ModelError, match=r"gemini-2\.5-flash .*No API key was provided"):
        await asking
    gc.collect()
    await anyio.sleep(1)
    gc.collect()
    assert unheard == []


async def test_the_time_of_a_model_is_that_of_its_client_too():
    from interfaces.adk import ExtractiveLlm  # noqa: PLC0415 - takes a second
    from interfaces.adk.writer import PatientLlm  # noqa: PLC0415
    from wiring.language_models import asked_of  # noqa: PLC0415

    class Unreachable(ExtractiveLlm):
        @property
        def api_client(self):
            raise RuntimeError("no route")

    patient = PatientLlm(model="m", inner=Unreachable(), seconds=0, strays=Strays())
    with pytest.raises(ModelError, match="m did not answer in time"):
        await anext(patient.generate_content_async(asked_of(patient, "q")))


async def test_the_extractive_model_reads_our_prompt():
    from interfaces.adk import ExtractiveLlm  # noqa: PLC0415 - takes a second

    context = (
        "FROM YOUR PROJECT:\n[local:notes.md:1-1]\n<retrieved>\nRetries are tried three times.\n</retrieved>\n"
        "[vector:billing/retries.md:2-2]\n<retrieved>\nRetries in billing back off.\n</retrieved>\n"
        "[graph:billing/Retry]\n<retrieved>\nRetry is a class of billing.\n</retrieved>"
    )
    text = "".join(
        delta.text for delta in await said(ExtractiveLlm(), synthesis_prompt("How do teams retry?", context))
    )
    assert "[vector:billing/retries.md:2-2]" in text
    [nothing, _] = await said(ExtractiveLlm(), "Tell me a story.")
    assert nothing.text == "I answer from what is retrieved, and nothing was."


def test_a_model_nobody_knows():
    with pytest.raises(ConfigError, match=r"synthesis\.model"):
        open_synthesis(SynthesisSettings(model="no such thing"))


@pytest.mark.specification("001 §2.2 step 5")
def test_which_model_an_app_asks(monkeypatch):
    from interfaces.adk import ExtractiveLlm, model_of_environment  # noqa: PLC0415 - takes a second

    monkeypatch.delenv("GOOGLE_API_KEY", raising=False)
    assert isinstance(model_of_environment(), ExtractiveLlm)
    monkeypatch.setenv("GOOGLE_API_KEY", "none")
    assert model_of_environment().model == "gemini-2.5-flash"
    monkeypatch.setenv("HYBRID_RETRIEVAL_SYNTHESIS__MODEL", "gemini-2.5-pro")
    assert model_of_environment().model == "gemini-2.5-pro"
    synthesis = open_synthesis(SynthesisSettings(model="gemini-2.5-pro", repair=False))
    assert synthesis._model.name == "gemini-2.5-pro"
