"""Descriptions of interfaces: OpenAPI and Swagger (https://spec.openapis.org/oas/latest.html), and protocol buffers
(https://protobuf.dev/reference/protobuf/proto3-spec).

An OpenAPI description says what its service serves; the route in its code is the same endpoint. `x-` extensions,
callbacks and descriptions among tests and examples are left out. What comes with gRPC or Google's APIs
(`grpc.health.v1`, `google.…`) is in every project and says nothing of one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import yaml

from extraction.facts import Clue, Definition
from extraction.kinds import kind_of
from extraction.rules.clues import ENDPOINT, METHODS, route, serves
from extraction.rules.expressions import closing, line_at, without_comments
from extraction.rules.port import Fact, FileRule, Source
from extraction.rules.yaml_nodes import at, documents, entries, first_line, items, last_line, pairs, scalar

FILE: Final = re.compile(r"\.(ya?ml|json)$", re.IGNORECASE)
SIGN: Final = re.compile(r"""^[\s{]{0,20}["']?(?:openapi|swagger)["']?\s*:\s*["']?[23]""", re.MULTILINE)
BASE: Final = re.compile(r"(?:[a-z]+://[^/]*)?(/[^{}]*)?")
HEAD: Final = 5000
PACKAGE: Final = re.compile(r"^[^\S\n]*package\s+([\w.]+)\s*;", re.MULTILINE)
TYPE: Final = re.compile(r"^[^\S\n]*(service|message|enum)\s+(\w+)\s*(?=\{)", re.MULTILINE)
RPC: Final = re.compile(r"\brpc\s+(\w+)\s*\(\s*(stream\s+)?([\w.]+)\s*\)\s*returns\s*\(\s*(stream\s+)?([\w.]+)\s*\)")
FIELD: Final = re.compile(
    r"^[^\S\n]*(?:(?:repeated|optional|required)\s+)?(?:map\s*<[^>]*>|[\w.]+)\s+(\w+)\s*=\s*\d+", re.MULTILINE
)
PROVIDED: Final = ("grpc.", "google.")
FIELDS_SHOWN: Final = 12


class OpenApi(FileRule):
    """`METHOD /base/path`, with its operationId, summary and the names of the schemas it speaks of."""

    name = "openapi"

    def reads(self, path: str) -> bool:
        return FILE.search(path) is not None and kind_of(path, "json") == "config" and "node_modules/" not in path

    def facts(self, source: Source) -> Iterator[Fact]:
        seen = set()
        for root in documents(source.text) if SIGN.search(source.text[:HEAD]) else ():
            base = _base(root)
            for path, _, operations in entries(at(root, "paths")):
                for method, key, operation in entries(operations):
                    if method.upper() not in METHODS or not route(f"{base}/{path}"):
                        continue
                    line = first_line(key)
                    end = max(line, last_line(operation, source.text))
                    definition, clue = serves(self.name, method, f"{base}/{path}", line, end=end)
                    if definition.name not in seen:
                        seen.add(definition.name)
                        yield replace(definition, summary=_summary(operation))
                        yield clue


def _base(root: yaml.Node) -> str:
    """`basePath` of Swagger 2, or the path of the only server of OpenAPI 3."""
    servers = [scalar(at(one, "url")) for one in items(at(root, "servers"))]
    written = scalar(at(root, "basePath")) or (servers[0] if len(servers) == 1 else "")
    found = BASE.fullmatch(written.rstrip("/"))
    return (found[1] or "") if found else ""


def _summary(operation: yaml.Node) -> str:
    texts = (scalar(at(operation, name)) for name in ("operationId", "summary"))
    schemas = ", ".join(dict.fromkeys(_schemas(operation)))
    return "; ".join(part for part in (*texts, f"schemas {schemas}" if schemas else "") if part)


def _schemas(node: yaml.Node, deepest: int = 10) -> Iterator[str]:
    for name, value in pairs(node):
        if name == "$ref" and scalar(value):
            yield scalar(value).rsplit("/", 1)[-1]
        elif deepest:
            yield from _schemas(value, deepest - 1)
            for item in items(value):
                yield from _schemas(item, deepest - 1)


class Proto(FileRule):
    """A service (`interface`), its rpcs (`endpoint`, `Service.Rpc`) and the messages (`struct`)."""

    name = "protobuf"
    files = re.compile(r"\.proto$")

    def facts(self, source: Source) -> Iterator[Fact]:
        text = without_comments(source.text)
        package = found[1] if (found := PACKAGE.search(text)) else ""
        for found in TYPE.finditer(text) if not f"{package}.".startswith(PROVIDED) else ():
            end = closing(text, found.end())
            if end < 0:
                continue
            name, line, last = found[2], line_at(text, found.start(1)), line_at(text, end)
            body = text[found.end() : end]
            if found[1] != "service":
                fields = ", ".join(FIELD.findall(body)[:FIELDS_SHOWN])
                kind = "struct" if found[1] == "message" else "enum"
                yield Definition(name, kind, line, last, summary=fields)
                continue
            full = f"{package}.{name}".lstrip(".")
            rpcs = list(_rpcs(name, body, line_at(text, found.end())))
            summary = f"gRPC service {full}: {', '.join(rpc.name.partition('.')[2] for rpc in rpcs)}"
            yield Definition(name, "interface", line, last, summary=summary)
            yield from rpcs
            yield Clue(self.name, "grpc", name, "provides", "EXPOSES", line, name, f"proto defines {full}", package)


def _rpcs(service: str, body: str, first: int) -> Iterator[Definition]:
    for found in RPC.finditer(body):
        line = first + body.count("\n", 0, found.start())
        summary = f"rpc {found[1]}({found[2] or ''}{found[3]}) returns ({found[4] or ''}{found[5]})"
        yield Definition(f"{service}.{found[1]}", ENDPOINT, line, line, service, summary)
