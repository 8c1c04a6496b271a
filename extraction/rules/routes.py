r"""Routes that no pattern of a family can say: files as routes, Rails, Symfony's YAML, Spring Data REST.

- Files: Next.js (`pages/api/x.ts`, `app/x/route.ts`), SvelteKit (`routes/x/+server.ts`), Nuxt (`server/api/x.get.ts`).
- Rails: routes.rb with its resources and scopes (https://guides.rubyonrails.org/routing.html).
- Symfony: `name: {path: /orders/{id}, controller: App\Controller\Orders, methods: [GET]}`
  (https://symfony.com/doc/current/routing.html), and which variables its configuration takes addresses from:
  `%env(resolve:ORDERS_URL)%` (https://symfony.com/doc/current/configuration/env_var_processors.html).
- Spring Data REST: a repository is a collection, its items, and a search for each of its finders
  (https://docs.spring.io/spring-data/rest/reference/repository-resources.html).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from extraction.facts import Clue, Definition
from extraction.rules.addresses import is_address_key
from extraction.rules.clues import ANY, METHODS, found_routes, route, serves
from extraction.rules.compose import TESTS
from extraction.rules.expressions import arguments, closing, line_at, texts, without_comments
from extraction.rules.port import FileRule, Findings, Source, program_language
from extraction.rules.services import reads_variable
from extraction.rules.yaml_nodes import at, documents, first_line, names, pairs, scalar

END: Final = r"\.(?:js|ts|jsx|tsx|mjs)$"
ROWS: Final = (
    ("next.js", re.compile(rf"(?:^|/)(?:src/)?pages/(?P<path>api/[^.]*?)(?:/?index)?{END}")),
    ("next.js", re.compile(rf"(?:^|/)app/(?P<path>(?:[^/]+/)*)route{END}")),
    ("sveltekit", re.compile(rf"(?:^|/)src/routes/(?P<path>(?:[^/]+/)*)\+server{END}")),
    (
        "nuxt",
        re.compile(rf"(?:^|/)server/(?P<path>api/[^.]*?)(?:/?index)?(?:\.(?P<verb>get|post|put|patch|delete))?{END}"),
    ),
)
EXPORTED: Final = re.compile(r"^export\s+(?:async\s+)?(?:function|const)\s+(GET|POST|PUT|PATCH|DELETE)\b", re.MULTILINE)
HANDLED: Final = re.compile(
    r"\bmethod\s*===?\s*['\"](GET|POST|PUT|PATCH|DELETE)['\"]|\bcase\s+['\"](GET|POST|PUT|PATCH|DELETE)['\"]"
)
DEFAULT: Final = re.compile(r"^export\s+default\b|^module\.exports\s*=|^export\s+\{[^}]*\bdefault\b", re.MULTILINE)
VERB: Final = re.compile(r"\s*(get|post|put|patch|delete|match)[ (]\s*(?=['\":])")
RESOURCES: Final = re.compile(r"\s*(resources?)[ (]\s*((?::\w+\s*,\s*)*:\w+)\b(?!\s*=>)")
SCOPE: Final = re.compile(r"\s*(namespace|scope)[ (]\s*")
SCOPE_PATH: Final = re.compile(r"\b(?:path|scope)(?::|\s*=>)\s*['\"]([^'\"]*)['\"]")
ACTIONS: Final = {
    "index": ("GET", ""), "create": ("POST", ""), "show": ("GET", "/{id}"), "update": ("PATCH", "/{id}"), "destroy": ("DELETE", "/{id}"),  # noqa: E501 - a table
}  # fmt: skip
"""Of a resource; `new` and `edit` are pages with a form (https://guides.rubyonrails.org/routing.html)."""
BLOCK: Final = re.compile(r"\bdo\b\s*(?:\|[^|]*\|)?\s*$")
LIST: Final = re.compile(r"\b(only|except)(?::|\s*=>)\s*(?:\[([^\]]*)\]|:?(\w+)|%i\[([^\]]*)\])")
ROUTES: Final = re.compile(r"(^|/)(?:routes|routing)(?:/[\w.\-/]+|[\w.-]*)\.ya?ml$")
YAML: Final = re.compile(r"\.ya?ml$")
CONTROLLER: Final = re.compile(r"\\([A-Za-z]\w*)(?:::?(\w+))?$")
VARIABLE: Final = re.compile(r"%env\((?:\w+:)*([A-Z][A-Z0-9_]*)\)%")
REPOSITORY: Final = re.compile(
    r"@RepositoryRestResource\s*\((?P<given>[^()]*)\)(?:(?!@RepositoryRestResource)[^{}]){0,400}?\binterface\s+(?P<name>\w+)[^{};]*\{"
)
PATH: Final = re.compile(r"\bpath\s*=\s*\"/?(?P<path>[\w\-/]+)\"")
HIDDEN: Final = re.compile(r"\bexported\s*=\s*false")
FINDER: Final = re.compile(r"[\w>\]]\s+(?P<name>(?!\w+ById\b)(?:find|read|get|query|search|count|exists)\w*By\w*)\s*\(")
NAMED: Final = re.compile(
    r"@RestResource\s*\([^()]*?\bpath\s*=\s*\"(?P<path>[\w\-]+)\"[^()]*\)\s*(?:[^;{}@]|@(?!RestResource))*$"
)
ITEMS: Final = (("GET", ""), ("POST", ""), ("GET", "/{id}"), ("PUT", "/{id}"), ("PATCH", "/{id}"), ("DELETE", "/{id}"))


class FileRoutes:
    """An endpoint for each method that the file exports or asks for; ANY where its one handler asks for none."""

    name = "file routes"

    def reads(self, path: str) -> bool:
        return any(pattern.search(path) for _, pattern in ROWS) and "node_modules/" not in path

    def find(self, source: Source) -> Findings | None:
        framework, found = next((name, hit) for name, pattern in ROWS if (hit := pattern.search(source.path)))
        parts = [part for part in found["path"].split("/") if part and not re.fullmatch(r"\(.*\)|@.*", part)]
        path = "/".join(re.sub(r"^\[+(?:\.\.\.)?(\w+)\]+$", r"{\1}", part) for part in parts)
        verb = (found.groupdict().get("verb") or "").upper()
        text = source.text
        default = DEFAULT.search(text)
        seen = {one[1]: line_at(text, one.start()) for one in reversed(list(EXPORTED.finditer(text)))}
        if not seen and default:
            asked = {one[1] or one[2]: line_at(text, one.start()) for one in reversed(list(HANDLED.finditer(text)))}
            seen = {verb: line_at(text, default.start())} if verb else asked or {ANY: line_at(text, default.start())}
        return found_routes(serves(framework, one, path, line) for one, line in sorted(seen.items()) if route(path))


class RailsRoutes(FileRule):
    """An endpoint for each line of routes.rb, and for each action of a resource."""

    name = "rails"
    files = re.compile(r"(^|/)config/routes(\.rb|/[\w/]+\.rb)$")

    def find(self, source: Source) -> Findings | None:
        return found_routes(self._read(source.text.split("\n")))

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


class SymfonyRouteFiles:
    """An endpoint for each route that names its path and the controller behind it."""

    name = "symfony route files"

    def reads(self, path: str) -> bool:
        return ROUTES.search(path) is not None and TESTS.search(path) is None

    def find(self, source: Source) -> Findings | None:
        return found_routes(self._routes(source))

    def _routes(self, source: Source) -> Iterator[tuple[Definition, Clue]]:
        for root in documents(source.text):
            for _, node in pairs(root):
                path = at(node, "path")
                written = scalar(at(node, "controller")) or scalar(at(node, "defaults", "_controller"))
                controller = CONTROLLER.search(written)
                if path is None or not route(scalar(path)) or controller is None:
                    continue
                methods = at(node, "methods")
                verbs = scalar(methods).split("|") if scalar(methods) else [name for name, _ in names(methods)]
                for verb in [one.strip().upper() for one in verbs] or [ANY]:
                    if verb in METHODS or verb == ANY:
                        handler = controller[2] or controller[1]
                        yield serves("symfony", verb, scalar(path), first_line(path), handler)


class SymfonyVariables(FileRule):
    """The file's service reads the variables that hold addresses."""

    name = "symfony configuration"

    def reads(self, path: str) -> bool:
        return YAML.search(path) is not None and TESTS.search(path) is None

    def facts(self, source: Source) -> Iterator[Clue]:
        for found in VARIABLE.finditer(source.text):
            if is_address_key(found[1]):
                yield reads_variable(self.name, found[1], line_at(source.text, found.start()))


class DataRestRoutes:
    """An endpoint for each thing that a repository with a path exports."""

    name = "spring data rest"

    def reads(self, path: str) -> bool:
        return program_language(path) in {"java", "kotlin"}

    def find(self, source: Source) -> Findings | None:
        return found_routes(_served(source)) if "@RepositoryRestResource" in source.text else None


def _served(source: Source) -> Iterator[tuple[Definition, Clue]]:
    text = without_comments(source.text)
    for found in REPOSITORY.finditer(text):
        path = PATH.search(found["given"])
        if path is None or HIDDEN.search(found["given"]):
            continue
        line = line_at(text, found.start())
        for verb, rest in ITEMS:
            yield serves(DataRestRoutes.name, verb, f"/{path['path']}{rest}", line, found["name"])
        end = closing(text, found.end() - 1)
        for finder in FINDER.finditer(text, found.end(), end if end >= 0 else len(text)):
            before = text[max(found.end(), text.rfind(";", 0, finder.start())) : finder.start() + 1]
            if HIDDEN.search(before):
                continue
            named = NAMED.search(before)
            name = named["path"] if named else finder["name"]
            at, handler = line_at(text, finder.start("name")), f"{found['name']}.{finder['name']}"
            yield serves(DataRestRoutes.name, "GET", f"/{path['path']}/search/{name}", at, handler)
