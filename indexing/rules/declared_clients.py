"""HTTP clients that are declared as interfaces: annotated as a controller is, but they ask.

A framework is a row. Whom they ask is the address that the annotation or the file gives, else the interface's own name.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from indexing.rules.annotations import Annotations, mapped_in
from indexing.rules.endpoints import asks
from indexing.rules.port import Findings, Source
from indexing.rules.programs import program_language
from indexing.rules.urls import base_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from indexing.facts import Clue

__all__ = ["DeclaredClients"]

_JVM: Final = (
    Annotations(  # https://docs.spring.io/spring-cloud-openfeign/reference
        name="feign",
        sign=r"@FeignClient\b",
        mapping=r"@(?:(?P<verb>Get|Post|Put|Patch|Delete)|Request)Mapping\b",
        prefix=r"@RequestMapping\b",
        only_in=r"@FeignClient\b",
    ),
    Annotations(  # https://docs.spring.io/spring-framework/reference/integration/rest-clients.html#rest-http-interface
        name="http interface",
        sign=r"@(?:Get|Post|Put|Patch|Delete)Exchange\b",
        mapping=r"@(?P<verb>Get|Post|Put|Patch|Delete)Exchange\b",
        prefix=r"@HttpExchange\b",
    ),
    Annotations(  # https://quarkus.io/guides/rest-client
        name="microprofile rest client",
        sign=r"@RegisterRestClient\b",
        mapping=r"@(?P<verb>GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b",
        beside=r"@Path(?=\()",
        prefix=r"@Path\b",
        only_in=r"@RegisterRestClient\b",
    ),
    Annotations(  # https://docs.micronaut.io/latest/guide/#clientAnnotation
        name="micronaut client",
        sign=r"\bio\.micronaut\.http\.client\b",
        mapping=r"@(?P<verb>Get|Post|Put|Patch|Delete)\b",
        prefix=r"@Client\b",
        only_in=r"@Client\b",
    ),
)
_DOTNET: Final = (
    Annotations(  # https://github.com/reactiveui/refit, RestEase has the same
        name="refit",
        sign=r"\[(?:Get|Post|Put|Patch|Delete)\(\"",
        mapping=r"(?<=[\[,\s])(?P<verb>Get|Post|Put|Patch|Delete)(?=\(\")",
        opens="[",
        closes="]",
        prefix=r"(?<=[\[,\s])BasePath\b",
    ),
)
ROWS: Final = {"java": _JVM, "kotlin": _JVM, "csharp": _DOTNET}


class DeclaredClients:
    """`asks for VERB path` for each annotated method; tests are left out."""

    name = "declared http client"

    def reads(self, path: str) -> bool:
        return program_language(path) in ROWS

    def find(self, source: Source) -> Findings | None:
        rows = [row for row in ROWS[program_language(source.path)] if re.search(row.sign, source.text)]
        clues = [clue for row in rows for clue in _asked(row, source)]
        return Findings(clues=dict.fromkeys(clues), recognised=rows[0].name) if clues else None


def _asked(row: Annotations, source: Source) -> Iterator[Clue]:
    base = base_in(source.text).partition(" ")[0]
    for one in mapped_in(row, source):
        for verb in one.verbs:
            yield asks(row.name, verb, one.path, base or one.owner, one.line, source.around(one.line))
