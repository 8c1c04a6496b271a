"""What a source file defines, calls, inherits and imports, read by its grammar's queries (design §5b).

Captures, of the tags queries and of our `.scm` files: `@definition.KIND` with `@name` (`@name.of`: the class it belongs to;
`@name.default`: it has none but its file's); `@inside` (what it defines is nobody's); `@reference.RELATION` with
`@name` and `@receiver`; `@import.…` and `@export.…` (imports.py); `@bind.name` or, for a field, `@bind.field` with
`@bind.type`; `@local` (a parameter or a function's variable); `@documented` with `@doc`; `@string`. Broken files are
tolerated: what the grammar can still read counts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from indexing.facts import Binding, Definition, Reference
from indexing.languages.documentation import file_summary, summaries
from indexing.languages.enclosing import Enclosing, Span
from indexing.languages.imports import file_title, imports_in
from indexing.languages.reach import within_reach
from indexing.languages.table import Language, grammar_of

if TYPE_CHECKING:
    import tree_sitter

    from indexing.facts import Import

__all__ = ["Symbols", "Text", "read_symbols"]

SHORTEST_TEXT: Final = 12
LONGEST_RECEIVER: Final = 500
"""Bytes; what a longer one is called on nobody names, and a chain of calls would be read once for each of its links."""
MINIFIED: Final = 500
"""Characters a line on average: a file of names that a machine made up."""
RELATIONS: Final = {"call": "CALLS", "class": "CALLS", "inherits": "INHERITS", "implementation": "INHERITS"}
KINDS: Final = {"module": "namespace"}  # a module is a file
NAME: Final = re.compile(r"[\w$#]+")
DOTTED: Final = re.compile(r"[A-Za-z_$][\w.$#]*(?:\(\))?")
ARGUMENTS: Final = re.compile(r"\(.*\)$", re.DOTALL)
ANNOTATION: Final = re.compile(
    r"(?:(?:typing\.)?Optional\[)?([A-Za-z_$][\w.$]*)(?:<.*>)?\]?(?:\s*\|\s*(?:None|null|undefined))*", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Text:
    """A string literal, where it starts, and the innermost definition around it."""

    text: str
    line: int
    scope: str = ""


@dataclass(frozen=True, slots=True)
class Symbols:
    """What the queries found; `summary` is the file's own documentation."""

    definitions: tuple[Definition, ...] = ()
    references: tuple[Reference, ...] = ()
    imports: tuple[Import, ...] = ()
    bindings: tuple[Binding, ...] = ()
    texts: tuple[Text, ...] = ()
    summary: str = ""


def read_symbols(language: Language, text: str, path: str) -> Symbols:
    r"""The symbols of one file; `path` is what relative imports start from. Line breaks are \n alone."""
    import tree_sitter  # noqa: PLC0415 - heavy, and not every run extracts

    if language.separator == "/" and len(text) > MINIFIED * (text.count("\n") + 1):
        return Symbols()
    grammar = grammar_of(language)
    tree = tree_sitter.Parser(grammar.language).parse(text.encode("utf-8", "replace"))
    matches = [found for _, found in tree_sitter.QueryCursor(grammar.query).matches(tree.root_node)]
    enclosing = Enclosing(_spans(matches, language, path))
    definitions = tuple(kept.definition for kept in enclosing.kept)
    imports = imports_in(matches, path, language)
    references, bindings = within_reach(
        language=language,
        definitions=definitions,
        imports=imports,
        references=_references(matches, language, enclosing),
        bindings=_bindings(matches, language, enclosing),
        parameters={(enclosing.name_at(n.start_byte), _text(n)) for found in matches for n in found.get("local", ())},
    )
    documentation = {found["doc"][0].start_byte for found in matches if "doc" in found}
    texts = (
        Text(_text(node).strip("rbfuRBFU").strip("\"'`"), _line(node), enclosing.name_at(node.start_byte))
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
        summary=file_summary(matches),
    )


def _spans(matches: list[dict[str, list[tree_sitter.Node]]], language: Language, path: str) -> list[Span]:
    docs = summaries(matches)
    # A name that several patterns find counts once; what is imported or exported by it is defined elsewhere.
    elsewhere = {
        found[key][0].start_byte
        for found in matches
        for key in ("import.default", "import.alias", "export.default")
        if key in found
    }
    spans = [Span(node.start_byte, node.end_byte, None) for found in matches for node in found.get("inside", ())]
    by_name: dict[int, tuple[tuple[bool, bool, bool], Span]] = {}
    for found in matches:
        kind = next((key.removeprefix("definition.") for key in found if key.startswith("definition.")), "")
        name = found.get("name", found.get("name.default", [None]))[0]
        if not kind or name is None or name.start_byte in elsewhere:
            continue
        inner = found[f"definition.{kind}"][0]
        outer = _wrapped(inner, language)
        # A summary hangs on the definition's own start, as its decorators come before it, or on that of all of it.
        summary = "" if kind == "constant" else docs.get(inner.start_byte) or docs.get(outer.start_byte, "")
        of = _text(found["name.of"][0]) if "name.of" in found else ""
        title = file_title(path) if "name.default" in found else f"{of}.{_text(name)}".lstrip(".")
        definition = Definition(title, KINDS.get(kind, kind), _line(outer), _last_line(outer), of, summary)
        rank = (kind != "constant", kind == "object", bool(of) or "name.default" in found)
        if name.start_byte not in by_name or by_name[name.start_byte][0] < rank:
            by_name[name.start_byte] = (rank, Span(outer.start_byte, outer.end_byte, definition))
    return spans + [span for _, span in by_name.values()]


def _wrapped(node: tree_sitter.Node, language: Language) -> tree_sitter.Node:
    """With the nodes around it that belong to it alone: `export const a = 1, b = 2` belongs to neither."""
    parent = node.parent
    while parent is not None and parent.type in language.wrappers:
        beside = (node.prev_named_sibling, node.next_named_sibling)
        if any(other is not None and other.type == node.type for other in beside):
            break
        node, parent = parent, parent.parent
    return node


def _references(
    matches: list[dict[str, list[tree_sitter.Node]]], language: Language, enclosing: Enclosing
) -> list[Reference]:
    # A grammar's query and ours may both find a call on something: the one that knows on what is kept.
    found_at: dict[int, Reference] = {}
    for found in matches:
        relation = next(
            (RELATIONS.get(key.removeprefix("reference.")) for key in found if key.startswith("reference.")), None
        )
        if relation is None or "name" not in found:
            continue
        node = found["name"][0]
        if not NAME.fullmatch(_text(node)):
            continue  # `new a.B()`: found with its receiver too
        receiver = _receiver(found["receiver"][0], language) if "receiver" in found else ""
        attribute = "receiver" in found or (node.parent is not None and node.parent.type == language.attribute)
        if attribute and not receiver:
            continue  # called on something without a name: nobody can tell what it is
        caller = enclosing.name_at(node.start_byte)
        found_at[node.start_byte] = Reference(relation, _text(node), _line(node), caller, receiver)
    return [found_at[start] for start in sorted(found_at)]


def _bindings(
    matches: list[dict[str, list[tree_sitter.Node]]], language: Language, enclosing: Enclosing
) -> list[Binding]:
    classes = {kept.definition.name for kept in enclosing.kept if kept.definition.kind == "class"}
    bindings = []
    for found in matches:
        if "bind.type" not in found:
            continue
        field = "bind.field" in found
        node, written = found["bind.field" if field else "bind.name"][0], _text(found["bind.type"][0]).strip("\"'")
        kind = ANNOTATION.fullmatch(written)
        if kind is None or not DOTTED.fullmatch(_text(node)):
            continue
        scope = enclosing.name_at(node.start_byte)
        name = _text(node)
        if (field or scope in classes) and language.itself and "." not in name:
            name = f"{language.itself[0]}.{name}"  # a field of the class
        bindings.append(Binding(name, kind[1], _line(node), scope))
    return sorted(set(bindings), key=lambda b: (b.line, b.name, b.type))


def _receiver(node: tree_sitter.Node, language: Language) -> str:
    """`a.b` stays, `Gateway(x)` and `new Gateway(x)` become `Gateway()`, `cls.x` `self.x`; anything else is no name."""
    if node.end_byte - node.start_byte > LONGEST_RECEIVER:
        return ""
    short = ARGUMENTS.sub("()", _text(node).replace("?.", ".").removeprefix("new ")).removesuffix("!")
    head, dot, rest = short.partition(".")
    if dot and head in language.itself:
        short = f"{language.itself[0]}.{rest}"
    return short if DOTTED.fullmatch(short) else ""


def _text(node: tree_sitter.Node) -> str:
    return node.text.decode("utf-8", "replace") if node.text else ""


def _line(node: tree_sitter.Node) -> int:
    return int(node.start_point[0]) + 1


def _last_line(node: tree_sitter.Node) -> int:
    row, column = node.end_point
    return int(row) + (1 if column else 0) or 1
