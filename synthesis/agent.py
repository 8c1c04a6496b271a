"""`SynthesisAgent`: from ranked observations to an answer with checked citations (001 §6, §7.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import anyio

from memory.errors import ModelError
from synthesis.answer import Answer
from synthesis.citing import checked_text
from synthesis.context import build_synthesis_context
from synthesis.extractive.answerer import ExtractiveAnswerer
from synthesis.extractive.cleaning import visible
from synthesis.prompt import synthesis_prompt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memory.files import FileText
    from memory.observations import NormalizedObservation
    from memory.query import QueryClassification
    from synthesis.extractive.conflicts import ConflictView
    from synthesis.language_model import LanguageModel

__all__ = ["SynthesisAgent"]

_DEFAULT_BUDGET: Final = 8000


class SynthesisAgent:
    """Writes with the model when there is one, and without when there is none, or it fails, or is late.

    `model_timeout` is seconds. A model's answer of which no citation holds is not printed either.
    """

    def __init__(self, model: LanguageModel | None = None, *, model_timeout: float = 30.0) -> None:
        self._model = model
        self._model_timeout = model_timeout
        self._extractive = ExtractiveAnswerer()

    async def synthesize(self, query: str, observations: Sequence[NormalizedObservation]) -> str:
        """The answer's text alone (001 §7.1)."""
        return (await self.answer(query, observations)).text

    async def answer(
        self,
        query: str,
        observations: Sequence[NormalizedObservation],
        *,
        budget: int = _DEFAULT_BUDGET,
        classification: QueryClassification | None = None,
        conflicts: Sequence[ConflictView] = (),
        missing: Sequence[str] = (),
        files: FileText | None = None,
    ) -> Answer:
        """The answer to ranked observations.

        budget: tokens of context a model may read; conflicts and missing are what the run found out beside them;
        files: the lines citations are held against, else the observations' own text.
        """
        notes: tuple[str, ...] = ()
        if self._model is not None and observations:
            written = await self._written(self._model, query, observations, budget, missing, files)
            if isinstance(written, Answer):
                return written
            notes = (f"{self._model.name}: {written}",)
        answer = await self._extractive.answer(
            query, observations, classification=classification, conflicts=conflicts, missing=missing, files=files
        )
        return Answer(answer.text, answer.citations, answer.answerer, answer.missing, answer.tokens, notes)

    async def _written(
        self,
        model: LanguageModel,
        query: str,
        observations: Sequence[NormalizedObservation],
        budget: int,
        missing: Sequence[str],
        files: FileText | None,
    ) -> Answer | str:
        """The model's answer, or why there is none."""
        prompt = synthesis_prompt(query, build_synthesis_context(query, observations, budget))
        pieces, tokens = list[str](), 0
        try:
            with anyio.fail_after(self._model_timeout):
                async for delta in model.stream(prompt):
                    pieces.append(delta.text)
                    tokens += delta.tokens
        except TimeoutError:
            return "did not answer in time"
        except (ModelError, OSError) as error:
            return str(error)
        text, citations = await checked_text(visible("".join(pieces)).strip(), observations, files)
        if not any(citation.verified for citation in citations):
            return "none of its citations holds"
        return Answer(text, tuple(citations), model.name, tuple(missing), tokens)
