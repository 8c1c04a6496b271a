"""The languages: one row each, and a dozen lines of `.scm` beside this file (design §5b).

A new language is a row here, its grammar package in the dependencies, and `<name>.scm` with the captures that
`symbols` reads, for what the grammar's own tags query leaves out: imports, base classes, bindings, documentation.
"""

from __future__ import annotations

import importlib
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import tree_sitter

__all__ = ["LANGUAGES", "Grammar", "Language", "grammar_of", "language_of"]

COMMENTS: Final = re.compile(r"\(comment\)\* @doc\s*\.|\(#(?:strip|select-adjacent)! @doc[^)]*\)")
"""What tags queries say of comments: our own files do, without trying every run of them from each of its lines."""


@dataclass(frozen=True, slots=True)
class Language:
    """What the symbols reader must know of a language besides its queries.

    package: the grammar's import name, which has the function `grammar` and, mostly, `TAGS_QUERY`; tags: packages whose
    tags queries count, if not its own alone; queries: our `.scm` files, if not `<name>.scm` alone; wrappers: types of
    nodes around a definition that belong to it (decorators, `export`); attribute: the type of the node that joins a name
    to what it is called on; itself: what a method calls its object, the usual name first; package_file: the stem of the
    file that is its folder's module; separator: what stands between the parts of a module's name, `/` where modules are
    named by path.
    """

    name: str
    suffixes: tuple[str, ...]
    package: str
    grammar: str = "language"
    tags: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()
    wrappers: frozenset[str] = frozenset()
    attribute: str = ""
    itself: tuple[str, ...] = ()
    package_file: str = ""
    separator: str = "."


_EXPORTS = frozenset({"export_statement", "lexical_declaration", "variable_declaration", "ambient_declaration"})

LANGUAGES: tuple[Language, ...] = (
    Language(
        name="python",
        suffixes=(".py", ".pyi"),
        package="tree_sitter_python",
        wrappers=frozenset({"decorated_definition"}),
        attribute="attribute",
        itself=("self", "cls"),
        package_file="__init__",
    ),
    Language(
        name="javascript",
        suffixes=(".js", ".jsx", ".mjs", ".cjs"),
        package="tree_sitter_javascript",
        queries=("ecmascript", "jsx", "javascript"),
        wrappers=_EXPORTS,
        attribute="member_expression",
        itself=("this",),
        package_file="index",
        separator="/",
    ),
    Language(
        name="typescript",
        suffixes=(".ts", ".mts", ".cts"),
        package="tree_sitter_typescript",
        grammar="language_typescript",
        tags=("tree_sitter_javascript", "tree_sitter_typescript"),  # the second only adds to the first
        queries=("ecmascript", "typescript"),
        wrappers=_EXPORTS,
        attribute="member_expression",
        itself=("this",),
        package_file="index",
        separator="/",
    ),
    Language(
        name="typescript",
        suffixes=(".tsx",),
        package="tree_sitter_typescript",
        grammar="language_tsx",  # a grammar of its own: `<T>x` is an element there
        tags=("tree_sitter_javascript", "tree_sitter_typescript"),
        queries=("ecmascript", "jsx", "typescript"),
        wrappers=_EXPORTS,
        attribute="member_expression",
        itself=("this",),
        package_file="index",
        separator="/",
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

    grammar = tree_sitter.Language(getattr(importlib.import_module(language.package), language.grammar)())
    tags = [importlib.import_module(package) for package in language.tags or (language.package,)]
    ours = [files(__package__).joinpath(f"{name}.scm") for name in language.queries or (language.name,)]
    texts = [COMMENTS.sub("", getattr(module, "TAGS_QUERY", "") or "") for module in tags]
    texts += [text.read_text(encoding="utf-8") for text in ours]
    return Grammar(grammar, tree_sitter.Query(grammar, "\n".join(texts)))
