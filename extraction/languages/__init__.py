"""Grammars, and what a source file defines, calls, inherits and imports, read by its grammar's queries.
See docs/design.md#extraction.

Captures, of the tags queries and of our `.scm` files: `@definition.KIND` with `@name` (`@name.of`: the class it belongs
to; `@name.default`: it has none but its file's); `@inside` (what it defines is left out); `@package`, its name;
`@reference.RELATION` with `@name` and `@receiver` (`@name.of`: whose it is); `@import.…` and `@export.…` (imports.py);
`@bind.name` or, for a field, `@bind.field` with `@bind.type`; `@local` (a parameter or a function's variable);
`@documented` with `@doc`; `@string`. Broken files are tolerated: what the grammar can still read counts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from extraction.facts import Binding, Definition, Reference
from extraction.languages.calls import DOTTED, class_of, receiver_of, type_of, within_reach
from extraction.languages.definitions import (
    WITH_MEMBERS,
    Enclosing,
    Span,
    comment_above,
    file_summary,
    first_node,
    summaries,
)
from extraction.languages.imports import file_title, imports_in, module_path, package_name
from extraction.languages.nodes import (
    DEEPEST,
    end_of,
    last_line_of,
    line_of,
    named_above,
    named_below,
    root_of,
    start_of,
)
from extraction.languages.table import LANGUAGES, Language, language_of, matcher_of

if TYPE_CHECKING:
    from ast_grep_py import SgNode

    from extraction.facts import Import
    from extraction.languages.matching import Match
    from extraction.occurrences.code import Named

__all__ = ["LANGUAGES", "Symbols", "Text", "language_of", "module_path", "read_symbols"]

SHORTEST_TEXT: Final = 12
MINIFIED: Final = 500
"""Characters a line on average: a file of names that a machine made up."""
RELATIONS: Final = {"call": "CALLS", "class": "CALLS", "inherits": "INHERITS", "implementation": "INHERITS"}
ALIKE: Final = frozenset({"type_spec", "type_alias"})  # what one `type ( … )` of Go declares
KINDS: Final = {"module": "namespace"}  # a module is a file
NAME: Final = re.compile(r"[\w$#]+[?!]?")


@dataclass(frozen=True, slots=True)
class Text:
    """A string literal, where it starts, and the innermost definition around it."""

    text: str
    line: int
    scope: str


@dataclass(frozen=True, slots=True)
class Symbols:
    """What the queries found; `summary` is the file's own documentation, `package` what it is part of, `bindings` the
    `variables` that something is called on.
    """

    definitions: tuple[Definition, ...] = ()
    references: tuple[Reference, ...] = ()
    imports: tuple[Import, ...] = ()
    bindings: tuple[Binding, ...] = ()
    variables: tuple[Binding, ...] = ()
    texts: tuple[Text, ...] = ()
    named: tuple[Named, ...] = ()
    summary: str = ""
    package: str = ""


def read_symbols(language: Language, text: str, path: str) -> Symbols:
    r"""The symbols of one file, none if nested too deeply; `path` is what relative imports start from."""
    from extraction.occurrences import has_names, named_in  # noqa: PLC0415 - it reads nodes with this package's own words

    minified = len(text) > MINIFIED * (text.count("\n") + 1)
    if minified and language.separator == "/":
        return Symbols()
    root = root_of(text, language.parser or language.name)
    matches = matcher_of(language).matches(root)
    if minified:  # on a line without end each place takes the longer to find
        matches = [found for found in matches if any(name.startswith("definition.") for name in found)]
    declared = [found["package"] for found in matches if "package" in found]
    package = _dots(declared[0].text()) if declared else ""
    namespaces = {part for node in declared for part in _dots(node.text()).split(".")}
    enclosing = Enclosing(_spans(matches, language, path, namespaces), transparent=bool(language.packages))
    definitions = tuple(kept.definition for kept in enclosing.kept)
    imports = imports_in(matches, path, language)
    variables = _bindings(matches, language, enclosing)
    references, bindings = within_reach(
        language=language,
        definitions=definitions,
        imports=imports,
        references=_references(matches, language, enclosing),
        bindings=variables,
        parameters={(enclosing.name_at(start_of(node)), node.text()) for node in _all(matches, "local")},
    )
    documentation = {start_of(node) for node in _all(matches, "doc")}
    modules = {start_of(node) - within for node in _all(matches, "import.module") for within in (0, 1)}  # its quotes
    if language.packages:
        documentation |= modules
    strings = [node for node in _all(matches, "string") if start_of(node) not in documentation]
    texts = (
        Text(node.text().strip("rbfuRBFUL$@#").strip("\"'`"), line_of(node), enclosing.name_at(start_of(node)))
        for node in strings
        if end_of(node) - start_of(node) >= SHORTEST_TEXT
    )
    named: tuple[Named, ...] = ()
    if not minified and has_names(path):
        literals = (node for node in strings if start_of(node) not in modules)
        named = named_in(literals, root, lambda node: enclosing.name_at(start_of(node)))
    return Symbols(
        definitions=definitions,
        references=references,
        imports=tuple(imports),
        bindings=bindings,
        variables=tuple(variables),
        texts=tuple(texts),
        named=named,
        summary=file_summary(matches) or (_package_summary(declared[0], language) if declared else ""),
        package=package_name(language, package, path) if language.packages else "",
    )


def _dots(name: str) -> str:
    return name.replace("::", ".").replace("\\", ".")


def _all(matches: list[Match], name: str) -> list[SgNode]:
    return [found[name] for found in matches if name in found]


def _package_summary(name: SgNode, language: Language) -> str:
    declaration = name.parent()
    return comment_above(declaration, language) if declaration is not None else ""


def _spans(matches: list[Match], language: Language, path: str, namespaces: set[str]) -> list[Span]:
    docs = summaries(matches)
    # A name that several patterns find counts once; what is imported or exported by it is defined elsewhere.
    elsewhere = {
        start_of(found[key])
        for found in matches
        for key in ("import.default", "import.alias", "export.default")
        if key in found
    }
    spans = [Span(start_of(node), end_of(node), None) for node in _all(matches, "inside")]
    by_name: dict[int, tuple[tuple[bool, ...], Span]] = {}
    for found in matches:
        kind = next((key.removeprefix("definition.") for key in found if key.startswith("definition.")), "")
        name = found.get("name", found.get("name.default"))
        if not kind or name is None or start_of(name) in elsewhere:
            continue
        inner = found[f"definition.{kind}"]
        if len(inner.ancestors()) > DEEPEST:
            break
        outer = _wrapped(inner, language)
        first = first_node(outer, language)
        # A summary hangs on the definition's own start, as its decorators come before it, or on that of all of it.
        summary = docs.get(start_of(inner)) or docs.get(start_of(outer), "")
        if language.doc:
            summary = comment_above(first, language)
        of = found["name.of"].text() if "name.of" in found else ""
        of = "" if of in namespaces else of.partition("<")[0]
        title = file_title(path) if "name.default" in found else f"{of}.{name.text().lstrip(':')}".lstrip(".")
        kind = KINDS.get(kind, kind)
        definition = Definition(
            title, kind, line_of(first), last_line_of(outer), of, "" if kind == "constant" else summary
        )
        rank = (
            kind != "constant",
            kind != "type",
            kind == "object",
            bool(of) or "name.default" in found,
            kind in {"interface", "enum", "struct"},
        )
        if start_of(name) not in by_name or by_name[start_of(name)][0] < rank:
            by_name[start_of(name)] = (rank, Span(start_of(first), end_of(outer), definition))
    return spans + [span for _, span in by_name.values()]


def _wrapped(node: SgNode, language: Language) -> SgNode:
    """With the nodes around it that belong to it alone: `export const a = 1, b = 2` belongs to neither."""
    while (outer := node.parent()) is not None and outer.kind() in language.wrappers:
        alike = ALIKE | {node.kind()} if node.kind() in ALIKE else {node.kind()}
        if any(beside is not None and beside.kind() in alike for beside in (named_above(node), named_below(node))):
            break
        node = outer
    return node


def _references(matches: list[Match], language: Language, enclosing: Enclosing) -> list[Reference]:
    # A grammar's query and ours may both find a call on something: the one that knows on what is kept.
    found_at: dict[int, Reference] = {}
    nameless: set[int] = set()
    for found in matches:
        relation = next(
            (RELATIONS.get(key.removeprefix("reference.")) for key in found if key.startswith("reference.")), None
        )
        if relation is None or "name" not in found:
            continue
        node = found["name"]
        name, place = node.text(), node.range().start
        if not NAME.fullmatch(name):
            continue  # `new a.B()`: found with its receiver too
        receiver = receiver_of(found["receiver"], language) if "receiver" in found else ""
        if "receiver" in found and not receiver:
            nameless.add(place.index)  # called on something without a name: it may be anything
            continue
        caller = found["name.of"].text() if "name.of" in found else enclosing.name_at(place.index)
        known = found_at.get(place.index)
        if known is None or (known.relation != "INHERITS" and (receiver or not known.receiver)):
            found_at[place.index] = Reference(relation, name, place.line + 1, caller, receiver or "")
    return [found_at[start] for start in sorted(found_at) if start not in nameless or found_at[start].receiver]


def _bindings(matches: list[Match], language: Language, enclosing: Enclosing) -> list[Binding]:
    kinds = {kept.definition.name: kept.definition.kind for kept in enclosing.kept}
    bindings = []
    for found in matches:
        if "bind.type" not in found:
            continue
        field = "bind.field" in found
        node = found["bind.field" if field else "bind.name"]
        kind = type_of(found["bind.type"].text(), language)
        written = receiver_of(node, language) if language.packages else node.text()
        if not kind or not written or not DOTTED.fullmatch(written):
            continue
        scope = enclosing.name_at(start_of(node))
        if language.packages:
            own = field or "@" in node.text() or written != node.text().strip(language.sigils or " ")
            scope = class_of(scope) if own and kinds.get(scope) not in WITH_MEMBERS else scope
        elif (field or kinds.get(scope) == "class") and language.itself and "." not in written:
            written = f"{language.itself[0]}.{written}"  # a field of the class
        bindings.append(Binding(written, kind, line_of(node), scope))
    return sorted(set(bindings), key=lambda b: (b.line, b.name, b.type))
