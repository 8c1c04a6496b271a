"""Names in a program's syntax tree: string literals with the call and the argument around them.

The nodes are those of the grammars; what encloses a literal is known by what the grammars call such nodes, alike in
all.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from extraction.languages.nodes import DEEPEST, end_of, line_of, start_of
from extraction.occurrences.words import base_in, name_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ast_grep_py import SgNode

    from extraction.languages.nodes import Places

BASE: Final = "base of an address"
"""The argument of a variable that an address begins with."""
HIGHEST: Final = 7
TRANSPARENT: Final = frozenset({"call_suffix"})
"""Kotlin's and Swift's, around the arguments of a call."""
SHORTEST: Final = 5
SHORTEST_VARIABLE: Final = 3
IDENTIFIER: Final = re.compile(r"identifier|^(?:name|constant|variable_name|instance_variable|atom)$")
LONGEST: Final = 200
"""Characters of a literal with its quotes."""
TWO_SIDED: Final = re.compile(
    r"comparison_operator|(?:binary|equality|infix|additive)_expression|binary_operator|binary"
)
JOINED: Final = frozenset({"+", "<>", "++", ".", "..", "/", "|>"})
"""What puts a text together, or hands it on: what is around says what the whole is for."""
MESSAGE: Final = re.compile(r"event|topic|subject|channel|routing|detail|message", re.IGNORECASE)
RECEIVES: Final = "receive"
"""What a comparison with a message's type does, as if it were called."""
MEMBER: Final = re.compile(
    r"attribute|member_(?:access_)?expression|field_(?:access|expression)|selector_expression|navigation_expression"
)
LISTS: Final = frozenset({"arguments", "argument_list", "value_arguments"})
SCOPES: Final = frozenset({"this", "self", "scope", "stack"})
CALLS: Final = re.compile(
    r"call|call_expression|invocation_expression|method_invocation|.*creation_expression|(?:new|instance)_expression|macro_invocation"
    r"|(?:function|member|scoped|nullsafe_member)_call_expression|annotation|decorator|attribute|constructor_invocation"
)
ARGUMENTS: Final = re.compile(
    r"keyword_argument|named_argument|pair|keyed_element|field_initializer|element_value_pair|value_argument|argument"
    r"|(?:array_element_)?initializer|default_parameter|jsx_attribute|attribute_argument"
)
ASSIGNMENTS: Final = re.compile(
    r"assignment(?:_expression|_statement)?|variable_declarator|const_spec|var_spec|short_var_declaration|let_declaration"
    r"|(?:property|val|var)_(?:declaration|definition)|initialized_variable_definition|const_item|static_item|public_field_definition|init_declarator|const_element|property_element"
)
ENDS: Final = re.compile(
    r".*(?:statement|_body|block|class|function|method)(?:_definition|_declaration|_item)?|program|module"
)
NAMES: Final = ("name", "key", "left", "pattern", "declarator", "function", "method", "constructor", "type", "macro")
CALLEES: Final = ("function", "method", "constructor", "name", "type", "macro")
DECLARES: Final = re.compile(r"decorator|\w*annotation|attribute_(?:list|item)")
"""What is written above a definition."""
MODIFIERS: Final = frozenset({"modifiers", "binding_pattern_kind"})
LAST: Final = re.compile(r"([\w$!?]+)\W*$")
GENERIC: Final = re.compile(r"<[^<>]*>|\([^()]*\)")
MOST: Final = 300


@dataclass(frozen=True, slots=True)
class Named:
    """A name, where it starts, the innermost definition around it, and the words around it: callees from the innermost,
    the argument that has it, and the variable that it, or what is made with it, is given to.

    call: the line of the innermost call; placed: whether that call begins with the object that it is made in (`new
    Queue(this, "jobs")`), as trees of infrastructure are written; is_setting: the name is a setting's or constant's.
    """

    name: str
    line: int
    scope: str
    callees: tuple[str, ...] = ()
    argument: str = ""
    variable: str = ""
    call: int = 0
    placed: bool = False
    is_setting: bool = False


def literals_in(strings: Iterable[SgNode], places: Places, scope: Callable[[SgNode], str]) -> tuple[Named, ...]:
    """Those literals that look like names, the first of many. scope: which definition is around a node."""
    found: list[Named] = []
    for node in strings:
        written = node.text()
        if not SHORTEST <= len(written) <= LONGEST or " " in written:
            continue  # prose, mostly
        text = written.lstrip("rbfuRBFUL$@#").strip("\"'`")
        if "/" in text and ("{" in text or "$" in text) and (base := base_in(text)):
            found.append(Named(base, line_of(node), scope(node), (), BASE))
        if not (name := name_in(text)):
            continue
        above = node.ancestors()
        if len(above) > DEEPEST:
            break  # as will be most that follow
        if (one := around(node, above, name, scope(node))) is not None:
            found.append(one)
            if len(found) >= MOST:
                break
    return (*found, *_used(found, places, scope))


def _used(found: Iterable[Named], places: Places, scope: Callable[[SgNode], str]) -> Iterator[Named]:
    """The same names where the variable that has one is handed to a call: in its function, a field in its class. What
    another variable is made of hands its name on, once.
    """
    given = [one for one in found if len(one.variable) >= SHORTEST_VARIABLE and one.argument != BASE]
    seen = {(one.name, one.line) for one in given}
    for _ in range(2):
        uses = [use for use in _uses(given, places, scope) if (use.name, use.line) not in seen]
        seen.update((use.name, use.line) for use in uses)
        yield from (replace(use, variable="") for use in uses if use.callees)
        given = [use for use in uses if use.variable and len(use.variable) >= SHORTEST_VARIABLE]


def _uses(given: list[Named], places: Places, scope: Callable[[SgNode], str]) -> Iterator[Named]:
    by_variable: dict[str, list[Named]] = {}
    for one in given:
        by_variable.setdefault(one.variable, []).append(one)
    if not by_variable:
        return
    written = "|".join(re.escape(name) for name in sorted(by_variable))
    count = 0
    for place in re.finditer(rf"(?<![\w\"'])({written})(?![\w\"'(])", places.text):
        above = identifier_at(places, place.start(1), place.end(1)) if count < MOST else []
        if not above:
            continue
        node = above.pop(0)
        for one in _nearest(by_variable[place[1]], scope(node)):
            use = around(node, above, one.name, scope(node)) if line_of(node) != one.line else None
            if use is not None:
                count += 1
                yield replace(use, argument=use.argument or one.variable)


def identifier_at(places: Places, start: int, end: int) -> list[SgNode]:
    """The name that is there in the code, with what it is a member of, and what is around it; none where no name is."""
    above = places.around(start, end)
    if len(above) < 2 or not IDENTIFIER.search(above[0].kind()):
        return []
    return above[1:] if MEMBER.fullmatch(above[1].kind()) else above


def _nearest(given: list[Named], where: str) -> list[Named]:
    """What a variable means at a place: what its function gives it, else its class, else the file; of several, none."""
    cls = where.rpartition(".")[0]
    beside = [one for one in given if cls and one.scope.rpartition(".")[0] == cls]
    for here in (*([one for one in given if one.scope == around] for around in (where, cls)), beside, given):
        if here:
            same = len({one.name for one in here}) == 1
            return here[:1] if same and (here is not given or not here[0].scope) else []
    return []


def around(node: SgNode, above: list[SgNode], name: str, scope: str) -> Named | None:
    """The name with what encloses it; None for a field's: what is before a colon or in brackets names no thing."""
    if above and _is_key(above[0], node) and not name.isupper():
        return None
    callees: list[str] = []
    arguments: list[str] = []
    call, placed, inner = 0, False, node
    for outer in [one for one in above[: 2 * HIGHEST] if one.kind() not in TRANSPARENT][:HIGHEST]:
        kind = outer.kind()
        if DECLARES.fullmatch(kind) and name.startswith("/"):
            return None  # a route: who has it serves it
        if len(callees) > 1 or _ends(outer):
            break
        sign = _sign(outer) if TWO_SIDED.fullmatch(kind) else ""
        if sign == "=" or ASSIGNMENTS.fullmatch(kind):
            variable = _last(outer.named_children()[0]) if sign else _named(outer, inner, NAMES)
            return Named(name, line_of(node), scope, tuple(callees), ".".join(arguments), variable, call, placed)
        if sign and sign not in JOINED and not callees:
            left = outer.named_children()[0]
            received = MESSAGE.search(left.text()[-60:]) and left != inner
            return Named(name, line_of(node), scope, (RECEIVES,) if received else ())
        if CALLS.fullmatch(kind) and (callee := _named(outer, inner, CALLEES)):
            callees.append(callee)
            call = call or line_of(outer)
        elif not callees:
            placed = placed or _is_placed(outer)
            if ARGUMENTS.fullmatch(kind) and (argument := _named(outer, inner, NAMES)):
                arguments.insert(0, argument)
        inner = outer
    return Named(name, line_of(node), scope, tuple(callees), ".".join(arguments), "", call, placed)


def _ends(outer: SgNode) -> bool:
    """Whether what is around it says no more: Scala's value on a line of its own is a block, too."""
    kind = outer.kind()
    return bool(ENDS.fullmatch(kind)) and not (kind == "indented_block" and len(outer.named_children()) == 1)


def _sign(outer: SgNode) -> str:
    """What is between the two sides; `?` where there are not two."""
    sides = outer.named_children()
    if len(sides) != 2:
        return "?"
    left, right, whole = (node.text() for node in (*sides, outer))
    return whole[len(left) : len(whole) - len(right)].strip() or "?"


def _is_placed(outer: SgNode) -> bool:
    """Whether arguments begin with the object that something is made in."""
    if outer.kind() not in LISTS:
        return False
    begin = (outer.child(0), outer.child(1))  # a bracket first, mostly; there may be thousands behind
    first = next((child for child in begin if child is not None and child.is_named()), None)
    return first is not None and first.text() in SCOPES and len(outer.named_children()) > 1


def _is_key(outer: SgNode, node: SgNode) -> bool:
    kind = outer.kind()
    if kind in {"pair", "keyed_element", "dictionary_element"}:
        return outer.named_children()[0] == node
    return kind.startswith(("subscript", "index", "element_access", "bracketed")) and outer.named_children()[-1] == node


def _named(outer: SgNode, inner: SgNode, fields: tuple[str, ...]) -> str:
    """The last name of what the outer node says of the inner one; '' where that is the inner one itself."""
    for field in fields:
        for node in outer.field_children(field):
            return "" if node == inner else _last(node)
    children = [child for child in outer.named_children() if child.kind() not in MODIFIERS]
    if len(children) < 2 or children[0] == inner:
        return ""
    return _last(children[0].named_children()[0] if children[0].kind() == "variable_declaration" else children[0])


def _last(node: SgNode) -> str:
    """`detail-type` of `event["detail-type"]` and `send` of `client.queue(x).send`."""
    if end_of(node) - start_of(node) > 300:
        return ""
    text = GENERIC.sub("", GENERIC.sub("", node.text()))
    found = LAST.search(text)
    return found[1] if found else ""
