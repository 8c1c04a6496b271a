"""Elements of HTML and SVG. Every child and attribute is escaped unless an element made here, so that no text becomes one."""

from __future__ import annotations

from html import escape
from typing import Final

from orchestrator.cli.output import printable

__all__ = ["Html", "join", "tag", "text"]

_VOID: Final = {"input", "meta", "line", "path", "rect", "circle", "use", "wbr"}


class Html(str):
    """A text that is markup already. Only this module makes one."""

    __slots__ = ()


def text(value: object) -> Html:
    """The value's text as it reads: escaped, without control characters and changes of direction."""
    return value if isinstance(value, Html) else Html(escape(printable(str(value))))


def join(*parts: object, by: str = "") -> Html:
    """Elements and texts, one behind the other; None and "" are left out."""
    return Html(text(by).join(text(part) for part in parts if part is not None and part != ""))


def tag(name: str, *children: object, **attributes: object) -> Html:
    """An element. `class_` is `class`, an underscore a hyphen; None and False leave the attribute out, True its value."""
    told = "".join(
        f" {key.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{text(value)}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in _VOID:
        return Html(f"<{name}{told}/>")
    return Html(f"<{name}{told}>{join(*children)}</{name}>")
