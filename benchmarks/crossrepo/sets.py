"""The sets: questions with their proofs, and the repositories they ask about."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

SETS = Path(__file__).parent / "sets"


@dataclass(frozen=True, slots=True)
class Proof:
    """A line that proves a part of the answer. file: `PROJECT/PATH`; pattern: a text of that line."""

    file: str
    line: int
    pattern: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its answer; without expected files it is about something that is not there."""

    id: str
    query: str
    type: str
    project: str | None
    expected: tuple[str, ...]
    also: frozenset[str]
    proofs: tuple[Proof, ...]
    answer: str


@dataclass(frozen=True, slots=True)
class Repository:
    """A public repository at a commit. folder: the part that is read; leave_out: beginnings of paths that are not."""

    repository: str
    commit: str
    folder: str
    leave_out: tuple[str, ...]


def read_questions(folder: Path) -> tuple[Question, ...]:
    """The questions of a set, in their order."""
    rows = [json.loads(line) for line in (folder / "questions.jsonl").read_text("utf-8").splitlines()]
    return tuple(
        Question(
            row["id"],
            row["query"],
            row["type"],
            row["current_project"],
            tuple(row["expected_files"]),
            frozenset(row["also_acceptable"]),
            tuple(Proof(**proof) for proof in row["proofs"]),
            row["answer"],
        )
        for row in rows
    )


def read_repositories(folder: Path) -> Mapping[str, Repository]:
    """The repositories of a set by the short names that its files begin with."""
    rows: Mapping[str, Mapping[str, str | Sequence[str]]] = json.loads(
        (folder / "repositories.json").read_text("utf-8")
    )
    return {
        name: Repository(
            str(row["repository"]), str(row["commit"]), str(row.get("folder", "")), tuple(row.get("leave_out", ()))
        )
        for name, row in rows.items()
    }
