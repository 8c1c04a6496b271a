"""Files that a command writes beside what it prints."""

from __future__ import annotations

from pathlib import Path

from memory.errors import InvalidInputError

__all__ = ["write_file"]


def write_file(file: Path, text: str) -> None:
    """Raises InvalidInputError where it cannot be written."""
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InvalidInputError(f"{file} cannot be written ({type(error).__name__}).", "Give another file.") from None
