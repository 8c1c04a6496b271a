"""Protocol buffers: services with their rpcs, and messages (https://protobuf.dev/reference/protobuf/proto3-spec).

What comes with gRPC or Google's APIs (`grpc.health.v1`, `google.…`) is everybody's and nobody's.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from indexing.facts import Clue, Definition
from indexing.rules.endpoints import ENDPOINT
from indexing.rules.expressions import closing, line_at, without_comments
from indexing.rules.port import Findings, Source

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Proto"]

PACKAGE: Final = re.compile(r"^[^\S\n]*package\s+([\w.]+)\s*;", re.MULTILINE)
TYPE: Final = re.compile(r"^[^\S\n]*(service|message|enum)\s+(\w+)\s*(?=\{)", re.MULTILINE)
RPC: Final = re.compile(r"\brpc\s+(\w+)\s*\(\s*(stream\s+)?([\w.]+)\s*\)\s*returns\s*\(\s*(stream\s+)?([\w.]+)\s*\)")
FIELD: Final = re.compile(
    r"^[^\S\n]*(?:(?:repeated|optional|required)\s+)?(?:map\s*<[^>]*>|[\w.]+)\s+(\w+)\s*=\s*\d+", re.MULTILINE
)
NOBODYS: Final = ("grpc.", "google.")
FIELDS_SHOWN: Final = 12


class Proto:
    """A service (`interface`), its rpcs (`endpoint`, `Service.Rpc`) and the messages (`struct`)."""

    name = "protobuf"

    def reads(self, path: str) -> bool:
        return path.endswith(".proto")

    def find(self, source: Source) -> Findings | None:
        text = without_comments(source.text)
        package = found[1] if (found := PACKAGE.search(text)) else ""
        definitions: list[Definition] = []
        clues: list[Clue] = []
        if f"{package}.".startswith(NOBODYS):
            return None
        for found in TYPE.finditer(text):
            end = closing(text, found.end())
            if end < 0:
                continue
            name, line, last = found[2], line_at(text, found.start(1)), line_at(text, end)
            body = text[found.end() : end]
            if found[1] != "service":
                fields = ", ".join(FIELD.findall(body)[:FIELDS_SHOWN])
                kind = "struct" if found[1] == "message" else "enum"
                definitions.append(Definition(name, kind, line, last, summary=fields))
                continue
            full = f"{package}.{name}".lstrip(".")
            rpcs = list(_rpcs(name, body, line_at(text, found.end())))
            summary = f"gRPC service {full}: {', '.join(rpc.name.partition('.')[2] for rpc in rpcs)}"
            definitions += [Definition(name, "interface", line, last, summary=summary), *rpcs]
            says = f"proto defines {full}"
            clues.append(Clue(self.name, "grpc", name, "provides", "EXPOSES", line, name, says, package))
        return Findings(definitions, clues) if definitions else None


def _rpcs(service: str, body: str, first: int) -> Iterator[Definition]:
    for found in RPC.finditer(body):
        line = first + body.count("\n", 0, found.start())
        summary = f"rpc {found[1]}({found[2] or ''}{found[3]}) returns ({found[4] or ''}{found[5]})"
        yield Definition(f"{service}.{found[1]}", ENDPOINT, line, line, service, summary)
