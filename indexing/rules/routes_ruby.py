"""Routes of Rails: routes.rb with its resources and scopes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from indexing.rules.endpoints import ANY, found_routes, route, serves
from indexing.rules.expressions import arguments, texts
from indexing.rules.port import Findings, Source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from indexing.facts import Clue, Definition

__all__ = ["RailsRoutes"]

VERB: Final = re.compile(r"\s*(get|post|put|patch|delete|match)[ (]\s*(?=['\":])")
RESOURCES: Final = re.compile(r"\s*(resources?)[ (]\s*((?::\w+\s*,\s*)*:\w+)")
SCOPE: Final = re.compile(r"\s*(namespace|scope)[ (]\s*")
SCOPE_PATH: Final = re.compile(r"\b(?:path|scope)(?::|\s*=>)\s*['\"]([^'\"]*)['\"]")
ACTIONS: Final = {
    "index": ("GET", ""), "create": ("POST", ""), "show": ("GET", "/{id}"), "update": ("PATCH", "/{id}"), "destroy": ("DELETE", "/{id}"),
}  # fmt: skip
"""Of a resource; `new` and `edit` are pages with a form (https://guides.rubyonrails.org/routing.html)."""
BLOCK: Final = re.compile(r"\bdo\b\s*(?:\|[^|]*\|)?\s*$")
LIST: Final = re.compile(r"\b(only|except):\s*(?:\[([^\]]*)\]|:?(\w+)|%i\[([^\]]*)\])")


class RailsRoutes:
    """An endpoint for each line of routes.rb, and for each action of a resource."""

    name = "rails"

    def reads(self, path: str) -> bool:
        return re.search(r"(^|/)config/routes(\.rb|/[\w/]+\.rb)$", path) is not None

    def find(self, source: Source) -> Findings | None:
        return found_routes((self.name, *one) for one in self._read(source.text.split("\n")))

    def _read(self, lines: list[str]) -> Iterator[tuple[Definition, Clue]]:
        """By indentation: a line that is indented less closes the blocks that were opened further in."""
        open_: list[tuple[int, str]] = []
        for number, line in enumerate(lines, start=1):
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            indent = len(line) - len(line.lstrip())
            while open_ and open_[-1][0] >= indent:
                open_.pop()
            prefix = open_[-1][1] if open_ else ""
            inner = prefix
            if found := SCOPE.match(line):
                path = SCOPE_PATH.search(line) or re.compile(r"['\":]([\w/:{}-]*)").match(line, found.end())
                inner = f"{prefix}/{path[1]}" if path else prefix
            elif found := RESOURCES.match(line):
                for name in re.findall(r":(\w+)", found[2]):
                    at = f"{prefix}/{name}"
                    yield from self._resource(at, found[1] == "resources", line, number, name)
                    inner = at + (f"/{{{name.removesuffix('s')}_id}}" if found[1] == "resources" else "")
            elif re.match(r"\s*(?:collection|member)\b", line):
                inner = re.sub(r"/\{\w+_id\}$", "" if "collection" in line else "/{id}", prefix)
            elif found := VERB.match(line):
                yield from self._line(prefix, found, line, number)
            if BLOCK.search(line):
                open_.append((indent, inner))

    def _line(self, prefix: str, found: re.Match[str], line: str, number: int) -> Iterator[tuple[Definition, Clue]]:
        given, _ = arguments(line, found.end())
        path = next(texts(given[0]), "") or re.sub(r"^:", "", given[0].split(" ")[0]) if given else ""
        handler = re.search(r"(?:to:|=>)\s*['\"]([\w/]+#\w+)['\"]", line)
        verb = ANY if found[1] == "match" else found[1]
        whole = f"{prefix}/{path}".replace("(.:format)", "")
        if route(whole):
            yield serves(self.name, verb, whole, number, handler[1] if handler else "")

    def _resource(self, path: str, many: bool, line: str, number: int, name: str) -> Iterator[tuple[Definition, Clue]]:  # noqa: FBT001  (resources or resource)
        chosen = {one[1]: set(re.findall(r"\w+", one[2] or one[3] or one[4] or "")) for one in LIST.finditer(line)}
        for action, (verb, rest) in ACTIONS.items():
            if action in chosen.get("except", ()) or ("only" in chosen and action not in chosen["only"]):
                continue
            if many or action != "index":
                yield serves(self.name, verb, path + (rest if many else ""), number, f"{name}#{action}")
