"""OpenAPI and Swagger descriptions: an endpoint for each path and method (https://spec.openapis.org/oas/latest.html).

They say what their service serves; the route in its code is the same endpoint. `x-` extensions, callbacks and descriptions among tests and
examples are left out.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from indexing.chunks.kinds import kind_of
from indexing.facts import Clue, Definition
from indexing.rules.endpoints import METHODS, route, serves
from indexing.rules.port import Findings, Source
from indexing.rules.yaml_nodes import at, documents, entries, first_line, items, last_line, pairs, scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    import yaml

__all__ = ["OpenApi"]

FILE: Final = re.compile(r"\.(ya?ml|json)$", re.IGNORECASE)
SIGN: Final = re.compile(r"""^[\s{]{0,20}["']?(?:openapi|swagger)["']?\s*:\s*["']?[23]""", re.MULTILINE)
BASE: Final = re.compile(r"(?:[a-z]+://[^/]*)?(/[^{}]*)?")
HEAD: Final = 5000


class OpenApi:
    """`METHOD /base/path`, with its operationId, summary and the names of the schemas it speaks of."""

    name = "openapi"

    def reads(self, path: str) -> bool:
        return FILE.search(path) is not None and kind_of(path, "json") == "config" and "node_modules/" not in path

    def find(self, source: Source) -> Findings | None:
        if not SIGN.search(source.text[:HEAD]):
            return None
        definitions: dict[str, Definition] = {}
        clues: dict[str, Clue] = {}
        for root in documents(source.text):
            base = _base(root)
            for path, _, operations in entries(at(root, "paths")):
                for method, key, operation in entries(operations):
                    if method.upper() not in METHODS or not route(f"{base}/{path}"):
                        continue
                    line = first_line(key)
                    end = max(line, last_line(operation, source.text))
                    definition, clue = serves(self.name, method, f"{base}/{path}", line, end=end)
                    definitions.setdefault(
                        definition.name,
                        Definition(definition.name, definition.kind, line, end, summary=_summary(operation)),
                    )
                    clues.setdefault(definition.name, clue)
        return Findings(definitions.values(), clues.values()) if definitions else None


def _base(root: yaml.Node) -> str:
    """`basePath` of Swagger 2, or the path of the only server of OpenAPI 3."""
    servers = [scalar(at(one, "url")) for one in items(at(root, "servers"))]
    written = scalar(at(root, "basePath")) or (servers[0] if len(servers) == 1 else "")
    found = BASE.fullmatch(written.rstrip("/"))
    return (found[1] or "") if found else ""


def _summary(operation: yaml.Node) -> str:
    said = (scalar(at(operation, name)) for name in ("operationId", "summary"))
    schemas = ", ".join(dict.fromkeys(_schemas(operation)))
    return "; ".join(part for part in (*said, f"schemas {schemas}" if schemas else "") if part)


def _schemas(node: yaml.Node, deepest: int = 10) -> Iterator[str]:
    for name, value in pairs(node):
        if name == "$ref" and scalar(value):
            yield scalar(value).rsplit("/", 1)[-1]
        elif deepest:
            yield from _schemas(value, deepest - 1)
            for item in items(value):
                yield from _schemas(item, deepest - 1)
