"""HTTP routes that annotations above a handler declare, under the prefix of an annotation above its class.

A framework is a row of patterns in its family's file (routes_spring.py and the like).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from indexing.rules.endpoints import ANY, route, serves
from indexing.rules.expressions import arguments, closing, join, line_at, without_comments
from indexing.rules.port import Findings, Source
from indexing.rules.programs import program_language
from indexing.rules.routes import found_routes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from indexing.facts import Clue, Definition

__all__ = ["AnnotationRule", "Annotations", "Mapped", "mapped_in"]

VERB: Final = re.compile(r"\b(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b")
PATH: Final = re.compile(r"^\s*(?:path|value|route|template|uri|name)\s*[:=]\s*(?!=)")
OTHER: Final = re.compile(r"^\s*\w+\s*[:=](?!=)")
CLASS: Final = re.compile(
    r"(?:(?:public|private|protected|internal|abstract|final|open|sealed|partial|export|default|static|data|readonly|async)\s+)*"
    r"(?:class|interface|record|object)\s+(\w+)"
)
METHOD: Final = re.compile(r"([A-Za-z_]\w*)\s*(?:<[^<>()]*>)?\s*\(")


@dataclass(frozen=True, slots=True)
class Annotations:
    """A framework whose routes are annotations.

    sign: what its files contain; mapping: an annotation with a path, group `verb` optional; opens, closes: what stands
    around annotations; beside: the annotation with the path where the mapping is the verb alone (JAX-RS); only_in, not_in:
    what the class must have above it, or must not; prefix: the annotation above the class, if another than the mapping;
    bare: whether a mapping without a path counts where the class has none either; rooted: whether a path with a slash in
    front leaves the class's out.
    """

    name: str
    sign: str
    mapping: str
    opens: str = "@"
    closes: str = ""
    beside: str = ""
    only_in: str = ""
    not_in: str = ""
    prefix: str = ""
    bare: bool = True
    rooted: bool = False


@dataclass(frozen=True, slots=True)
class Mapped:
    """What one annotation maps: verbs, the whole path, its line, and the class and method below it."""

    framework: str
    verbs: tuple[str, ...]
    path: str
    line: int
    owner: str
    method: str
    offset: int


@dataclass(frozen=True, slots=True)
class _Class:
    start: int
    end: int
    name: str
    prefixes: tuple[str, ...]
    above: str


class AnnotationRule:
    """An endpoint for each mapping of a family of frameworks that are rows of `Annotations`."""

    def __init__(self, name: str, languages: frozenset[str], rows: tuple[Annotations, ...]) -> None:
        self.name = name
        self._languages = languages
        self._rows = rows

    def reads(self, path: str) -> bool:
        return program_language(path) in self._languages

    def find(self, source: Source) -> Findings | None:
        return found_routes(_served(self._rows, source))


def _served(rows: tuple[Annotations, ...], source: Source) -> Iterator[tuple[str, Definition, Clue]]:
    for row in rows:
        for one in mapped_in(row, source):
            for verb in one.verbs:
                definition, clue = serves(row.name, verb, one.path, one.line, f"{one.owner}.{one.method}".strip("."))
                yield row.name, definition, clue


def mapped_in(row: Annotations, source: Source) -> Iterator[Mapped]:
    """What the annotations of a file map, in order."""
    if not re.search(row.sign, source.text):
        return
    text = without_comments(source.text)
    classes = list(_classes(row, text))
    for found in re.finditer(row.mapping, text):
        given, end = arguments(text, found.end()) if text[found.end() : found.end() + 1] == "(" else ([], found.end())
        below, others = _below(row, text, end)
        if CLASS.match(text, below):
            continue
        owner = next((one for one in reversed(classes) if one.start < found.start() < one.end), None)
        above = owner.above if owner else ""
        if (row.only_in and not re.search(row.only_in, above)) or (row.not_in and re.search(row.not_in, above)):
            continue
        verbs = _verbs(found.groupdict().get("verb"), given)
        paths = _paths(given, text, found.start())
        if row.beside:
            member = re.split(r"[;]|[{}]\s", text[max(0, found.start() - 300) : found.start()])[-1]
            paths = _said_by(row.beside, f"{others}{member}")
        bare = not paths and not row.bare and not (owner and any(owner.prefixes))
        method = METHOD.search(text, below)
        for prefix in owner.prefixes if owner else ("",):
            for path in paths or ([] if bare else [""]):
                rooted = path.startswith("~/") or (row.rooted and path.startswith("/"))
                whole = path.removeprefix("~") if rooted else f"{prefix}/{path}"
                whole = whole.replace("[action]", method[1] if method else "")
                if route(whole):
                    line = line_at(text, found.start())
                    name = method[1] if method else ""
                    yield Mapped(row.name, verbs, whole, line, owner.name if owner else "", name, found.start())


def _classes(row: Annotations, text: str) -> Iterator[_Class]:
    for found in CLASS.finditer(text):
        brace = text.find("{", found.end())
        end = closing(text, brace) if brace >= 0 else -1
        head = max(text.rfind("}", 0, found.start()), text.rfind(";", 0, found.start()), 0)
        above = _above(text, head, found.start())
        prefixes = _said_by(rf"(?:{row.prefix or row.mapping})(?=\()", above)
        name = found[1].removesuffix("Controller")
        named = tuple(path.replace("[controller]", name.lower()) for path in prefixes) or ("",)
        yield _Class(found.start(), end if end >= 0 else len(text), found[1], named, above)


def _above(text: str, head: int, start: int) -> str:
    """The annotations in front of a class; a brace or semicolon inside of one does not end them."""
    while (
        (inside := text.rfind("(", 0, head)) >= 0 and closing(text, inside) > head and "\n\n" not in text[inside:head]
    ):
        head = max(text.rfind("}", 0, inside), text.rfind(";", 0, inside), 0)
    return text[head:start]


def _below(row: Annotations, text: str, at: int) -> tuple[int, str]:
    """Where what is annotated begins, and the further annotations on the way there."""
    begin = at
    opening = re.compile(
        rf"[\s,\]]*{re.escape(row.opens)}\s*[\w.:]+|[\s,\]]*,\s*[\w.]+(?=\()"
        if row.closes
        else rf"\s*{re.escape(row.opens)}[\w.:]+"
    )
    while one := opening.match(text, at):
        at = one.end()
        if text[at : at + 1] == "(":
            end = closing(text, at)
            at = end + 1 if end >= 0 else at + 1
    blank = re.compile(r"[\s\])]*").match(text, at)
    return (blank.end() if blank else at), text[begin:at]


def _verbs(verb: str | None, given: list[str]) -> tuple[str, ...]:
    if verb:
        return (verb.upper(),)
    said = [v for one in given if OTHER.match(one) for v in VERB.findall(one)]
    return tuple(dict.fromkeys(said)) or (ANY,)


def _said_by(annotation: str, text: str) -> list[str]:
    """The paths of the annotations of one name in a text."""
    return [path for one in re.finditer(annotation, text) for path in _paths(arguments(text, one.end())[0], text, 0)]


def _paths(given: list[str], text: str, offset: int) -> list[str]:
    """The path, or the paths of a list, that the arguments of an annotation say."""
    for one in given:
        if PATH.match(one) or not OTHER.match(one):
            inner = PATH.sub("", one).strip()
            listed = arguments(f"({inner[1:-1]})", 0)[0] if inner[:1] in "{[" and inner[-1:] in "}]" else [inner]
            joined = [join(part, text, offset, verbatim=True) for part in listed]
            found = [path.text for path in joined if path is not None and "\0" not in path.text]
            if found:
                return found
    return []
