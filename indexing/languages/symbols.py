"""What a source file defines, calls, inherits and imports, read by its grammar's queries (design §5b).

Captures, of the tags queries and of our `.scm` files: `@definition.KIND` with `@name` (`@name.of`: the class it belongs to;
`@name.default`: it has none but its file's); `@inside` (what it defines is nobody's); `@package`, its name;
`@reference.RELATION` with `@name` and `@receiver` (`@name.of`: whose it is); `@import.…` and `@export.…` (imports.py); `@bind.name` or, for a field, `@bind.field` with
`@bind.type`; `@local` (a parameter or a function's variable); `@documented` with `@doc`; `@string`. Broken files are
tolerated: what the grammar can still read counts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from indexing.facts import Binding, Definition, Reference
from indexing.languages.documentation import comment_above, file_summary, first_node, summaries
from indexing.languages.enclosing import WITH_MEMBERS, Enclosing, Span
from indexing.languages.imports import file_title, imports_in
from indexing.languages.packages import package_name
from indexing.languages.reach import within_reach
from indexing.languages.shapes import can_be_queried
from indexing.languages.table import Language, grammar_of
from indexing.languages.written import DOTTED, class_of, line_of, receiver_of, text_of, type_of

if TYPE_CHECKING:
    import tree_sitter

    from indexing.facts import Import

__all__ = ["Symbols", "Text", "read_symbols"]

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
    scope: str = ""


@dataclass(frozen=True, slots=True)
class Symbols:
    """What the queries found; `summary` is the file's own documentation, `package` what it is part of."""

    definitions: tuple[Definition, ...] = ()
    references: tuple[Reference, ...] = ()
    imports: tuple[Import, ...] = ()
    bindings: tuple[Binding, ...] = ()
    texts: tuple[Text, ...] = ()
    summary: str = ""
    package: str = ""


def read_symbols(language: Language, text: str, path: str) -> Symbols:
    r"""The symbols of one file, none of one that is nested too deeply; `path` is what relative imports start from.

    Line breaks are \n alone.
    """
    import tree_sitter  # noqa: PLC0415 - heavy, and not every run extracts

    if language.separator == "/" and len(text) > MINIFIED * (text.count("\n") + 1):
        return Symbols()
    grammar = grammar_of(language)
    tree = tree_sitter.Parser(grammar.language).parse(text.encode("utf-8", "replace"))
    if not can_be_queried(tree):
        return Symbols()
    matches = [found for _, found in tree_sitter.QueryCursor(grammar.query).matches(tree.root_node)]
    declared = [found["package"][0] for found in matches if "package" in found]
    package = _dots(text_of(declared[0])) if declared else ""
    namespaces = {part for node in declared for part in _dots(text_of(node)).split(".")}
    enclosing = Enclosing(_spans(matches, language, path, namespaces), transparent=bool(language.packages))
    definitions = tuple(kept.definition for kept in enclosing.kept)
    imports = imports_in(matches, path, language)
    references, bindings = within_reach(
        language=language,
        definitions=definitions,
        imports=imports,
        references=_references(matches, language, enclosing),
        bindings=_bindings(matches, language, enclosing),
        parameters={(enclosing.name_at(n.start_byte), text_of(n)) for found in matches for n in found.get("local", ())},
    )
    documentation = {found["doc"][0].start_byte for found in matches if "doc" in found}
    if language.packages:
        documentation |= {found["import.module"][0].start_byte - 1 for found in matches if "import.module" in found}
    texts = (
        Text(text_of(node).strip("rbfuRBFUL$@#").strip("\"'`"), line_of(node), enclosing.name_at(node.start_byte))
        for found in matches
        for node in found.get("string", ())
        if node.start_byte not in documentation and node.end_byte - node.start_byte >= SHORTEST_TEXT
    )
    return Symbols(
        definitions=definitions,
        references=references,
        imports=tuple(imports),
        bindings=bindings,
        texts=tuple(texts),
        summary=file_summary(matches) or (_package_summary(declared[0], language) if declared else ""),
        package=package_name(language, package, path) if language.packages else "",
    )


def _dots(name: str) -> str:
    return name.replace("::", ".").replace("\\", ".")


def _package_summary(name: tree_sitter.Node, language: Language) -> str:
    return comment_above(name.parent, language) if name.parent is not None else ""


def _spans(
    matches: list[dict[str, list[tree_sitter.Node]]], language: Language, path: str, namespaces: set[str]
) -> list[Span]:
    docs = summaries(matches)
    # A name that several patterns find counts once; what is imported or exported by it is defined elsewhere.
    elsewhere = {
        found[key][0].start_byte
        for found in matches
        for key in ("import.default", "import.alias", "export.default")
        if key in found
    }
    spans = [Span(node.start_byte, node.end_byte, None) for found in matches for node in found.get("inside", ())]
    by_name: dict[int, tuple[tuple[bool, ...], Span]] = {}
    for found in matches:
        kind = next((key.removeprefix("definition.") for key in found if key.startswith("definition.")), "")
        name = found.get("name", found.get("name.default", [None]))[0]
        if not kind or name is None or name.start_byte in elsewhere:
            continue
        inner = found[f"definition.{kind}"][0]
        outer = _wrapped(inner, language)
        first = first_node(outer, language)
        # A summary hangs on the definition's own start, as its decorators come before it, or on that of all of it.
        summary = docs.get(inner.start_byte) or docs.get(outer.start_byte, "")
        if language.doc:
            summary = comment_above(first, language)
        of = text_of(found["name.of"][0]) if "name.of" in found else ""
        of = "" if of in namespaces else of.partition("<")[0]
        title = file_title(path) if "name.default" in found else f"{of}.{text_of(name).lstrip(':')}".lstrip(".")
        kind = KINDS.get(kind, kind)
        definition = Definition(
            title, kind, line_of(first), _last_line(outer), of, "" if kind == "constant" else summary
        )
        rank = (
            kind != "constant",
            kind != "type",
            kind == "object",
            bool(of) or "name.default" in found,
            kind in {"interface", "enum"},
        )
        if name.start_byte not in by_name or by_name[name.start_byte][0] < rank:
            by_name[name.start_byte] = (rank, Span(first.start_byte, outer.end_byte, definition))
    return spans + [span for _, span in by_name.values()]


def _wrapped(node: tree_sitter.Node, language: Language) -> tree_sitter.Node:
    """With the nodes around it that belong to it alone: `export const a = 1, b = 2` belongs to neither."""
    parent = node.parent
    while parent is not None and parent.type in language.wrappers:
        beside = (node.prev_named_sibling, node.next_named_sibling)
        if any(other is not None and (other.type == node.type or {other.type, node.type} <= ALIKE) for other in beside):
            break
        node, parent = parent, parent.parent
    return node


def _references(
    matches: list[dict[str, list[tree_sitter.Node]]], language: Language, enclosing: Enclosing
) -> list[Reference]:
    # A grammar's query and ours may both find a call on something: the one that knows on what is kept.
    found_at: dict[int, Reference] = {}
    nameless: set[int] = set()
    for found in matches:
        relation = next(
            (RELATIONS.get(key.removeprefix("reference.")) for key in found if key.startswith("reference.")), None
        )
        if relation is None or "name" not in found:
            continue
        node = found["name"][0]
        if not NAME.fullmatch(text_of(node)):
            continue  # `new a.B()`: found with its receiver too
        receiver = receiver_of(found["receiver"][0], language) if "receiver" in found else ""
        attribute = "receiver" in found or (node.parent is not None and node.parent.type == language.attribute)
        if attribute and not receiver:
            nameless.add(node.start_byte)  # called on something without a name: nobody can tell what it is
            continue
        caller = text_of(found["name.of"][0]) if "name.of" in found else enclosing.name_at(node.start_byte)
        known = found_at.get(node.start_byte)
        if known is None or (known.relation != "INHERITS" and (receiver or not known.receiver)):
            found_at[node.start_byte] = Reference(relation, text_of(node), line_of(node), caller, receiver or "")
    return [found_at[start] for start in sorted(found_at) if start not in nameless or found_at[start].receiver]


def _bindings(
    matches: list[dict[str, list[tree_sitter.Node]]], language: Language, enclosing: Enclosing
) -> list[Binding]:
    kinds = {kept.definition.name: kept.definition.kind for kept in enclosing.kept}
    bindings = []
    for found in matches:
        if "bind.type" not in found:
            continue
        field = "bind.field" in found
        node = found["bind.field" if field else "bind.name"][0]
        kind = type_of(text_of(found["bind.type"][0]), language)
        written = receiver_of(node, language) if language.packages else text_of(node)
        if not kind or not written or not DOTTED.fullmatch(written):
            continue
        scope = enclosing.name_at(node.start_byte)
        if language.packages:
            own = field or "@" in text_of(node) or written != text_of(node).strip(language.sigils or " ")
            scope = class_of(scope) if own and kinds.get(scope) not in WITH_MEMBERS else scope
        elif (field or kinds.get(scope) == "class") and language.itself and "." not in written:
            written = f"{language.itself[0]}.{written}"  # a field of the class
        bindings.append(Binding(written, kind, line_of(node), scope))
    return sorted(set(bindings), key=lambda b: (b.line, b.name, b.type))


def _last_line(node: tree_sitter.Node) -> int:
    row, column = node.end_point
    return int(row) + (1 if column else 0) or 1
