"""Questions with known answers, one JSON object a line, and a run over a whole file (docs/design.md#question-files)."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from configs import AGENTS
from memory.documents import read_json_lines
from memory.errors import InvalidInputError
from memory.question import QueryType

__all__ = [
    "METRICS",
    "Question",
    "QuestionFile",
    "evaluate",
    "files_in_order",
    "mean",
    "percentile",
    "read_questions",
    "recall",
    "reciprocal_rank",
    "share",
]

_KNOWN = {
    "id", "query", "type", "expected_files", "expected_entities", "current_project", "must_abstain", "abstain",
    "also_acceptable", "allowed_projects",
}  # fmt: skip
_TYPES = {t.value for t in QueryType}
METRICS = (
    "recall@5", "recall@10", "mrr@10", "type_accuracy", "scope_precision", "scope_recall", "lost_to_scope",
    "abstention_right", "abstention_wrong", "citations_located", "citations_verified", "agreement", "latency_p50_ms", "latency_p95_ms",  # noqa: E501 - a table
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Question:
    """One question; files are `PROJECT:PATH`. A hit in `also_acceptable` neither counts nor costs."""

    id: str
    query: str
    type: str
    expected_files: tuple[str, ...]
    current_project: str | None = None
    must_abstain: bool = False
    also_acceptable: tuple[str, ...] = ()
    allowed_projects: tuple[str, ...] | None = None

    @property
    def expected_projects(self) -> frozenset[str]:
        return frozenset(file.split(":", 1)[0] for file in self.expected_files)


@dataclass(frozen=True, slots=True)
class QuestionFile:
    """The questions of a file, and the fields no one reads."""

    questions: tuple[Question, ...]
    ignored_fields: tuple[str, ...]


def read_questions(path: Path) -> QuestionFile:
    """Parse a file; raises InvalidInputError that names the line and what is wrong with it."""
    questions, ignored = [], set[str]()
    for where, row in read_json_lines(path, hint="Give a file of questions, one JSON object a line."):
        if not isinstance(row, dict):
            raise InvalidInputError(f"{where} is not a JSON object.", "One JSON object a line.")
        ignored |= set(row) - _KNOWN
        questions.append(_question(row, where))
    if not questions:
        raise InvalidInputError(
            f"{path} holds no question.", "One JSON object a line: id, query, type, expected_files."
        )
    return QuestionFile(tuple(questions), tuple(sorted(ignored)))


def _question(row: dict[str, Any], where: str) -> Question:
    for field in ("id", "query", "type"):
        if not isinstance(row.get(field), str) or not row[field].strip():
            raise InvalidInputError(
                f"{where}: {field} is missing or no text.", "Needed: id, query, type, expected_files."
            )
    if row["type"] not in _TYPES:
        raise InvalidInputError(f"{where}: unknown type {row['type']!r}.", f"Known: {', '.join(sorted(_TYPES))}.")
    abstain = row.get("must_abstain", row.get("abstain", False))
    if not isinstance(abstain, bool):
        raise InvalidInputError(f"{where}: must_abstain is {abstain!r}.", "Say true or false.")
    project = row.get("current_project")
    if not (project is None or isinstance(project, str)):
        raise InvalidInputError(f"{where}: current_project is {project!r}.", "Give a project's name.")
    files = _texts(row.get("expected_files", []), "expected_files", where)
    if not files and not abstain:
        raise InvalidInputError(f"{where}: expected_files is empty.", "Name the files, or say must_abstain.")
    acceptable = _texts(row.get("also_acceptable", []), "also_acceptable", where)
    allowed = row.get("allowed_projects")
    return Question(
        id=row["id"],
        query=row["query"],
        type=row["type"],
        expected_files=files,
        current_project=project,
        must_abstain=abstain,
        also_acceptable=tuple(file for file in acceptable if file not in files),
        allowed_projects=None if allowed is None else _texts(allowed, "allowed_projects", where),
    )


def _texts(value: Any, field: str, where: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InvalidInputError(f"{where}: {field} is no list of texts.", "Files are PROJECT:PATH.")
    return tuple(dict.fromkeys(value))


def files_in_order(observations: Iterable[Mapping[str, Any]], left_out: Collection[str] = ()) -> list[str]:
    """The observations' files (`PROJECT:PATH`) in rank order, each once, without those that neither count nor cost."""
    files = (f"{at['project']}:{at['path']}" for observation in observations for at in observation["locations"])
    return [file for file in dict.fromkeys(files) if file not in left_out]


def recall(files: Sequence[str], expected: Collection[str], k: int) -> float:
    """Expected files among the first k ÷ expected files."""
    return len(set(files[:k]) & set(expected)) / len(set(expected))


def reciprocal_rank(files: Sequence[str], expected: Collection[str], k: int) -> float:
    """1 ÷ the rank of the first expected file among the first k, 0 if none is there."""
    return next((1.0 / rank for rank, file in enumerate(files[:k], start=1) if file in expected), 0.0)


def share(part: int, whole: int) -> float | None:
    """part ÷ whole, None where there is nothing to share."""
    return part / whole if whole else None


def percentile(values: Sequence[float], percent: float) -> float | None:
    """The nearest-rank percentile (the smallest value that `percent` of all do not exceed), None of nothing."""
    if not values:
        return None
    return sorted(values)[max(math.ceil(len(values) * percent / 100), 1) - 1]


class Asks(Protocol):
    """Asks one question and gives `HybridResult.to_dict()`; `without_scope` with scope mode none."""

    async def __call__(self, question: Question, *, without_scope: bool) -> dict[str, Any]: ...


@dataclass(frozen=True, slots=True)
class _Scored:
    question: Question
    result: dict[str, Any]
    files: list[str]
    lost: int

    @property
    def abstained(self) -> bool:
        return bool(self.result["status"] == "not_found")


async def evaluate(file: QuestionFile, ask: Asks, progress: Callable[[int, int], None] | None = None) -> dict[str, Any]:
    """Ask every question with the settings under test and once without scope; returns the document of `evaluate
    --json`.

    A must-abstain question is left out of recall and reciprocal rank. `lost_to_scope` counts expected files among the
    first ten without scope that are not there with it. `agreement` is the share, of the questions that two agents find
    something for, in which sources agree on something.
    """
    scored = []
    for number, question in enumerate(file.questions, start=1):
        result = await ask(question, without_scope=False)
        unscoped = await ask(question, without_scope=True)
        files = files_in_order(result["observations"], question.also_acceptable)
        free = files_in_order(unscoped["observations"], question.also_acceptable)
        lost = len((set(free[:10]) - set(files[:10])) & set(question.expected_files))
        scored.append(_Scored(question, result, files, lost))
        if progress:
            progress(number, len(file.questions))
    types = sorted({one.question.type for one in scored})
    return {
        "schema_version": "1",
        "questions": len(scored),
        "overall": _metrics(scored),
        "by_type": {name: _metrics([one for one in scored if one.question.type == name]) for name in types},
        "per_question": [_row(one) for one in scored],
        "ignored_fields": list(file.ignored_fields),
    }


def _metrics(scored: Sequence[_Scored]) -> dict[str, float | int | None]:
    answerable = [one for one in scored if not one.question.must_abstain]
    scopes = [(one, {p["project"] for p in one.result["scope"]["projects"]}) for one in answerable]
    hits = sum(len(scope & one.question.expected_projects) for one, scope in scopes)
    citations = [citation for one in scored for citation in one.result["citations"]]
    measured = [one.result["metrics"] for one in scored]
    by_two = [m for m in measured if sum(m[f"{agent}_observations"] > 0 for agent in AGENTS) > 1]
    times = [metrics["total_time_ms"] for metrics in measured]
    wrong = sum(one.abstained != one.question.must_abstain for one in scored)
    return {
        "recall@5": mean(recall(one.files, one.question.expected_files, 5) for one in answerable),
        "recall@10": mean(recall(one.files, one.question.expected_files, 10) for one in answerable),
        "mrr@10": mean(reciprocal_rank(one.files, one.question.expected_files, 10) for one in answerable),
        "type_accuracy": mean(
            float(one.question.type in one.result["classification"]["query_types"]) for one in scored
        ),
        "scope_precision": share(hits, sum(len(scope) for _, scope in scopes)),
        "scope_recall": share(hits, sum(len(one.question.expected_projects) for one in answerable)),
        "lost_to_scope": sum(one.lost for one in answerable),
        "abstention_right": sum(one.abstained for one in scored if one.question.must_abstain),
        "abstention_wrong": wrong,
        "citations_located": share(sum(citation["located"] for citation in citations), len(citations)),
        "citations_verified": share(sum(citation["verified"] for citation in citations), len(citations)),
        "agreement": mean(float(metrics["source_agreement"] > 0) for metrics in by_two),
        "latency_p50_ms": percentile(times, 50),
        "latency_p95_ms": percentile(times, 95),
    }


def mean(values: Iterable[float]) -> float | None:
    """The arithmetic mean, None of nothing."""
    listed = list(values)
    return math.fsum(listed) / len(listed) if listed else None


def _row(one: _Scored) -> dict[str, Any]:
    question = one.question
    scores = {} if question.must_abstain else {
        "recall@10": recall(one.files, question.expected_files, 10),
        "mrr@10": reciprocal_rank(one.files, question.expected_files, 10),
        "missed": [file for file in question.expected_files if file not in one.files[:10]],
        "lost_to_scope": one.lost,
    }  # fmt: skip
    return {
        "id": question.id,
        "query": question.query,
        "type": question.type,
        "query_types": one.result["classification"]["query_types"],
        "status": one.result["status"],
        "files": one.files[:10],
        **scores,
    }
