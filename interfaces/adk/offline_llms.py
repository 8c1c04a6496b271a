"""ADK models that need no key and no network: the extractive answerer, and for tests one that follows a script."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Mapping
from typing import Any, ClassVar, Final

import anyio
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.genai import types
from pydantic import Field

from memory.observations import Location, NormalizedObservation
from orchestrator.analysis import QueryAnalyzer
from synthesis import ExtractiveAnswerer, Marker, parse_markers

ASK: Final = "ask_projects"
EVIDENCE: Final = "retrieve_adk_evidence"
DRAFT = re.compile(r"<draft>\n(.*?)\n</draft>", re.DOTALL)
_UNASKED: Final = "I answer from what is retrieved, and nothing was."
_QUESTION = re.compile(r"^QUERY: (.*)$", re.MULTILINE)
_FENCED = re.compile(
    r"^(\[(?:local|graph|vector):[^\]\n]+\])\n<retrieved>\n(.*?)\n</retrieved>", re.DOTALL | re.MULTILINE
)
_PRIOR = 0.5
"""The confidence of what comes without one; the order it comes in is its rank."""


class ExtractiveLlm(BaseLlm):
    """Answers out of what the request holds, word for word, and calls our tools where the agent has them.

    In this order: what a tool of ours has returned in this turn; a call of that tool, for the user's question; a draft
    that the prompt holds; the observations that the prompt holds.
    """

    model: str = "extractive"

    EVIDENCE_ASKED: ClassVar[Mapping[str, Any]] = {"intent": "", "top_k": 12}

    async def generate_content_async(
        self,
        llm_request: LlmRequest,
        stream: bool = False,  # noqa: FBT001, FBT002 - ADK's signature
    ) -> AsyncGenerator[LlmResponse, None]:
        """One turn, as `BaseLlm` says; streamed by lines."""
        part = await self._part(llm_request)
        if stream and part.text:
            for line in part.text.splitlines(keepends=True):
                yield _response(types.Part(text=line), partial=True)
        yield _response(part, partial=False)

    async def _part(self, request: LlmRequest) -> types.Part:
        answered = _returned(request)
        if answered is not None:
            return types.Part(text=await _answer_text(*answered, question=_question(request)))
        question = _question(request)
        tool = next((name for want in (ASK, EVIDENCE) for name in request.tools_dict if name.endswith(want)), None)
        if tool is not None and question:
            arguments = {"question": question} if tool.endswith(ASK) else {"query": question, **self.EVIDENCE_ASKED}
            return types.Part(function_call=types.FunctionCall(name=tool, args=arguments))
        prompt = _prompt(request)
        draft = DRAFT.search(prompt)
        if draft is not None:
            return types.Part(text=draft[1])
        found = _observations_in(prompt)
        return types.Part(text=await _extracted(_question_in(prompt) or question, found) if found else _UNASKED)


def _response(part: types.Part, *, partial: bool) -> LlmResponse:
    content = types.Content(role="model", parts=[part])
    spent = types.GenerateContentResponseUsageMetadata(
        prompt_token_count=0, candidates_token_count=0, total_token_count=0
    )  # each count, else ADK warns that some are missing
    usage = None if partial else spent
    return LlmResponse(content=content, partial=partial, model_version="extractive", usage_metadata=usage)


async def _extracted(question: str, observations: list[NormalizedObservation]) -> str:
    classification = QueryAnalyzer().classify(question or "What is this?")
    return (await ExtractiveAnswerer().answer(question, observations, classification=classification)).text


async def _answer_text(name: str, response: Mapping[str, Any], question: str) -> str:
    """What a tool's result says in words."""
    error = response.get("error")
    if error:
        parts = [error.get("message"), error.get("hint")] if isinstance(error, Mapping) else [error]
        return " ".join(str(part) for part in parts if part)
    if name.endswith(ASK):
        return str(response.get("answer", ""))
    return await _extracted(question, _observations_of(response))


def _returned(request: LlmRequest) -> tuple[str, Mapping[str, Any]] | None:
    """The name and the result of our tool, if it is the last thing that happened."""
    parts = (request.contents[-1].parts or []) if request.contents else []
    for part in parts:
        answer = part.function_response
        if answer is not None and answer.name and answer.name.endswith((ASK, EVIDENCE)):
            return answer.name, answer.response or {}
    return None


def _question(request: LlmRequest) -> str:
    for content in reversed(request.contents):
        text = "".join(part.text or "" for part in content.parts or [])
        if content.role == "user" and text.strip():
            return text.strip()
    return ""


def _prompt(request: LlmRequest) -> str:
    system = request.config.system_instruction
    texts = [part.text or "" for content in request.contents for part in content.parts or []]
    return "\n".join([system if isinstance(system, str) else "", *texts])


def _question_in(prompt: str) -> str:
    """The question of a synthesis prompt (001 §6.2), '' in any other text."""
    found = _QUESTION.search(prompt)
    return found[1].strip() if found else ""


def _observations_in(prompt: str) -> list[NormalizedObservation]:
    """The fenced observations of a synthesis prompt, in its order; of what a graph proves only the words are there."""
    fenced = [(parse_markers(marker)[0], text) for marker, text in _FENCED.findall(prompt)]
    return [_observation(rank, marker, text) for rank, (marker, text) in enumerate(fenced, 1)]


def _observation(rank: int, marker: Marker, text: str) -> NormalizedObservation:
    project, _, path = marker.path.partition("/") if marker.kind == "vector" else ("", "", marker.path)
    names = tuple(name.rsplit("/", 1)[-1] for name in marker.names)
    return NormalizedObservation(
        content=text,
        source=f"local:{path}" if marker.kind == "local" else marker.kind,
        source_project=project or (marker.names[0].partition("/")[0] if marker.names else ""),
        confidence=_PRIOR,
        observation_type="relationship" if len(names) > 1 else "documentation",
        entities_mentioned=names,
        id=f"observation-{rank}",
        agent=marker.kind,
        locations=(Location(project, path, *marker.lines),) if marker.lines else (),
        metadata={"path": path} if path else {},
        rank=rank,
    )


def _observations_of(pack: Mapping[str, Any]) -> list[NormalizedObservation]:
    """The pieces of an evidence pack (000 §8.1), in its order."""
    return [
        NormalizedObservation(
            content=item["text"],
            source="vector:evidence",
            source_project=item["repo"],
            confidence=_PRIOR,
            observation_type="code" if item["corpus"] == "code" else "documentation",
            id=item["evidence_id"],
            locations=_lines(item),
            metadata={"corpus": item["corpus"], "chunk_kind": item["chunk_kind"], "path": item["path"]},
            rank=item["rank"],
        )
        for item in pack.get("evidence", ())
    ]


def _lines(item: Mapping[str, Any]) -> tuple[Location, ...]:
    if item["start_line"] is None:
        return ()
    return (Location(item["repo"], item["path"], item["start_line"], item["end_line"]),)


class ScriptedLlm(BaseLlm):
    """Says its turns one after the other, the last again and again: a text, a function call, an error that is raised.

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
            yield _scripted(types.Part(function_call=turn), self.tokens)
            return
        words = turn.split(" ")
        for place, word in enumerate(words if stream else ()):
            text = word if place == len(words) - 1 else f"{word} "
            yield _scripted(types.Part(text=text), 0, partial=True)
        yield _scripted(types.Part(text=turn), self.tokens)


def _scripted(part: types.Part, tokens: int, *, partial: bool = False) -> LlmResponse:
    usage = types.GenerateContentResponseUsageMetadata(total_token_count=tokens) if tokens else None
    return LlmResponse(content=types.Content(role="model", parts=[part]), partial=partial, usage_metadata=usage)
