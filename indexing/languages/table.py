"""The languages: one row each, and a dozen lines of `.scm` beside this file (design §5b).

A new language is a row here, its grammar package in the dependencies, and `<name>.scm` with the captures that
`symbols` reads, for what the grammar's own tags query leaves out: imports, base classes, bindings, documentation.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tree_sitter

__all__ = ["LANGUAGES", "Grammar", "Language", "grammar_of", "language_of"]


@dataclass(frozen=True, slots=True)
class Language:
    """What the symbols reader must know of a language besides its queries.

    package: the grammar's import name, which has `language()` and, mostly, `TAGS_QUERY`; wrappers: types of nodes around
    a definition that belong to it (decorators, `export`); itself: what a method calls its object, the usual name first; package_file: the
    stem of the file that is its folder's module.
    """

    name: str
    suffixes: tuple[str, ...]
    package: str
    wrappers: frozenset[str] = frozenset()
    itself: tuple[str, ...] = ()
    package_file: str = ""


LANGUAGES: tuple[Language, ...] = (
    Language(
        name="python",
        suffixes=(".py", ".pyi"),
        package="tree_sitter_python",
        wrappers=frozenset({"decorated_definition"}),
        itself=("self", "cls"),
        package_file="__init__",
    ),
)

_BY_SUFFIX = {suffix: language for language in LANGUAGES for suffix in language.suffixes}


@dataclass(frozen=True, slots=True)
class Grammar:
    """A grammar and its compiled query. Parsers and cursors are made a call: they are cheap, and no two threads share one."""

    language: tree_sitter.Language
    query: tree_sitter.Query


def language_of(path: str) -> Language | None:
    """The row of a file, by its suffix."""
    return _BY_SUFFIX.get(PurePosixPath(path).suffix.lower())


@cache
def grammar_of(language: Language) -> Grammar:
    """The grammar, loaded and compiled once a process."""
    import tree_sitter  # noqa: PLC0415 - heavy, and not every run extracts

    module = importlib.import_module(language.package)
    grammar = tree_sitter.Language(module.language())
    ours = files(__package__).joinpath(f"{language.name}.scm").read_text(encoding="utf-8")
    query = tree_sitter.Query(grammar, f"{getattr(module, 'TAGS_QUERY', '') or ''}\n{ours}")
    return Grammar(grammar, query)
