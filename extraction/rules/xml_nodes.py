"""XML as nodes with lines. Names are without their namespace; a document that declares entities is not read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final
from xml.parsers import expat

DEEPEST: Final = 64


class _RefusedError(Exception):
    """Too deep, or with entities of its own."""


@dataclass(slots=True)
class Element:
    """One element: its text is what is directly in it, without the space around."""

    name: str
    line: int
    attributes: Mapping[str, str]
    children: list[Element] = field(default_factory=list)
    text: str = ""
    last_line: int = 0

    def all(self, *path: str) -> Iterator[Element]:
        """The elements there: `all("dependencies", "dependency")`."""
        first, rest = path[0], path[1:]
        for child in self.children:
            if child.name == first:
                yield from child.all(*rest) if rest else (child,)

    def text_at(self, *path: str) -> str:
        """The text of the first element there; '' without one."""
        return next((element.text for element in self.all(*path)), "")

    def walk(self) -> Iterator[Element]:
        """This element and all inside it, as they are in the text."""
        yield self
        for child in self.children:
            yield from child.walk()


def root_of(text: str) -> Element | None:
    """The document's element; None when it is no XML that can be read. Never raises."""
    parser = expat.ParserCreate()
    parser.buffer_text = True
    open_: list[Element] = [Element("", 0, {})]

    def start(name: str, attributes: dict[str, str]) -> None:
        if len(open_) > DEEPEST:
            raise _RefusedError
        local = {key.rpartition(":")[2]: value for key, value in attributes.items()}
        element = Element(name.rpartition(":")[2], parser.CurrentLineNumber, local)
        open_[-1].children.append(element)
        open_.append(element)

    def end(_: str) -> None:
        element = open_.pop()
        element.text = element.text.strip()
        element.last_line = parser.CurrentLineNumber

    def characters(data: str) -> None:
        open_[-1].text += data

    def declared(*_: object) -> None:
        raise _RefusedError

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = characters
    parser.EntityDeclHandler = declared
    try:
        parser.Parse(text.lstrip("\ufeff").encode("utf-8", "replace"), True)  # noqa: FBT003 - expat's own signature
    except (expat.ExpatError, _RefusedError, ValueError, LookupError):
        return None
    return open_[0].children[0]
