"""How frameworks declare HTTP routes, in two shapes that most of them share: a call, and an annotation above a handler.

A framework is a row of patterns in its family's file (routes_python.py and the like); a route's path is what its literal
says behind the prefixes of what it is called on, of the block around it or of its class.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from indexing.rules.endpoints import ANY, METHODS, route, serves
from indexing.rules.expressions import HOLE, arguments, closing, join, line_at, texts, without_comments
from indexing.rules.port import Findings, Source
from indexing.rules.programs import program_language

if TYPE_CHECKING:
    from collections.abc import Iterator

    from indexing.facts import Clue, Definition

__all__ = ["Calls", "RouteRule", "found_routes", "handler_in", "path_of"]

KEYWORD: Final = re.compile(r"^\s*(?:path|value|pattern|rule|template|uri)\s*[:=]\s*(?!=)")
LAST_NAME: Final = re.compile(r"(?:^|[\s.:>&*'\"(@\\])([A-Za-z_]\w*)[\])'\"\s]*(?:\(\))?$")
FUNCTION: Final = re.compile(r"\b(?:def|fn)\s+(\w+)")
CHAIN: Final = re.compile(r"\s*\.\s*(?=\w)")
VERB: Final = re.compile(r"(?:\b|(?<=Method))(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Calls:
    """A framework whose routes are calls. Patterns end right in front of the arguments.

    sign: what its files contain; routes: groups `on` (what it is called on) and `verb`, both optional; also_verbs: what
    holds further verbs, among the arguments or in the calls chained to it; default: the verb where none is said; prefixes:
    give a name a prefix, groups `name` and `on`, or `prefix` itself; keyword: the argument with the prefix, else the first; mounts: hang a
    named thing under a prefix, group `on`; blocks: put all that is inside of them under one; handled: a path alone is no
    route, something must handle it; open: arguments may stand without brackets.
    """

    name: str
    sign: str
    routes: str
    also_verbs: str = ""
    default: str = "GET"
    prefixes: str = ""
    keyword: str = ""
    mounts: str = ""
    blocks: str = ""
    handled: bool = True
    open: bool = False
    slash: bool = False


class RouteRule:
    """An endpoint for each route of a family of frameworks that are rows of `Calls`."""

    def __init__(self, name: str, languages: frozenset[str], rows: tuple[Calls, ...]) -> None:
        self.name = name
        self._languages = languages
        self._rows = rows

    def reads(self, path: str) -> bool:
        return program_language(path) in self._languages

    def find(self, source: Source) -> Findings | None:
        rows = [row for row in self._rows if re.search(row.sign, source.text)]
        text = without_comments(source.text) if rows else ""
        return found_routes(one for row in rows for one in _Reader(row, source, text).routes())


def found_routes(served: Iterator[tuple[str, Definition, Clue]]) -> Findings | None:
    """Findings of what was read, under the name of the first framework."""
    rows = list(served)
    names = {name: None for name, _, _ in rows}
    definitions = {d.name: d for _, d, _ in reversed(rows)}
    clues = {(c.entity, c.value): c for _, _, c in reversed(rows)}
    return Findings(definitions.values(), clues.values(), next(iter(names))) if rows else None


def path_of(argument: str, text: str, offset: int) -> str | None:
    """The path that an argument is: its literals, without what stands in front of the first slash; None when it is none."""
    joined = join(KEYWORD.sub("", argument), text, offset, verbatim=True)
    if joined is None or "://" in joined.text:
        return None
    return joined.text.replace(HOLE, "")


def handler_in(arguments_: list[str]) -> str:
    """The name of what handles a route: the last argument's last name; '' for a function written in place."""
    given = [one.strip() for one in arguments_[1:] if not re.match(r"\w+\s*=(?![=>])", one)]
    found = (
        LAST_NAME.search(given[-1].removesuffix("::class"))
        if given and not re.search(r"=>|[{|]|\bfunc(?:tion)?\b", given[-1])
        else None
    )
    return found[1] if found else ""


def _telling(verbs: list[str]) -> list[str]:
    """Each verb once; HEAD and OPTIONS beside another say nothing."""
    all_ = list(dict.fromkeys(verb.upper() for verb in verbs))
    return [verb for verb in all_ if verb not in {"HEAD", "OPTIONS"}] or all_


class _Reader:
    def __init__(self, row: Calls, source: Source, text: str) -> None:
        self._row = row
        self._source = source
        self._text = text
        self._prefixes: dict[str, list[tuple[int, str]]] = {}
        self._blocks: list[tuple[int, int, str]] = []

    def routes(self) -> Iterator[tuple[str, Definition, Clue]]:
        self._read_prefixes()
        for found in re.finditer(self._row.routes, self._text, re.MULTILINE):
            given, end = self._arguments(found.end())
            path = path_of(given[0], self._text, found.start()) if given else None
            if path is None or (self._row.handled and len(given) < 2) or (self._row.slash and not path.startswith("/")):
                continue
            groups = found.groupdict()
            verbs, path = self._verbs(groups.get("verb") or "", path, given, end)
            whole = f"{self._around(found.start())}/{self._of(groups.get('on') or '', found.start())}/{path}"
            if not route(whole) or not verbs:
                continue
            line = line_at(self._text, found.end())
            handler = self._below(line, end) or (handler_in(given) if len(verbs) == 1 else "")
            for verb in verbs:
                definition, clue = serves(self._row.name, verb, whole, line, handler)
                yield self._row.name, definition, clue

    def _arguments(self, at: int) -> tuple[list[str], int]:
        if not self._row.open and self._text[at : at + 1] != "(":
            return [], at
        return arguments(self._text, at)

    def _verbs(self, verb: str, path: str, given: list[str], end: int) -> tuple[list[str], str]:
        first, _, rest = path.partition(" ")
        if rest and first in METHODS:  # Go's "GET /orders/{id}"
            return [first], rest.strip()
        if self._row.also_verbs:
            whole = f"{', '.join(given[1:])} {self._chained(end)}"
            said = [v for one in re.finditer(self._row.also_verbs, whole) for v in VERB.findall(one[0])]
            if said:
                return _telling(said), path
        verb = re.sub(r"^(?:all|any|any_|use|handle|handlefunc|match)$", ANY, verb, flags=re.IGNORECASE).upper()
        return [verb if verb in METHODS or verb == ANY else self._row.default], path

    def _chained(self, end: int) -> str:
        """The calls behind one: `.Methods("GET").Name("x")`."""
        at = end
        while (dot := CHAIN.match(self._text, at)) and (
            call := re.compile(r"[\w:<>]+\s*").match(self._text, dot.end())
        ):
            after = closing(self._text, call.end()) if self._text[call.end() : call.end() + 1] == "(" else -1
            if after < 0 or re.compile(r"\(\s*[\"'`]/").match(self._text, call.end()):
                break  # `.route("/a", get(a)).route("/b", post(b))`: the next path's verbs are its own
            at = after + 1
        return self._text[end:at]

    def _below(self, line: int, end: int) -> str:
        """The function that a decorator or attribute on this line stands above."""
        if self._text.split("\n")[line - 1].lstrip()[:1] not in {"@", "#"}:
            return ""
        found = FUNCTION.search(self._text, end, end + 1000)
        return found[1] if found else ""

    def _read_prefixes(self) -> None:
        row = self._row
        for found in re.finditer(row.prefixes, self._text) if row.prefixes else ():
            given, _ = arguments(self._text, found.end())
            groups = found.groupdict()
            outer = self._of(groups.get("on") or "", found.start())
            prefix = groups.get("prefix") or self._prefix(given, found.start())
            self._prefixes.setdefault(groups["name"], []).append((found.start(), f"{outer}/{prefix}".strip("/")))
        for found in re.finditer(row.mounts, self._text) if row.mounts else ():
            given, _ = arguments(self._text, found.end())
            prefix = self._prefix(given, found.start())
            outer = self._of(found.groupdict().get("on") or "", found.start())
            for one in given:
                if prefix and re.fullmatch(r"[\w$]+", one):
                    inner = self._prefixes.get(one, [(0, "")])
                    self._prefixes[one] = [(at, f"{outer}/{prefix}/{own}".strip("/")) for at, own in inner]
        for found in re.finditer(row.blocks, self._text) if row.blocks else ():
            given, end = arguments(self._text, found.end())
            brace = re.compile(r"\s*(?:->\w+|\.\w+)?\s*[({]").match(self._text, end)
            if given and brace:
                end = max(end, closing(self._text, brace.end() - 1))
            self._blocks.append((found.end(), end, path_of(given[0], self._text, found.start()) or "" if given else ""))

    def _of(self, name: str, at: int) -> str:
        """The prefix of a name, of several by that name the one made last before."""
        rows = self._prefixes.get(name, [(0, "")])
        return next((prefix for made, prefix in reversed(rows) if made < at), rows[0][1])

    def _prefix(self, given: list[str], offset: int) -> str:
        keyword = self._row.keyword
        named = [one for one in given if keyword and re.match(rf"\s*(?:{keyword})\s*[:=]", one)]
        if named:
            return next(texts(named[0]), "").strip("/")
        first = given[0] if given and not keyword else ""
        if keyword or not first:
            return ""
        return (path_of(first, self._text, offset) or "").strip("/")

    def _around(self, offset: int) -> str:
        return "/".join(prefix for start, end, prefix in self._blocks if start < offset < end)
