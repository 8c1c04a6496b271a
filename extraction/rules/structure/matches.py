"""A match of a pattern, the parts of it that a statement names, and what a statement is made of.

A part is `$PATH`, `$ARGS.0`, `$ARGS.topic`, one of them or a text.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from extraction.rules.expressions import first_text, line_at
from extraction.rules.port import Fact
from extraction.rules.structure.declarations import class_around, declared

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ast_grep_py import SgNode

    from extraction.rules.port import Source

VARIABLE: Final = re.compile(r"\$([A-Z_][A-Z0-9_]*)((?:\.(?:-?\d+|\*|\w[\w-]*))*)")
ASSIGNED: Final = frozenset({"=", ":", "=>"})
GROUPS: Final = frozenset({"argument_list", "arguments", "value_arguments", "literal_value"})
ELSEWHERE: Final = re.compile(r"function|arrow|lambda|closure|_body|block|func_literal|statement")
"""What is inside of these is no argument."""
CHAINED: Final = "CHAINED"
OWN: Final = frozenset({CHAINED, "ASSIGNED", "DECLARED", "AROUND", "FILE"})
"""What every pattern has besides its own: the calls that are chained to the match, the name that it is assigned to, the
name that it declares or is an annotation of, that of the class around it, and the file's without its suffix."""
ASSIGNMENT: Final = re.compile(r"assignment|declarator|short_var|let_decl|property_declaration|variable_declaration")
CALL: Final = re.compile(r"call|invocation")
CHAIN: Final = re.compile(r"call|invocation|member|selector|field_expr|attribute|navigation|access")
EQUALS: Final = re.compile(r"equals_value_clause|expression_list")
OTHER_PATH: Final = re.compile(r"\(\s*[\"'`]/")
INLINE: Final = re.compile(r"[{]|\bfunc(?:tion)?\b|=>")
MOST: Final = 400
TEXT: Final[tuple[str, ...]] = ("",)
"""The steps of a way that is a text itself."""
SYMBOL: Final = re.compile(r"[&*]*:?([\w.:\\$@?!-]+?)(?:::class|\.class)?")
Fields: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Part:
    """What a metavariable matched, or is one of its arguments."""

    text: str
    offset: int
    node: SgNode | None = None
    line: int = 0
    stated: str = ""
    """Of a document: what is there, whatever signs are in it."""


@dataclass(frozen=True, slots=True)
class Selector:
    """Alternatives, of which the first that is there counts: metavariables with steps into them, or texts."""

    ways: tuple[tuple[str, tuple[str, ...]], ...]

    def names(self) -> Iterator[str]:
        return (name for name, steps in self.ways if steps is not TEXT)


def selector(written: str) -> Selector:
    """Of `$ARGS.topic | $ARGS.0 | GET`."""
    ways: list[tuple[str, tuple[str, ...]]] = []
    for way in written.split(" | "):
        found = VARIABLE.fullmatch(way.strip())
        ways.append((found[1], tuple(found[2].split(".")[1:])) if found else (way.strip(), TEXT))
    return Selector(tuple(ways))


@dataclass(frozen=True, slots=True)
class Place:
    """What statements ask of a match, of code or of a document. text: the text whose constants a name may refer to;
    none of a document. node: what matched, from `offset` to `end`.
    """

    source: Source
    node: Any
    text: str = ""
    offset: int = 0
    end: int = 0

    def line(self, part: Part | None = None) -> int:
        """The line of a part, else of the match."""
        return line_at(self.text, part.offset if part else self.offset)

    def parts(self, chosen: Selector | None) -> list[Part]:
        """What a selector names; none when none of its ways is there."""
        for name, steps in chosen.ways if chosen else ():
            if found := [self.literal(name)] if steps is TEXT else list(self.stepped(name, steps)):
                return found
        return []

    def part(self, chosen: Selector | None) -> Part | None:
        return next(iter(self.parts(chosen)), None)

    def literal(self, text: str) -> Part:
        """The part that a text in a selector is."""
        return Part(text, self.offset)

    def stepped(self, name: str, steps: tuple[str, ...]) -> Iterable[Part]:
        """The parts that a metavariable and the steps into it lead to."""
        raise NotImplementedError


class Match(Place):
    """A node of a file that a pattern matches."""

    __slots__ = ()

    def stepped(self, name: str, steps: tuple[str, ...]) -> Iterator[Part]:
        if name in OWN:
            found = _own(name, self.node, self.text) if name != "FILE" else self.source.name.partition(".")[0]
            return iter([Part(found, self.end if name == CHAINED else self.offset)] if found else [])
        one = self.node.get_match(name)
        nodes = [one] if one is not None else _arguments(self.node.get_multiple_matches(name))
        for step in steps:
            nodes = _step(nodes, step)
        return (Part(node.text(), int(node.range().start.index), node) for node in nodes)


def plain(part: Part | None) -> str:
    """A literal's text, or a name as written: `Mail` of `Mail::class`, `orders` of `:orders`; '' for neither."""
    if part is None or part.stated:
        return part.stated if part else ""
    literal = first_text(part.text)
    if literal is not None:
        return literal
    found = SYMBOL.fullmatch(part.text.strip())
    return found[1] if found else ""


def _own(name: str, node: SgNode, text: str) -> str:
    if name == CHAINED:
        return _chained(node, text)
    if name == "ASSIGNED":
        return _assigned(node)
    if name == "DECLARED":
        return declared(node)
    around = class_around(node)
    return around.name if around else ""


def _chained(node: SgNode, text: str) -> str:
    """The calls behind one, without the functions that they are given: `.Methods("GET").Name("x")`."""
    start, end, chained = node.range().start.index, node.range().end.index, ""
    for above in node.ancestors():
        span = above.range()
        if span.start.index != start or not CHAIN.search(above.kind()):
            break
        if CALL.search(above.kind()):
            link = text[end : span.end.index]
            if OTHER_PATH.search(link):
                break
            chained += INLINE.split(link)[0]
            end = span.end.index
    return chained


def _assigned(node: SgNode) -> str:
    """The variable or field that a match, or what is chained to it, is assigned to."""
    for above in node.ancestors():
        if ASSIGNMENT.search(above.kind()):
            left = above.field("name") or above.field("left") or above.field("pattern") or above.child(0)
            words = re.findall(r"[A-Za-z_$]\w*", left.text()) if left is not None else []
            return words[-1] if words else ""
        if not CHAIN.search(above.kind()) and "expression" not in above.kind() and not EQUALS.fullmatch(above.kind()):
            return ""
    return ""


def _arguments(nodes: Iterable[SgNode]) -> list[SgNode]:
    named = [node for node in nodes if node.is_named() and "comment" not in node.kind()]
    return [inner for node in named for inner in (_arguments(node.children()) if node.kind() in GROUPS else [node])]


def _step(nodes: list[SgNode], step: str) -> list[SgNode]:
    if step == "*":
        return [node for node in nodes if _pair(node) is None]
    if re.fullmatch(r"-?\d+", step):
        given = [node for node in nodes if _pair(node) is None]
        return given[int(step) :][:1] if -len(given) <= int(step) < len(given) else []
    return list(islice(_called(nodes, step), 1))


def _called(nodes: list[SgNode], name: str) -> Iterator[SgNode]:
    """What is given under a name, the outermost first: an argument, a field, an annotation's element."""
    waiting = deque(nodes)
    for _ in range(MOST):
        if not waiting:
            return
        node = waiting.popleft()
        pair = _pair(node)
        if pair and pair[0] == name:
            yield pair[1]
        elif node.kind().startswith("shorthand") and node.text() == name:
            yield node
        elif not ELSEWHERE.search(node.kind()):
            waiting.extend(child for child in node.children() if child.is_named())


def _pair(node: SgNode) -> tuple[str, SgNode] | None:
    children = node.children()
    if len(children) == 2 and children[0].kind() == "keyword":  # Elixir's `to: x`
        return children[0].text().rstrip(": "), children[1]
    if len(children) < 3 or children[1].text() not in ASSIGNED or ELSEWHERE.search(node.kind()):
        return None
    return children[0].text().strip("\"'`:"), children[2]


@dataclass(frozen=True, slots=True)
class Assertion:
    """A match and what the rule `rule` states of it."""

    rule: str
    statement: str
    fields: Fields
    match: Place

    def parts(self, field: str) -> list[Part]:
        chosen = self.fields.get(field)
        return self.match.parts(chosen) if isinstance(chosen, Selector) else []

    def part(self, field: str) -> Part | None:
        return next(iter(self.parts(field)), None)

    def flag(self, field: str, default: bool = False) -> bool:  # noqa: FBT001, FBT002  (a value like any other)
        return bool(self.fields.get(field, default))

    def owner(self, part: Part | None = None) -> str:
        """Whose it is: the entity that the rule names, else the definition around."""
        return plain(self.part("by")) or self.around(part)

    def around(self, part: Part | None = None) -> str:
        """The definition that a part, else the match, is in."""
        return self.match.source.around(self.match.line(part))


@dataclass(frozen=True, slots=True)
class Statement:
    """`facts`: what all matches of a file become, None for what only others need (`scoped`: those); its fields."""

    facts: Callable[[list[Assertion]], Iterable[Fact]] | None
    required: tuple[str, ...]
    optional: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    scoped: bool = False
