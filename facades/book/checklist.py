"""004's validation checklist, run by itself on a pipeline; a small YAML file says what is expected of the book."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from facades.book.model import IncompleteMetadataError, RetrievalResponse, RetrievalResult
from facades.book.pipeline import RetrievalPipeline
from facades.library import InvalidRequestError, QdrantConnectionError
from memory.documents import read_yaml_file
from memory.errors import HybridRetrievalError, InvalidInputError

_BASIC, _PARAMETERS, _EDGES = "Basic Functionality", "Parameter Configuration", "Edge Cases"
_FIELDS = "All metadata fields present in results"
_CONSISTENCY, _COVERAGE = "Consistency", "Coverage"
_MOST = 10
_STRICT = 0.7
_LONG = "a" * 1001
_SPECIAL = "🤖" * 500
_NO_SERVER = "http://127.0.0.1:1"
"""No server is there, so that no running Qdrant has to be stopped."""


@dataclass(frozen=True, slots=True)
class BookQuestion:
    """A question, and how the path of a file among its results begins ('' for any); first: of the first of them."""

    ask: str
    source: str = ""
    first: bool = False


@dataclass(frozen=True, slots=True)
class BookExpectations:
    """The questions; modules: what a source file of each of them begins with; files: how many there are in all."""

    questions: tuple[BookQuestion, ...]
    modules: tuple[str, ...] = ()
    files: int = 0


def read_expectations(file: Path) -> BookExpectations:
    """The file's. Raises InvalidInputError for one that cannot be read, or says something else."""
    document = read_yaml_file(file, hint="Correct it.")
    try:
        return _expectations(**document)
    except TypeError as error:
        raise InvalidInputError(
            f"{file} is no checklist: {error}.",
            "It has `questions`, a list of {ask, source, first}, and may have `modules`, a list, and `files`, a number.",  # noqa: E501 - a table
        ) from None


def _expectations(questions: Any, modules: Any = (), files: Any = 0) -> BookExpectations:
    asked = tuple(BookQuestion(**question) for question in questions)
    if isinstance(modules, str) or isinstance(questions, str):
        raise TypeError("a list is a text")
    names = tuple(modules)
    texts = [*names, *(text for question in asked for text in (question.ask, question.source))]
    if not asked or not all(isinstance(text, str) for text in texts) or not isinstance(files, int):
        raise TypeError("a question, a text or a number is something else")
    return BookExpectations(asked, names, files)


@dataclass(frozen=True, slots=True)
class ChecklistItem:
    """One item: its section, its words, whether it holds, and what was seen."""

    section: str
    item: str
    passed: bool
    seen: str

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


async def run_checklist(pipeline: RetrievalPipeline, expected: BookExpectations) -> list[ChecklistItem]:
    """Every item, in the order of the checklist.

    Raises what a query raises that should have an answer, but for a chunk that lacks a field, which an item is about.
    """
    first = expected.questions[0]
    try:
        answers = {question.ask: await pipeline.aquery(question.ask, _MOST) for question in expected.questions}
    except IncompleteMetadataError as error:
        return [ChecklistItem(_BASIC, _FIELDS, passed=False, seen=error.message)]
    results = [result for answer in answers.values() for result in answer.results]
    return [
        _expected(_BASIC, f'Query "{first.ask}" returns relevant {first.source or "any"} chunks', [first], answers),
        _ordered(answers.values()),
        _complete(results),
        *await _parameters(pipeline, first.ask, answers[first.ask]),
        *await _edges(pipeline, first.ask),
        await _repeated(pipeline, first.ask),
        _expected(_CONSISTENCY, "Results match expected source files", expected.questions, answers),
        *_coverage(expected, answers),
    ]


def _expected(
    section: str, item: str, questions: Sequence[BookQuestion], answers: Mapping[str, RetrievalResponse]
) -> ChecklistItem:
    wrong = [question.ask for question in questions if not _answers(question, answers[question.ask])]
    return ChecklistItem(
        section, item, not wrong, f"not so: {'; '.join(wrong)}" if wrong else f"{len(questions)} asked"
    )


def _answers(question: BookQuestion, answer: RetrievalResponse) -> bool:
    looked_at = answer.results[:1] if question.first else answer.results
    return any(result.source_file.startswith(question.source) for result in looked_at)


def _ordered(answers: Iterable[RetrievalResponse]) -> ChecklistItem:
    pairs = [pair for answer in answers for pair in pairwise(answer.results)]
    falling = all(a.similarity_score >= b.similarity_score and a.rank + 1 == b.rank for a, b in pairs)
    seen = f"{len(pairs)} pairs of neighbours"
    return ChecklistItem(_BASIC, "Results ordered by decreasing similarity score", bool(pairs) and falling, seen)


def _complete(results: Sequence[RetrievalResult]) -> ChecklistItem:
    """A query refuses a chunk that lacks one; what is looked at here is whether they can be true."""
    sound = all(
        result.chunk_id
        and result.content_hash
        and 0 <= result.chunk_sequence <= result.total_chunks
        and result.token_count > 0
        for result in results
    )
    return ChecklistItem(_BASIC, _FIELDS, bool(results) and sound, f"{len(results)} results")


async def _parameters(pipeline: RetrievalPipeline, ask: str, usual: RetrievalResponse) -> list[ChecklistItem]:
    three = await pipeline.aquery(ask, 3)
    scores = [result.similarity_score for result in usual.results] or [0.0]
    least = _STRICT if min(scores) < _STRICT else (max(scores) + min(scores)) / 2  # one that leaves some out
    strict = await pipeline.aquery(ask, _MOST, least)
    kept = [result for result in usual.results if result.similarity_score >= least]
    counts = [answer.total_results for answer in (three, usual, strict)]
    return [
        ChecklistItem(_PARAMETERS, "top_k=3 returns exactly 3 results", counts[0] == 3, f"{counts[0]}"),
        ChecklistItem(
            _PARAMETERS, f"top_k={_MOST} returns up to {_MOST} results", 0 < counts[1] <= _MOST, f"{counts[1]}"
        ),
        ChecklistItem(
            _PARAMETERS,
            f"similarity_threshold={_STRICT} filters out low-score results",
            strict.results == kept and len(kept) < counts[1],
            f"{counts[2]} of {counts[1]} left{'' if least == _STRICT else f' at {least:.2f}: none is below {_STRICT}'}",
        ),
    ]


async def _edges(pipeline: RetrievalPipeline, ask: str) -> list[ChecklistItem]:
    return [
        await _refused(pipeline, "", "Empty query raises ValueError with clear message", InvalidRequestError),
        await _answered(pipeline, _LONG, f"Very long query ({len(_LONG)} chars) processes successfully"),
        await _answered(pipeline, _SPECIAL, "Query with special characters returns valid results"),
        await _refused(pipeline.at(_NO_SERVER), ask, "Qdrant disconnected returns clear error", QdrantConnectionError),
    ]


async def _refused(pipeline: RetrievalPipeline, ask: str, item: str, error: type[Exception]) -> ChecklistItem:
    try:
        answer = await pipeline.aquery(ask)
    except error as refused:
        return ChecklistItem(_EDGES, item, passed=True, seen=str(refused))
    except HybridRetrievalError as other:  # a proxy may forbid to knock
        return ChecklistItem(_EDGES, item, passed=False, seen=str(other))
    return ChecklistItem(_EDGES, item, passed=False, seen=f"{answer.total_results} results")


async def _answered(pipeline: RetrievalPipeline, ask: str, item: str) -> ChecklistItem:
    try:
        answer = await pipeline.aquery(ask)
    except HybridRetrievalError as error:
        return ChecklistItem(_EDGES, item, passed=False, seen=error.message)
    return ChecklistItem(_EDGES, item, answer.total_results > 0, f"{answer.total_results} results")


async def _repeated(pipeline: RetrievalPipeline, ask: str) -> ChecklistItem:
    first, second, third = [(await pipeline.aquery(ask, _MOST)).results for _ in range(3)]
    item = "Same query repeated 3 times returns identical results in same order"
    return ChecklistItem(_CONSISTENCY, item, first == second == third, f"{len(first)} results")


def _coverage(expected: BookExpectations, answers: Mapping[str, RetrievalResponse]) -> list[ChecklistItem]:
    """A module answers where what comes first for a question about it is of it."""
    found = {result.source_file for answer in answers.values() for result in answer.results}
    asked = [replace(question, first=True) for question in expected.questions]
    answering = [question.source for question in asked if _answers(question, answers[question.ask])]
    lacking = [module for module in expected.modules if not any(source.startswith(module) for source in answering)]
    modules = f"At least one successful query from each of {len(expected.modules)} book modules"
    files = f"Chunks retrieved from all {expected.files} source files (aggregate across queries)"
    return [
        ChecklistItem(_COVERAGE, modules, not lacking, f"none from: {', '.join(lacking)}" if lacking else "all"),
        ChecklistItem(_COVERAGE, files, len(found) >= expected.files, f"from {len(found)}"),
    ]
