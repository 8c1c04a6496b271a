"""The languages: one row each, of those that ast-grep parses.

What a language defines is in its row where nodes of a kind do, with their names in a field `name`. For more there are
queries, `<name>.scm` beside this file, or ast-grep's rules, `<name>.yaml`, with the captures that `symbols` reads.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import files
from posixpath import splitext

from extraction.languages.matching import Matcher, Rules
from extraction.languages.queries import Query, queries_in


@dataclass(frozen=True, slots=True)
class Language:
    """What the symbols reader must know of a language.

    parser: ast-grep's name of it, if it is another; definitions: what is defined, each with the kinds of nodes that do;
    queries: the `.scm` files, if not `<name>.scm` alone, or none beside `definitions`; rules: whether there is
    `<name>.yaml` instead; wrappers: kinds of nodes around a
    definition that belong to it (decorators, `export`); above: kinds of nodes in front of one that do (`#[…]`); itself:
    what a method calls its object, the usual name first; implied: the same where it may be left out, as in
    `gateway.charge()`; sigils: what is before names and is no part of them; doc: how a documentation comment above a
    definition begins (a pattern; empty where the queries find documentation); package_file: the stem of the file that
    is its folder's module; separator: what is between the parts of a module's name, `/` where modules are named by
    path, `::` where a module is a package whose files share their names; packages: the languages whose packages are the
    same have the same word here; free: whether functions are outside of classes, so that a bare call may mean a
    package's.
    """

    name: str
    suffixes: tuple[str, ...]
    parser: str = ""
    definitions: tuple[tuple[str, str], ...] = ()
    queries: tuple[str, ...] = ()
    rules: bool = False
    wrappers: frozenset[str] = frozenset()
    above: frozenset[str] = frozenset()
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
    "javascript", (".js", ".jsx", ".mjs", ".cjs"), queries=("ecmascript", "jsx", "javascript"),
    wrappers=frozenset({"export_statement", "lexical_declaration", "variable_declaration", "ambient_declaration"}),
    itself=("this",), package_file="index", separator="/",
)  # fmt: skip
_TYPESCRIPT = replace(
    _JAVASCRIPT, name="typescript", suffixes=(".ts", ".mts", ".cts"), queries=("ecmascript", "typescript")
)
_C = Language(
    "c", (".c",), wrappers=frozenset({"template_declaration", "linkage_specification"}), implied=("this",), sigils="&*",
    doc=r"/[*]|//", separator="::", packages="c", free=True,
)  # fmt: skip
_CPP = replace(_C, name="cpp", suffixes=(".cc", ".cpp", ".cxx", ".hpp", ".hh", ".hxx"), queries=("c", "cpp"))

LANGUAGES: tuple[Language, ...] = (
    Language(
        "python", (".py", ".pyi"), wrappers=frozenset({"decorated_definition"}), itself=("self", "cls"),
        package_file="__init__",
    ),
    _JAVASCRIPT,
    _TYPESCRIPT,
    # A grammar of its own: `<T>x` is an element there.
    replace(_TYPESCRIPT, suffixes=(".tsx",), parser="tsx", queries=("ecmascript", "jsx", "typescript")),
    Language("java", (".java",), implied=("this",), doc=_BLOCK, separator="::", packages="jvm"),
    Language("kotlin", (".kt", ".kts"), implied=("this",), doc=_BLOCK, separator="::", packages="jvm", free=True),
    Language("csharp", (".cs",), implied=("this",), doc="///", separator="::", packages="dotnet"),
    Language(
        "go", (".go",), wrappers=frozenset({"type_declaration"}), sigils="&*", doc=r"//|/[*]", separator="::",
        packages="go", free=True,
    ),
    Language(
        "ruby", (".rb", ".rake", ".gemspec"), implied=("self",), sigils="@", doc="#", separator="::", packages="ruby",
    ),
    Language(
        "php", (".php",), implied=("this", "self", "static"), sigils="$", doc=_BLOCK, separator="::", packages="php",
        free=True,
    ),
    Language(
        "rust", (".rs",), above=frozenset({"attribute_item"}), implied=("self", "Self"), sigils="&*",
        doc=r"///|/[*][*]", separator="::", packages="rust", free=True,
    ),
    _C,
    _CPP,
    replace(_CPP, name="c", suffixes=(".h",), parser="cpp"),  # it may be either of the two; the larger reads both
    Language(
        "solidity", (".sol",), doc=rf"///|{_BLOCK}",
        definitions=(
            ("class", "contract_declaration library_declaration"), ("interface", "interface_declaration"),
            ("struct", "struct_declaration"), ("enum", "enum_declaration"),
            ("function", "function_definition modifier_definition"),
        ),
    ),
    Language("lua", (".lua",), definitions=(("function", "function_declaration"),), doc="-{2,3}"),
    Language("bash", (".sh", ".bash"), definitions=(("function", "function_definition"),), doc="#(?!!)"),
    Language(
        "scala", (".scala", ".sc"), rules=True, implied=("this",), doc=_BLOCK, separator="::", packages="jvm",
        free=True,
    ),
    Language("elixir", (".ex", ".exs"), rules=True, doc="#", separator="::", packages="beam"),
    Language("dart", (".dart",), rules=True, implied=("this",), doc="///", separator="::", packages="dart", free=True),
    Language(
        "swift", (".swift",), rules=True, implied=("self",), doc="///", separator="::", packages="swift", free=True,
    ),
)  # fmt: skip

_BY_SUFFIX = {suffix: language for language in LANGUAGES for suffix in language.suffixes}


@lru_cache(maxsize=8192)  # resolution asks again and again for the same files
def language_of(path: str) -> Language | None:
    return _BY_SUFFIX.get(splitext(path)[1].lower())


@cache
def matcher_of(language: Language) -> Matcher | Rules:
    """What finds the language's captures in a tree, made once a process."""
    return Rules(language.name) if language.rules else Matcher(queries_of(language))


def queries_of(language: Language) -> list[Query]:
    names = language.queries or (() if language.definitions or language.rules else (language.name,))
    texts = [files(__package__).joinpath(f"{name}.scm").read_text(encoding="utf-8") for name in names]
    texts += [
        f"({kind} name: (_) @name) @definition.{what}" for what, kinds in language.definitions for kind in kinds.split()
    ]
    return [query for text in texts for query in queries_in(text)]
