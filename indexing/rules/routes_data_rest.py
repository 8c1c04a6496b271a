"""Routes of Spring Data REST: a repository is a collection, its items, and a search for each of its finders.

https://docs.spring.io/spring-data/rest/reference/repository-resources.html: `@RepositoryRestResource(path = "orders")` serves
`/orders`, `/orders/{id}` and `/orders/search/findByState`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from indexing.rules.endpoints import found_routes, serves
from indexing.rules.expressions import closing, line_at, without_comments
from indexing.rules.port import Findings
from indexing.rules.programs import program_language

if TYPE_CHECKING:
    from collections.abc import Iterator

    from indexing.facts import Clue, Definition
    from indexing.rules.port import Source

__all__ = ["DataRestRoutes"]

REPOSITORY: Final = re.compile(
    r"@RepositoryRestResource\s*\((?P<said>[^()]*)\)(?:(?!@RepositoryRestResource)[^{}]){0,400}?\binterface\s+(?P<name>\w+)[^{};]*\{"
)
PATH: Final = re.compile(r"\bpath\s*=\s*\"/?(?P<path>[\w\-/]+)\"")
HIDDEN: Final = re.compile(r"\bexported\s*=\s*false")
FINDER: Final = re.compile(r"[\w>\]]\s+(?P<name>(?!\w+ById\b)(?:find|read|get|query|search|count|exists)\w*By\w*)\s*\(")
NAMED: Final = re.compile(
    r"@RestResource\s*\([^()]*?\bpath\s*=\s*\"(?P<path>[\w\-]+)\"[^()]*\)\s*(?:[^;{}@]|@(?!RestResource))*$"
)
ITEMS: Final = (("GET", ""), ("POST", ""), ("GET", "/{id}"), ("PUT", "/{id}"), ("PATCH", "/{id}"), ("DELETE", "/{id}"))


class DataRestRoutes:
    """An endpoint for each thing that a repository with a path exports."""

    name = "spring data rest"

    def reads(self, path: str) -> bool:
        return program_language(path) in {"java", "kotlin"}

    def find(self, source: Source) -> Findings | None:
        return found_routes(_served(source)) if "@RepositoryRestResource" in source.text else None


def _served(source: Source) -> Iterator[tuple[str, Definition, Clue]]:
    text = without_comments(source.text)
    for found in REPOSITORY.finditer(text):
        path = PATH.search(found["said"])
        if path is None or HIDDEN.search(found["said"]):
            continue
        line = line_at(text, found.start())
        for verb, rest in ITEMS:
            yield DataRestRoutes.name, *serves(DataRestRoutes.name, verb, f"/{path['path']}{rest}", line, found["name"])
        end = closing(text, found.end() - 1)
        for finder in FINDER.finditer(text, found.end(), end if end >= 0 else len(text)):
            before = text[max(found.end(), text.rfind(";", 0, finder.start())) : finder.start() + 1]
            if HIDDEN.search(before):
                continue
            named = NAMED.search(before)
            name = named["path"] if named else finder["name"]
            at, handler = line_at(text, finder.start("name")), f"{found['name']}.{finder['name']}"
            yield (
                DataRestRoutes.name,
                *serves(DataRestRoutes.name, "GET", f"/{path['path']}/search/{name}", at, handler),
            )
