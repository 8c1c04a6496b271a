"""Which files are programs, for the rules that read code."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from indexing.chunks.kinds import kind_of
from indexing.languages import language_of

__all__ = ["is_code", "is_test_folder", "program_language"]

TESTS: Final = re.compile(r"(^|/)(?:[\w.]+[-_.])?(?:tests?|Tests|[a-z]+Test)/")


@lru_cache(maxsize=64)  # all rules ask it of one file, then of the next
def program_language(path: str) -> str:
    """The language of a program's file; '' for a test and for what is no program."""
    language = language_of(path)
    return language.name if language is not None and kind_of(path, language.name) != "test" else ""


def is_code(path: str) -> bool:
    """Whether a program's file, and no test: `src/component-test/` is one too."""
    return program_language(path) != "" and not is_test_folder(path)


def is_test_folder(path: str) -> bool:
    """Whether a folder on the path holds tests."""
    return TESTS.search(path) is not None
