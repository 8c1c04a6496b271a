"""Questions with known answers, one JSON object a line (docs/design.md#question-files)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memory.documents import read_json_lines
from memory.errors import InvalidInputError
from memory.query import QueryType

__all__ = ["Question", "QuestionFile", "read_questions"]

_KNOWN = {
    "id", "query", "type", "expected_files", "expected_entities", "current_project", "must_abstain", "abstain",
    "also_acceptable", "allowed_projects",
}  # fmt: skip
_TYPES = {t.value for t in QueryType}


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
        """The projects that hold an expected file."""
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
    """A list of texts, each once."""
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InvalidInputError(f"{where}: {field} is no list of texts.", "Files are PROJECT:PATH.")
    return tuple(dict.fromkeys(value))
