r"""Routes of Symfony in YAML, and which variables its configuration takes addresses from (its attributes: routes_annotated.py).

`name: {path: /orders/{id}, controller: App\Controller\Orders, methods: [GET]}` (https://symfony.com/doc/current/routing.html),
`%env(resolve:ORDERS_URL)%` (https://symfony.com/doc/current/configuration/env_var_processors.html).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from indexing.rules.addresses import is_address_key
from indexing.rules.endpoints import ANY, METHODS, found_routes, route, serves
from indexing.rules.expressions import line_at
from indexing.rules.port import Findings, Source
from indexing.rules.services import reads_variable
from indexing.rules.yaml_nodes import at, documents, first_line, names, pairs, scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from indexing.facts import Clue, Definition

__all__ = ["SymfonyRouteFiles", "SymfonyVariables"]

ROUTES: Final = re.compile(r"(^|/)(?:routes|routing)(?:/[\w.\-/]+|[\w.-]*)\.ya?ml$")
YAML: Final = re.compile(r"\.ya?ml$")
TESTS: Final = re.compile(r"(^|/)tests?/|[-._]tests?\.ya?ml$")
CONTROLLER: Final = re.compile(r"\\([A-Za-z]\w*)(?:::?(\w+))?$")
VARIABLE: Final = re.compile(r"%env\((?:\w+:)*([A-Z][A-Z0-9_]*)\)%")


class SymfonyRouteFiles:
    """An endpoint for each route that names its path and the controller behind it."""

    name = "symfony route files"

    def reads(self, path: str) -> bool:
        return ROUTES.search(path) is not None and TESTS.search(path) is None

    def find(self, source: Source) -> Findings | None:
        return found_routes(self._routes(source))

    def _routes(self, source: Source) -> Iterator[tuple[str, Definition, Clue]]:
        for root in documents(source.text):
            for _, node in pairs(root):
                path = at(node, "path")
                controller = CONTROLLER.search(
                    scalar(at(node, "controller")) or scalar(at(node, "defaults", "_controller"))
                )
                if path is None or not route(scalar(path)) or controller is None:
                    continue
                methods = at(node, "methods")
                said = scalar(methods).split("|") if scalar(methods) else [name for name, _ in names(methods)]
                for verb in [one.strip().upper() for one in said] or [ANY]:
                    if verb in METHODS or verb == ANY:
                        handler = controller[2] or controller[1]
                        yield "symfony", *serves("symfony", verb, scalar(path), first_line(path), handler)


class SymfonyVariables:
    """The file's service reads the variables that hold addresses."""

    name = "symfony configuration"

    def reads(self, path: str) -> bool:
        return YAML.search(path) is not None and TESTS.search(path) is None

    def find(self, source: Source) -> Findings | None:
        found = [(one[1], line_at(source.text, one.start())) for one in VARIABLE.finditer(source.text)]
        clues = [reads_variable(self.name, name, line) for name, line in found if is_address_key(name)]
        return Findings(clues=dict.fromkeys(clues)) if clues else None
