"""Routes: what is served where, behind the prefixes of what it is called on, of the block around it or of its class."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from extraction.rules.clues import ANY, METHODS, route, serves
from extraction.rules.expressions import HOLE, arguments, join
from extraction.rules.port import Fact
from extraction.rules.structure.declarations import annotated, class_around, is_annotation
from extraction.rules.structure.matches import Assertion, Part, Selector, plain, selector

VERB: Final = re.compile(
    r"(?:\b|(?<=Method))(?P<verb>GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b(?P<call>\()?", re.IGNORECASE
)
AT_START: Final = re.compile(r"^(?:Map|Http|add_)?(?P<verb>get|post|put|patch|delete)", re.IGNORECASE)
EVERY: Final = re.compile(r"(?i)all|any|any_|use|handle|handlefunc|match")
LAST_NAME: Final = re.compile(r"(?:^|[\s.:>&*'\"(@\\])([A-Za-z_]\w*)[\])'\"\s]*(?:\(\))?$")
INLINE: Final = re.compile(r"=>|[{|]|\bfunc(?:tion)?\b")
LIST: Final = re.compile(r"[\[{].*[\]}]", re.DOTALL)
ASSIGNED: Final = selector("$ASSIGNED")
NAMED: Final = re.compile(r"^\s*(?:path|value|pattern|rule|template|uri)\s*[:=]\s*(?!=)")


class Scopes:
    """The prefixes of a file: of names, of blocks and of classes."""

    def __init__(self, rows: list[Assertion]) -> None:
        self._prefixes: dict[str, list[tuple[int, str]]] = {}
        self._blocks: list[tuple[int, int, tuple[str, ...]]] = []
        for one in sorted((one for one in rows if one.statement == "prefix"), key=lambda one: one.match.offset):
            outer = self.of(one.part("of"), one.match.offset)
            for name in one.parts("name") or one.match.parts(ASSIGNED):
                path = f"{outer}/{_one_path(one, 'path')}".strip("/")
                self._prefixes.setdefault(plain(name), []).append((one.match.offset, path))
        for one in (one for one in rows if one.statement == "mount"):
            self._mount(one)
        for one in (one for one in rows if one.statement == "inside"):
            self._surround(one)

    def of(self, on: Part | None, at: int) -> str:
        """The prefix of a name, of several by that name the one made last before."""
        rows = self._prefixes.get(plain(on).rpartition(".")[2] if on else "", [(0, "")])
        return next((prefix for made, prefix in reversed(rows) if made < at), rows[0][1])

    def around(self, offset: int) -> tuple[str, ...]:
        """The prefixes of the blocks and the class around an offset, one for each path of the class."""
        whole = [""]
        for start, end, paths in sorted(self._blocks):
            if start < offset < end:
                whole = [f"{before}/{path}" for before in whole for path in paths]
        return tuple(whole)

    def _mount(self, one: Assertion) -> None:
        prefix, outer = _one_path(one, "path"), self.of(one.part("of"), one.match.offset)
        for name in (plain(part) for part in one.parts("name")):
            if prefix and re.fullmatch(r"[\w$]+", name):
                inner = self._prefixes.get(name, [(0, "")])
                self._prefixes[name] = [(at, f"{outer}/{prefix}/{own}".strip("/")) for at, own in inner]

    def _surround(self, one: Assertion) -> None:
        start, end = one.match.offset, one.match.end
        paths = tuple(path.strip("/") for path in paths_of(one, "path"))
        if one.flag("class"):
            around = class_around(one.match.node)
            if around is None or (is_annotation(one.match.node) and annotated(one.match.node).kind != "class"):
                return
            start, end = around.start - 1, around.end
            name = around.name.removesuffix("Controller").lower()
            paths = tuple(path.replace("[controller]", name) for path in paths)
        self._blocks.append((start, end, paths or ("",)))


def served(rows: list[Assertion]) -> Iterator[Fact]:
    """An endpoint for each route, once for each of its verbs."""
    scopes = Scopes(rows)
    read: dict[int, tuple[int, int]] = {}
    for one in sorted((r for r in rows if r.statement == "serves"), key=lambda r: (-r.match.end, r.match.offset)):
        path, span = one.part("path"), (one.match.offset, one.match.end)
        if read.setdefault((path and path.offset) or span[0], span) == span:  # of two patterns the one that says more
            yield from _routes(one, scopes)


def _routes(one: Assertion, scopes: Scopes) -> Iterator[Fact]:
    on, node, code = one.part("of"), one.match.node, bool(one.match.text)
    target = annotated(node) if code and is_annotation(node) else None
    owner = class_around(node) if target else None
    given, paths = one.part("path"), paths_of(one, "path")
    handled = one.part("handler")
    if (target and target.kind != "member") or (code and "handler" in one.fields and _unhandled(handled, given)):
        return
    prefixes = scopes.around(one.match.offset)
    if given is None and target and (one.flag("bare", default=True) or any(prefixes)):
        paths = [""]
    for path in paths:
        verbs, rest = verbs_of(one, path)
        if one.flag("slash") and not rest.startswith("/"):
            continue
        handler = _handler(handled) if len(verbs) == 1 else ""
        if target:
            handler = f"{owner.name}.{target.name}" if owner else target.name
            rest = rest.replace("[action]", target.name)
        rooted = rest.startswith("~/") or (one.flag("rooted") and rest.startswith("/"))
        for prefix in ("",) if rooted else prefixes:
            whole = f"{prefix}/{scopes.of(on, one.match.offset)}/{rest.removeprefix('~')}"
            if route(whole):
                line = one.match.line(one.part("verb") if target else given)
                for verb in verbs:
                    yield from serves(one.rule, verb, whole, line, handler)


def _unhandled(handler: Part | None, path: Part | None) -> bool:
    return handler is None or (path is not None and handler.offset == path.offset)


def _handler(handler: Part | None) -> str:
    """The name of what handles a route: the last name; '' for a function written in place."""
    if handler is None or INLINE.search(handler.text):
        return ""
    found = LAST_NAME.search(handler.text.removesuffix("::class"))
    return found[1] if found else ""


def verbs_of(one: Assertion, path: str) -> tuple[list[str], str]:
    """The verbs of a route and the path, which may say one itself: `GET /orders/{id}`."""
    first, _, rest = path.partition(" ")
    if rest and first in METHODS:
        return [first], rest.strip()
    chosen = one.fields.get("verb")
    for way in chosen.ways if chosen else ():
        verbs = verbs_in(" ".join(part.text for part in one.match.parts(Selector((way,)))))
        if verbs:
            return verbs, path
    return [ANY], path


def verbs_in(written: str) -> list[str]:
    """The verbs that a text names, calls first; HEAD and OPTIONS beside another say nothing."""
    found = list(VERB.finditer(written)) or list(AT_START.finditer(written))
    called = [one for one in found if one.groupdict().get("call")]
    verbs = list(dict.fromkeys(one["verb"].upper() for one in called or found))
    telling = [verb for verb in verbs if verb not in {"HEAD", "OPTIONS"}]
    return telling or verbs or ([ANY] if EVERY.fullmatch(written) else [])


def paths_of(one: Assertion, field: str) -> list[str]:
    """The paths that a field says: of a list, each."""
    found = []
    for part in one.parts(field):
        listed = arguments(f"({part.text[1:-1]})", 0)[0] if LIST.fullmatch(part.text) else [part.text]
        for text in listed:
            joined = join(NAMED.sub("", text), one.match.text, part.offset, verbatim=True)
            if joined is not None and "://" not in joined.text:
                found.append(joined.text.replace(HOLE, ""))
    return found


def _one_path(one: Assertion, field: str) -> str:
    return next(iter(paths_of(one, field)), "").strip("/")
