"""Addresses in a program's text literals: URLs of services, the variables that hold them, and names where a host goes.

A literal alone proves nothing: it takes a service of that name, or a manifest that gives the variable (resolution).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from indexing.rules.addresses import addresses_in, is_address_key
from indexing.rules.port import Findings, Source
from indexing.rules.programs import program_language
from indexing.rules.services import calls, reads_variable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from indexing.facts import Clue

__all__ = ["CodeAddresses"]

WORTH_READING: Final = re.compile(
    r"://|addr|host|ur[il]|endpoint|server|broker|instance|feign|service|:\d{2,5}[\"'`/]", re.IGNORECASE
)
COMMENT: Final = re.compile(r"^\s*(?://|#(?!\[)|\*|/\*|--)")
LITERAL: Final = re.compile(r"""(["'`])((?:(?!\1)[^\\\n]|\\.)*)\1""")
UPPER: Final = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
ENVIRONMENT: Final = re.compile(r"\b(?:process\.env|import\.meta\.env|Deno\.env|ENV)\.([A-Z][A-Z0-9_]+)\b")
NAME: Final = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
HOST_GOES_HERE: Final = re.compile(
    r"(?:\b(?:get_?instances?|choose|feign_?client|(?:set_?|with_?)?(?:remote_?)?host(?:_?name)?|service_?host|dial)"
    r"|(?:Host|HostName|Hostname|_host|_hostname))"
    r"(?:\(\s*(?:(?:name|value|host|hostname|serviceId)\s*[=:]\s*)?|[\"']?\s*(?:=|:=|:|=>)\s*)$"
    r"|(?:_HOST|_ADDR|_HOSTNAME)[\"']?\]?\)?\s*(?:,|\|\||\?\?|\?:|or)\s*$",
    re.IGNORECASE,
)
INSIDE: Final = re.compile(r"\$\{([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?::([^}]*))?\}")


class CodeAddresses:
    """What the file's service calls, by the addresses it has and the variables it reads; tests are left out."""

    name = "address in code"

    def reads(self, path: str) -> bool:
        return program_language(path) != ""

    def find(self, source: Source) -> Findings | None:
        lines = enumerate(source.text.split("\n"), start=1)
        found = [
            clue
            for number, line in lines
            if WORTH_READING.search(line) and not COMMENT.match(line)
            for clue in self._said(line, number)
        ]
        return Findings(clues=dict.fromkeys(found)) if found else None

    def _said(self, line: str, number: int) -> Iterator[Clue]:
        for found in ENVIRONMENT.finditer(line):
            if is_address_key(found[1]):
                yield reads_variable(self.name, found[1], number)
        for found in LITERAL.finditer(line):
            text = found[2]
            if UPPER.fullmatch(text):
                if is_address_key(text):
                    yield reads_variable(self.name, text, number)
                continue
            for inside in INSIDE.finditer(text):
                if is_address_key(inside[1]):
                    yield reads_variable(self.name, inside[1], number)
            key = "host" if NAME.fullmatch(text) and HOST_GOES_HERE.search(line[: found.start()]) else ""
            for address in addresses_in(key, text) if " " not in text else ():
                if address.host:
                    yield calls(self.name, address, number, says=f"{address.host} in code")
