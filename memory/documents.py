"""Files that users name on the command line: a document that is read, a text that is written, an error naming it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from configs.documents import DocumentError, parse_json, parse_yaml, read_text
from memory.errors import InvalidInputError


def read_yaml_file(file: Path, *, hint: str = "") -> Any:
    """The document as plain data. Raises InvalidInputError for a file that can't be read, with the hint for no YAML."""
    return _parsed(_text(file, "Give a YAML file."), str(file), parse_yaml, hint)


def read_json_file(file: Path, *, hint: str = "") -> Any:
    """The same of JSON."""
    return _parsed(_text(file, hint or "Give a JSON file."), str(file), parse_json, hint)


def read_json_lines(file: Path, *, hint: str = "") -> Iterator[tuple[str, Any]]:
    """The place of each line that is not blank (`FILE, line 3`), and its document. Raises InvalidInputError, a wrong
    line's when it is its turn.
    """
    for number, line in enumerate(_text(file, hint).split("\n"), start=1):
        if line.strip():
            where = f"{file}, line {number}"
            yield where, _parsed(line, where, parse_json, hint)


def _text(file: Path, hint: str) -> str:
    try:
        return read_text(file)
    except DocumentError as error:
        raise InvalidInputError(f"{file} {error}", hint) from None


def _parsed(text: str, where: str, parse: Callable[[str], Any], hint: str) -> Any:
    try:
        return parse(text)
    except DocumentError as error:
        raise InvalidInputError(f"{where} {error}", hint) from None


def write_file(file: Path, text: str) -> None:
    """Write a file beside what a command prints. Raises InvalidInputError where it cannot be written."""
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InvalidInputError(f"{file} cannot be written ({type(error).__name__}).", "Give another file.") from None
