"""What a source file defines, calls, inherits and imports, read by its grammar's queries (design §5b).

Captures, of the tags queries and of our `.scm` files: `@definition.KIND` with `@name`; `@reference.RELATION` with `@name`
and `@receiver`; `@import.module`, `@import.name`, `@import.alias`; `@bind.name` with `@bind.type`; `@local` (a parameter);
`@documented` with `@doc`; `@string`. Broken files are tolerated: what the grammar can still read counts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from indexing.facts import Binding, Definition, Import, Reference
from indexing.languages.enclosing import Enclosing, Span
from indexing.languages.reach import within_reach
from indexing.languages.table import Language, grammar_of

if TYPE_CHECKING:
    import tree_sitter

__all__ = ["Symbols", "Text", "read_symbols"]

SHORTEST_TEXT: Final = 12
RELATIONS: Final = {"call": "CALLS", "inherits": "INHERITS", "implementation": "INHERITS"}
DOTTED: Final = re.compile(r"[A-Za-z_][\w.]*(?:\(\))?")
ARGUMENTS: Final = re.compile(r"\(.*\)$", re.DOTALL)
ANNOTATION: Final = re.compile(r"(?:(?:typing\.)?Optional\[)?([A-Za-z_][\w.]*)\]?(?:\s*\|\s*None)?")


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

    grammar = grammar_of(language)
    tree = tree_sitter.Parser(grammar.language).parse(text.encode("utf-8", "replace"))
    matches = [found for _, found in tree_sitter.QueryCursor(grammar.query).matches(tree.root_node)]
    docs = {
        found["documented"][0].start_byte: _first_line(_text(found["doc"][0])) for found in matches if "doc" in found
    }
    spans = _spans(matches, language, docs)
    enclosing = Enclosing(spans)
    imports = _imports(matches, path)
    references, bindings = within_reach(
        language=language,
        definitions=[span.definition for span in enclosing.kept],
        imports=imports,
        references=_references(matches, language, enclosing),
        bindings=_bindings(matches, language, enclosing),
        parameters={(enclosing.name_at(n.start_byte), _text(n)) for found in matches for n in found.get("local", ())},
    )
    documentation = {found["doc"][0].start_byte for found in matches if "doc" in found}
    texts = (
        Text(_text(node).strip("rbfuRBFU").strip("\"'"), _line(node), enclosing.name_at(node.start_byte))
        for found in matches
        for node in found.get("string", ())
        if node.start_byte not in documentation and node.end_byte - node.start_byte >= SHORTEST_TEXT
    )
    return Symbols(
        definitions=tuple(span.definition for span in enclosing.kept),
        references=references,
        imports=tuple(imports),
        bindings=bindings,
        texts=tuple(texts),
        summary=next(
            (_first_line(_text(f["doc"][0])) for f in matches if "doc" in f and not f["documented"][0].parent), ""
        ),
    )


def _spans(matches: list[dict[str, list[tree_sitter.Node]]], language: Language, docs: dict[int, str]) -> list[Span]:
    spans = []
    for found in matches:
        kind = next((key.removeprefix("definition.") for key in found if key.startswith("definition.")), "")
        if not kind or "name" not in found:
            continue
        inner = found[f"definition.{kind}"][0]
        outer = inner.parent if inner.parent and inner.parent.type in language.wrappers else inner
        # A summary hangs on the definition's own start: its decorators come before it.
        summary = "" if kind == "constant" else docs.get(inner.start_byte, "")
        definition = Definition(_text(found["name"][0]), kind, _line(outer), _last_line(outer), summary=summary)
        spans.append(Span(outer.start_byte, outer.end_byte, definition))
    return spans


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
        receiver = _receiver(_text(found["receiver"][0]), language) if "receiver" in found else ""
        attribute = "receiver" in found or (node.parent is not None and node.parent.type == "attribute")
        if attribute and not receiver:
            continue  # called on something without a name: nobody can tell what it is
        caller = enclosing.name_at(node.start_byte)
        found_at[node.start_byte] = Reference(relation, _text(node), _line(node), caller, receiver)
    return [found_at[start] for start in sorted(found_at)]


def _imports(matches: list[dict[str, list[tree_sitter.Node]]], path: str) -> list[Import]:
    imports = []
    for found in matches:
        if "import.module" not in found:
            continue
        module = _absolute(_text(found["import.module"][0]), path)
        name = _text(found["import.name"][0]) if "import.name" in found else ""
        alias = _text(found["import.alias"][0]) if "import.alias" in found else name or module
        line = _line(found["import.name" if name else "import.module"][0])
        if not module:
            module, name = name, ""  # `from . import x` in the project's first folder
        imports.append(Import(module, name, alias, line))
    return sorted(imports, key=lambda i: (i.line, i.module, i.name, i.alias))


def _bindings(
    matches: list[dict[str, list[tree_sitter.Node]]], language: Language, enclosing: Enclosing
) -> list[Binding]:
    classes = {span.definition.name for span in enclosing.kept if span.definition.kind == "class"}
    bindings = []
    for found in matches:
        if "bind.type" not in found:
            continue
        node, written = found["bind.name"][0], _text(found["bind.type"][0]).strip("\"'")
        kind = ANNOTATION.fullmatch(written)
        if kind is None or not DOTTED.fullmatch(_text(node)):
            continue
        scope = enclosing.name_at(node.start_byte)
        name = _text(node)
        if scope in classes and language.itself and "." not in name:
            name = f"{language.itself[0]}.{name}"  # a field of the class
        bindings.append(Binding(name, kind[1], _line(node), scope))
    return sorted(set(bindings), key=lambda b: (b.line, b.name, b.type))


def _absolute(module: str, path: str) -> str:
    """`..x` seen from `a/b/c.py` is `a.x`; what starts with no dot stays."""
    name = module.lstrip(".")
    level = len(module) - len(name)
    if not level:
        return module
    folders = path.split("/")[:-1]
    kept = folders[: max(0, len(folders) - level + 1)]
    return ".".join([*kept, name] if name else kept)


def _receiver(written: str, language: Language) -> str:
    """`a.b` stays, `Gateway(x)` becomes `Gateway()`, `cls.x` `self.x`; anything else is no name."""
    short = ARGUMENTS.sub("()", written)
    head, dot, rest = short.partition(".")
    if dot and head in language.itself:
        short = f"{language.itself[0]}.{rest}"
    return short if DOTTED.fullmatch(short) else ""


def _first_line(documentation: str) -> str:
    plain = documentation.strip("rbfuRBFU").strip("\"'/*# \t\n\\")
    return next((line.strip() for line in plain.split("\n") if line.strip()), "")


def _text(node: tree_sitter.Node) -> str:
    return node.text.decode("utf-8", "replace") if node.text else ""


def _line(node: tree_sitter.Node) -> int:
    return int(node.start_point[0]) + 1


def _last_line(node: tree_sitter.Node) -> int:
    row, column = node.end_point
    return int(row) + (1 if column else 0) or 1
