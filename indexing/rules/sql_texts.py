"""SQL inside a program's string literals: which tables a class or function reads and writes."""

from __future__ import annotations

import re
from typing import Final

from indexing.facts import Clue
from indexing.languages import language_of
from indexing.rules.port import Findings, Source

__all__ = ["SqlTexts"]

STATEMENT: Final = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE|WITH|MERGE|TRUNCATE)\b", re.IGNORECASE)
TABLE: Final = re.compile(
    r"""\b(?:FROM|JOIN|INTO|UPDATE|TABLE)\s+["`]?((?:\w+\.)*\w+)["`]?(?=$|[\s;,()])""", re.IGNORECASE
)


class SqlTexts:
    """`uses table` for each name behind FROM, JOIN, INTO or UPDATE in a text that starts as a statement does."""

    name = "sql in code"

    def reads(self, path: str) -> bool:
        return language_of(path) is not None

    def find(self, source: Source) -> Findings | None:
        clues = []
        for text in source.texts:
            if not STATEMENT.match(text.text):
                continue
            for found in TABLE.finditer(text.text):
                table = found[1].rsplit(".", 1)[-1]
                line = text.line + text.text.count("\n", 0, found.start(1))
                says = f"{text.scope or source.name}: {' '.join(found[0].split())}"
                clues.append(Clue(self.name, "table", table.casefold(), "needs", "USES_TABLE", line, text.scope, says))
        return Findings(clues=clues) if clues else None
