"""`SynthesisAgent`: from ranked observations to an answer with checked citations (001 §6, §7.1)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import anyio

from memory.errors import ModelError
from memory.text.output import printable
from synthesis.answer import Answer, Citation
from synthesis.citing import LONGEST_TEXT, checked_text
from synthesis.extractive.answerer import ExtractiveAnswerer
from synthesis.extractive.statements import lacking
from synthesis.language_model import build_synthesis_context, repair_prompt, synthesis_prompt

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from memory.files import FileText
    from memory.observations import NormalizedObservation
    from memory.query import QueryClassification
    from memory.question import ParsedQuestion
    from synthesis.extractive.conflicts import ConflictView
    from synthesis.language_model import LanguageModel

_DEFAULT_BUDGET: Final = 8000


@dataclass(frozen=True, slots=True)
class _Draft:
    """What a model wrote, with its citations checked."""

    text: str
    citations: tuple[Citation, ...]

    @property
    def faults(self) -> int:
        return sum(not citation.verified for citation in self.citations)

    @property
    def holds(self) -> bool:
        return any(citation.verified for citation in self.citations)

    def better_than(self, other: _Draft) -> bool:
        return self.holds and (not other.holds or self.faults < other.faults)


class SynthesisAgent:
    """Writes with the model when there is one, and without when there is none, or it fails, or is late.

    model_timeout: seconds for all that the model writes; repair: whether it may write once more when citations do not
    hold. A model's answer of which no citation holds is not printed either.
    """

    def __init__(self, model: LanguageModel | None = None, *, model_timeout: float = 30.0, repair: bool = True) -> None:
        self._model = model
        self._model_timeout = model_timeout
        self._repair = repair
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
        question: ParsedQuestion | None = None,
        classification: QueryClassification | None = None,
        conflicts: Sequence[ConflictView] = (),
        missing: Sequence[str] = (),
        files: FileText | None = None,
        weights: Mapping[str, float] | None = None,
        tell: Callable[[str], None] | None = None,
    ) -> Answer:
        """The answer to ranked observations.

        question: the question as it was read; budget: tokens of context a model may read; conflicts and missing are
        what the run found out beside them; files: the lines citations are held against, else the observations' own
        text; weights: IDF of the question's words; tell: is handed each piece of the model's first draft as it is
        written, which no one has checked yet.
        """
        # Made by hand they may have none, as in 001 §7.1: then each is called after its place.
        observations = [o if o.id else replace(o, id=f"observation {n}") for n, o in enumerate(observations, start=1)]
        notes: tuple[str, ...] = ()
        tokens = [0]
        if self._model is not None and observations:
            prompt = synthesis_prompt(query, build_synthesis_context(query, observations, budget))
            asking = _Asking(self._model, anyio.current_time() + self._model_timeout, observations, files, tokens)
            written = await self._written(asking, prompt, tell)
            if isinstance(written, Answer):
                return lacking(replace(written, answerer=self._model.name, tokens=tokens[0]), missing)
            notes = (f"{self._model.name}: {written}",)
        answer = await self._extractive.answer(
            query,
            observations,
            question=question,
            classification=classification,
            conflicts=conflicts,
            missing=missing,
            files=files,
            weights=weights,
        )
        return replace(answer, tokens=tokens[0], notes=(*notes, *answer.notes))

    async def _written(self, asking: _Asking, prompt: str, tell: Callable[[str], None] | None) -> Answer | str:
        """The model's answer, or why there is none."""
        first = await asking.draft(prompt, tell)
        if isinstance(first, str):
            return first
        best, notes = first, tuple[str, ...]()
        if first.faults and self._repair:
            again = await asking.draft(repair_prompt(prompt, first.text, first.citations), None)
            if isinstance(again, str):
                notes = (f"{first.faults} citations did not hold, and were not mended: the model {again}",)
            elif again.better_than(first):
                best, notes = again, (f"{first.faults} citations did not hold, and were mended",)
        if not best.holds:
            return "none of its citations holds"
        return Answer(best.text, best.citations, notes=notes)


@dataclass(frozen=True, slots=True)
class _Asking:
    """A model at work on one question; `until` is the event loop's time, `tokens` are summed up in place."""

    model: LanguageModel
    until: float
    observations: Sequence[NormalizedObservation]
    files: FileText | None
    tokens: list[int]

    async def draft(self, prompt: str, tell: Callable[[str], None] | None) -> _Draft | str:
        """What the model answers to this, or why it does not."""
        pieces, written = list[str](), 0
        try:
            with anyio.fail_after(self.until - anyio.current_time()):
                async for delta in self.model.stream(prompt):
                    pieces.append(printable(delta.text))
                    self.tokens[0] += delta.tokens
                    written += len(pieces[-1])
                    if written > LONGEST_TEXT:
                        return f"wrote more than {LONGEST_TEXT:,} characters"
                    if tell is not None and pieces[-1]:
                        tell(pieces[-1])
        except TimeoutError:
            return "did not answer in time"
        except (ModelError, OSError) as error:
            return str(error)
        text, citations = await checked_text("".join(pieces).strip(), self.observations, self.files)
        return _Draft(text, tuple(citations))
