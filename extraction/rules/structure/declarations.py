"""What an annotation, attribute or decorator is of, and the class around a node."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from ast_grep_py import SgNode

ANNOTATION: Final = frozenset({"annotation", "marker_annotation", "attribute", "attribute_item", "attribute_group", "decorator"})  # fmt: skip  # noqa: E501 - a table
CLASS: Final = re.compile(r"(?:class|interface|record|object|struct|trait|impl)_(?:declaration|definition|item)|class|abstract_class_declaration")  # fmt: skip  # noqa: E501 - a pattern
MEMBER: Final = re.compile(r"(?:method|function|constructor)_(?:declaration|definition|item|signature)|method|public_field_definition")  # fmt: skip  # noqa: E501 - a pattern
NEITHER: Final = re.compile(r"field|parameter|property_declaration|argument|local_variable")
NAME: Final = re.compile(r"(?:type_|simple_)?identifier|constant|name|property_identifier")
INNER: Final = re.compile(r"body|declaration_list|enum_entry")


@dataclass(frozen=True, slots=True)
class Annotated:
    """What it is of: a class, a member of one or a function, or neither; `name` is that one's."""

    kind: Literal["class", "member", "neither"]
    name: str = ""


@dataclass(frozen=True, slots=True)
class Class:
    """A class's name, the text in front of its body, and where it starts and ends."""

    name: str
    head: str
    start: int
    end: int


def is_annotation(node: SgNode) -> bool:
    """Whether it says something of what comes after it, or is a member with what is above it."""
    return node.kind() in ANNOTATION or MEMBER.fullmatch(node.kind()) is not None


def annotated(node: SgNode) -> Annotated:
    if MEMBER.fullmatch(node.kind()):
        return Annotated("member", _name(node))
    for above in node.ancestors():
        kind = above.kind()
        if kind == "class_body":  # TypeScript: a decorator is in front of its method
            return _following(node)
        if kind == "decorated_definition":
            above = above.field("definition") or above  # noqa: PLW2901  (what is decorated)
            kind = above.kind()
        if MEMBER.fullmatch(kind) or kind == "function_definition":
            return Annotated("member", _name(above))
        if CLASS.fullmatch(kind) or kind == "export_statement":
            return Annotated("class", _name(above))
        if NEITHER.search(kind):
            return Annotated("neither")
    return _following(node)  # Rust: an attribute is in front of its function


def _following(node: SgNode) -> Annotated:
    following = node.next()
    while following is not None and (following.kind() in ANNOTATION or "comment" in following.kind()):
        following = following.next()
    if following is None or not (MEMBER.fullmatch(following.kind()) or CLASS.fullmatch(following.kind())):
        return Annotated("neither")
    return Annotated("member" if MEMBER.fullmatch(following.kind()) else "class", _name(following))


def declared(node: SgNode) -> str:
    """The name of the class or function that a node is, or is an annotation of."""
    return _name(node) if CLASS.fullmatch(node.kind()) else annotated(node).name


def class_around(node: SgNode) -> Class | None:
    """The innermost class that a node is in, or that it is an annotation of."""
    for above in node.ancestors():
        if CLASS.fullmatch(above.kind()) or (above.kind() == "export_statement" and is_annotation(node)):
            outer = above.parent()
            whole = (
                outer if outer is not None and outer.kind() in {"export_statement", "decorated_definition"} else above
            )
            span = whole.range()
            body = next((one for one in _inside(above) if INNER.search(one.kind())), None)
            length = body.range().start.index - span.start.index if body else 400
            return Class(_name(above), whole.text()[:length], span.start.index, span.end.index)
    return None


def _inside(node: SgNode) -> list[SgNode]:
    if node.kind() != "export_statement":
        return node.children()
    inner = node.field("declaration")
    return inner.children() if inner is not None else []


def _name(node: SgNode | None) -> str:
    if node is None:
        return ""
    named = node.field("name") or next((one for one in _inside(node) if NAME.fullmatch(one.kind())), None)
    return named.text() if named is not None else ""
