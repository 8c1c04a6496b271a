"""From merged observations to an answer: the synthesis in hand, and the extractive answerer when it fails."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio

from memory.attempt import attempt
from orchestrator.running.deadlines import Leash, Strays
from synthesis import EXTRACTIVE, Answer, ExtractiveAnswerer, SynthesisAgent, checked_answer, checked_text
from synthesis.extractive.statements import lacking

if TYPE_CHECKING:
    from memory.files import FileText
    from memory.query import QueryClassification
    from memory.question import ParsedQuestion
    from merging import MergeResult

LAST_RESORT = 0.2  # seconds the extractive answerer gets even when the question's time is up


@dataclass(frozen=True, slots=True)
class Assignment:
    """What is to be answered, from what; `missing` is what the run lacks, `permission` what citations may read,
    `weights` the IDF of the question's words within it, None where nothing knows it.
    """

    question: ParsedQuestion
    merged: MergeResult
    classification: QueryClassification
    missing: tuple[str, ...]
    permission: frozenset[str]
    weights: Mapping[str, float] | None = None


class Answering:
    """Asks the synthesis for an answer; one that raises, is late or answers garbage is replaced by the extractive one.

    An object with only 001 §7.1's `synthesize` will do. Of every synthesis but our own the citations are checked here,
    and what is missing is added. files: the text citations
    are held against, for a permission; strays: where a synthesis goes that does not stop at its deadline.
    """

    def __init__(
        self,
        synthesis: Any,
        budget: int,
        files: Callable[[frozenset[str]], FileText] | None,
        strays: Strays,
    ) -> None:
        self._synthesis = synthesis or SynthesisAgent()
        self._budget = budget
        self._files = files
        self._strays = strays
        self._takes = _keywords(self._synthesis.answer) if hasattr(self._synthesis, "answer") else None

    async def write(self, assignment: Assignment, until: float, tell: Callable[[str], None] | None = None) -> Answer:
        """The answer, whatever the synthesis does; `until` is the event loop's time, `tell` is handed what a model
        writes while it does.
        """
        files = self._files(assignment.permission) if self._files is not None else None
        leash = Leash("synthesis", self._strays)
        done = await leash.attempt(partial(self._asked, assignment, files, tell), until)
        if isinstance(done.value, Answer):
            return done.value
        is_empty = isinstance(done.value, str) and not done.value.strip()
        returned = "an empty text" if is_empty else f"a {type(done.value).__name__}"
        note = f"the synthesis gave no answer: {done.reason or f'it returned {returned}'}"
        for lines in dict.fromkeys((files, None)):
            last = max(until, anyio.current_time() + LAST_RESORT)
            fallback = await attempt(partial(_extracted, assignment, lines), last)
            if fallback.status == "ok":
                answer: Answer = fallback.value
                return replace(answer, notes=(*answer.notes, note))
        text = "What was found could not be put into an answer; see the observations."
        notes = (note, f"nor did the extractive answerer: {fallback.reason}")
        return lacking(Answer(text, notes=notes), assignment.missing)

    async def nearest(self, assignment: Assignment, until: float) -> tuple[str, ...]:
        """Lines that come nearest, where nothing answers; none where they can't be had in time."""
        files = self._files(assignment.permission) if self._files is not None else None
        find = partial(
            ExtractiveAnswerer().nearest,
            assignment.question,
            assignment.merged.observations,
            files=files,
            weights=assignment.weights,
        )
        done = await attempt(find, max(until, anyio.current_time() + LAST_RESORT))
        lines: tuple[str, ...] = done.value if done.status == "ok" else ()
        return lines

    async def _asked(self, assignment: Assignment, files: FileText | None, tell: Callable[[str], None] | None) -> Any:
        observations = assignment.merged.observations
        if self._takes is None:
            text = await self._synthesis.synthesize(assignment.question.text, observations)
            if not isinstance(text, str) or not text.strip():
                return text
            checked, citations = await checked_text(text, observations, files)
            name = type(self._synthesis).__name__
            notes = () if citations else (f"{name} cites nothing, so that nothing of what it says is checked",)
            return lacking(Answer(checked, tuple(citations), name, notes=notes), assignment.missing)
        offered = {**_beside(assignment, files), "budget": self._budget, "tell": tell}
        answer = await self._synthesis.answer(
            assignment.question.text, observations, **{name: offered[name] for name in offered if self._takes(name)}
        )
        if type(self._synthesis) is SynthesisAgent or not isinstance(answer, Answer):
            return answer  # ours is checked, and says what is missing
        if answer.answerer == EXTRACTIVE and not isinstance(self._synthesis, ExtractiveAnswerer):
            answer = replace(answer, answerer=type(self._synthesis).__name__)  # it says nothing of who wrote it
        return lacking(await checked_answer(answer, observations, files), assignment.missing)


def _beside(assignment: Assignment, files: FileText | None) -> dict[str, Any]:
    return {
        "question": assignment.question,
        "classification": assignment.classification,
        "conflicts": assignment.merged.conflicts,
        "missing": assignment.missing,
        "files": files,
        "weights": assignment.weights,
    }


async def _extracted(assignment: Assignment, files: FileText | None) -> Answer:
    return await ExtractiveAnswerer().answer(
        assignment.question.text, assignment.merged.observations, **_beside(assignment, files)
    )


def _keywords(call: Callable[..., Any]) -> Callable[[str], bool]:
    """Whether a call takes an argument of this name."""
    parameters = inspect.signature(call).parameters.values()
    names = {p.name for p in parameters if p.kind in {p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY}}
    return lambda name: name in names or any(p.kind is p.VAR_KEYWORD for p in parameters)
