"""The languages: one row each, and a dozen lines of `.scm` beside this file (design §5b).

A new language is a row here, its grammar package in the dependencies, and `<name>.scm` with the captures that
`symbols` reads, for what the grammar's own tags query leaves out: imports, base classes, bindings, documentation.
"""

from __future__ import annotations

import importlib
import re
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import files
from posixpath import splitext
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
    tags queries count, if not its own; queries: our `.scm` files, if not `<name>.scm` alone; wrappers: types of nodes
    around a definition that belong to it (decorators, `export`); above: types of nodes in front of one that do (`#[…]`);
    attribute: the type of the node that joins a name to what it is called on; itself: what a method calls its object,
    the usual name first; implied: the same where it may be left out, as in `gateway.charge()` for `this.gateway.charge()`;
    sigils: what stands before names and is no part of them; doc: how a documentation comment above a definition
    begins (a pattern; empty where the queries find documentation); package_file: the stem of the file that is its
    folder's module; separator: what stands between the parts of a module's name, `/` where modules are named by path,
    `::` where a module is a package whose files share their names; packages: the languages whose packages are the same
    have the same word here; free: whether functions stand outside of classes, so that a bare call may mean a package's.
    """

    name: str
    suffixes: tuple[str, ...]
    package: str
    grammar: str = "language"
    tags: tuple[str, ...] | None = None
    queries: tuple[str, ...] = ()
    wrappers: frozenset[str] = frozenset()
    above: frozenset[str] = frozenset()
    attribute: str = ""
    itself: tuple[str, ...] = ()
    implied: tuple[str, ...] = ()
    sigils: str = ""
    doc: str = ""
    package_file: str = ""
    separator: str = "."
    packages: str = ""
    free: bool = False


_BLOCK = r"/[*][*]"

_JAVASCRIPT = Language(
    name="javascript",
    suffixes=(".js", ".jsx", ".mjs", ".cjs"),
    package="tree_sitter_javascript",
    queries=("ecmascript", "jsx", "javascript"),
    wrappers=frozenset({"export_statement", "lexical_declaration", "variable_declaration", "ambient_declaration"}),
    attribute="member_expression",
    itself=("this",),
    package_file="index",
    separator="/",
)
_TYPESCRIPT = replace(
    _JAVASCRIPT,
    name="typescript",
    suffixes=(".ts", ".mts", ".cts"),
    package="tree_sitter_typescript",
    grammar="language_typescript",
    tags=("tree_sitter_javascript", "tree_sitter_typescript"),  # the second only adds to the first
    queries=("ecmascript", "typescript"),
)
_C = Language(
    name="c",
    suffixes=(".c",),
    package="tree_sitter_c",
    tags=(),  # its functions are prototypes too, and of one line
    wrappers=frozenset({"template_declaration", "linkage_specification"}),
    implied=("this",),
    sigils="&*",
    doc=r"/[*]|//",
    separator="::",
    packages="c",
    free=True,
)

_CPP = replace(
    _C,
    name="cpp",
    suffixes=(".cc", ".cpp", ".cxx", ".hpp", ".hh", ".hxx"),
    package="tree_sitter_cpp",
    queries=("c", "cpp"),
)

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
    _JAVASCRIPT,
    _TYPESCRIPT,
    replace(  # a grammar of its own: `<T>x` is an element there
        _TYPESCRIPT, suffixes=(".tsx",), grammar="language_tsx", queries=("ecmascript", "jsx", "typescript")
    ),
    Language(
        name="java",
        suffixes=(".java",),
        package="tree_sitter_java",
        implied=("this",),
        doc=_BLOCK,
        separator="::",
        packages="jvm",
    ),
    Language(
        name="kotlin",
        suffixes=(".kt", ".kts"),
        package="tree_sitter_kotlin",
        implied=("this",),
        doc=_BLOCK,
        separator="::",
        packages="jvm",
        free=True,
    ),
    Language(
        name="csharp",
        suffixes=(".cs",),
        package="tree_sitter_c_sharp",
        implied=("this",),
        doc="///",
        separator="::",
        packages="dotnet",
    ),
    Language(
        name="go",
        suffixes=(".go",),
        package="tree_sitter_go",
        tags=(),  # every name of a type is a reference there
        wrappers=frozenset({"type_declaration"}),
        sigils="&*",
        doc=r"//|/[*]",
        separator="::",
        packages="go",
        free=True,
    ),
    Language(
        name="ruby",
        suffixes=(".rb", ".rake", ".gemspec"),
        package="tree_sitter_ruby",
        tags=(),  # every name is a call there
        implied=("self",),
        sigils="@",
        doc="#",
        separator="::",
        packages="ruby",
    ),
    Language(
        name="php",
        suffixes=(".php",),
        package="tree_sitter_php",
        grammar="language_php",
        tags=(),  # what is called is not told from what it is called on
        implied=("this", "self", "static"),
        sigils="$",
        doc=_BLOCK,
        separator="::",
        packages="php",
        free=True,
    ),
    Language(
        name="rust",
        suffixes=(".rs",),
        package="tree_sitter_rust",
        tags=(),  # an `impl` is a definition's second half there, and modules give their names to all that is in them
        above=frozenset({"attribute_item"}),
        implied=("self", "Self"),
        sigils="&*",
        doc=r"///|/[*][*]",
        separator="::",
        packages="rust",
        free=True,
    ),
    _C,
    _CPP,
    replace(_CPP, name="c", suffixes=(".h",)),  # nobody knows which of the two it is, and the larger reads both
)

_BY_SUFFIX = {suffix: language for language in LANGUAGES for suffix in language.suffixes}


@dataclass(frozen=True, slots=True)
class Grammar:
    """A grammar and its compiled query. Parsers and cursors are made a call: they are cheap, and no two threads share one."""

    language: tree_sitter.Language
    query: tree_sitter.Query


@lru_cache(maxsize=8192)  # resolution asks again and again for the same files
def language_of(path: str) -> Language | None:
    """The row of a file, by its suffix."""
    return _BY_SUFFIX.get(splitext(path)[1].lower())


@cache
def grammar_of(language: Language) -> Grammar:
    """The grammar, loaded and compiled once a process."""
    import tree_sitter  # noqa: PLC0415 - heavy, and not every run extracts

    grammar = tree_sitter.Language(getattr(importlib.import_module(language.package), language.grammar)())
    tags = [
        importlib.import_module(package)
        for package in ((language.package,) if language.tags is None else language.tags)
    ]
    ours = [files(__package__).joinpath(f"{name}.scm") for name in language.queries or (language.name,)]
    texts = [COMMENTS.sub("", getattr(module, "TAGS_QUERY", "") or "") for module in tags]
    texts += [text.read_text(encoding="utf-8") for text in ours]
    return Grammar(grammar, tree_sitter.Query(grammar, "\n".join(texts)))
