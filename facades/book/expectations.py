"""What a validation checklist expects of a book: a small YAML file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memory.documents import read_yaml_file
from memory.errors import InvalidInputError

__all__ = ["BookQuestion", "Expectations", "read_expectations"]


@dataclass(frozen=True, slots=True)
class BookQuestion:
    """A question, and the beginning of the path of a file that is among its results ('' for any); first: the first of them."""

    ask: str
    source: str = ""
    first: bool = False


@dataclass(frozen=True, slots=True)
class Expectations:
    """The questions; modules: what a source file of each of them begins with; files: how many there are in all."""

    questions: tuple[BookQuestion, ...]
    modules: tuple[str, ...] = ()
    files: int = 0


def read_expectations(file: Path) -> Expectations:
    """The file's. Raises InvalidInputError for one that cannot be read, or says something else."""
    document = read_yaml_file(file, hint="Correct it.")
    try:
        return _expectations(**document)
    except TypeError as error:
        raise InvalidInputError(
            f"{file} is no checklist: {error}.",
            "It has `questions`, a list of {ask, source, first}, and may have `modules`, a list, and `files`, a number.",
        ) from None


def _expectations(questions: Any, modules: Any = (), files: Any = 0) -> Expectations:
    asked = tuple(BookQuestion(**question) for question in questions)
    names = tuple(modules)
    texts = [*names, *(text for question in asked for text in (question.ask, question.source))]
    if not asked or not all(isinstance(text, str) for text in texts) or not isinstance(files, int):
        raise TypeError("a question, a text or a number is something else")
    return Expectations(asked, names, files)
