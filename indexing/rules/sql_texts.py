"""SQL inside a program's string literals, and in files of named queries: which tables are read, written and created.

Named queries: `-- name: ListOrders :many` (https://docs.sqlc.dev/en/stable/reference/query-annotations.html; aiosql,
HugSQL and Yesql have the same line). What generates code from them is skipped as generated, so that they alone say it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from indexing.chunks.kinds import kind_of
from indexing.facts import Clue
from indexing.languages import language_of
from indexing.rules.expressions import line_at
from indexing.rules.port import Fact, FileRule, Source
from indexing.rules.programs import is_code
from indexing.rules.tables import MAPPED, SQL, defines_table

__all__ = ["SqlQueries", "SqlTexts"]

STATEMENT: Final = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE|WITH|MERGE|TRUNCATE)\b", re.IGNORECASE)
QUOTE: Final = r"[\"`\[]?"
NAME: Final = rf"{QUOTE}(?:\w+[\"`\]]?\.{QUOTE})*(?P<table>\w+)[\"`\]]?"
TABLE: Final = re.compile(rf"\b(?:FROM|JOIN|INTO|UPDATE|TABLE)\s+{NAME}(?=$|[\s;,()])", re.IGNORECASE)
CREATED: Final = re.compile(
    rf"\s*CREATE\s+(?:UNLOGGED\s+|VIRTUAL\s+)?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?{NAME}\s*\(", re.IGNORECASE
)
WITH: Final = re.compile(
    r"(?:\bWITH(?:\s+RECURSIVE)?|\))\s*,?\s*(?P<name>\w+)\s*(?:\([^()]*\)\s*)?AS\s*\(", re.IGNORECASE
)
"""What a query names for itself."""
NAMED: Final = re.compile(r"^--\s*:?name:?\s+\S+", re.MULTILINE)
COMMENT: Final = re.compile(r"--[^\n]*")


class SqlTexts(FileRule):
    """`uses table` for each name behind FROM, JOIN, INTO or UPDATE in a text that starts as a statement does.

    A text that starts with CREATE TABLE is the table's, where no migration creates it; but in a test.
    """

    name = "sql in code"

    def reads(self, path: str) -> bool:
        return language_of(path) is not None

    def facts(self, source: Source) -> Iterator[Fact]:
        known = {d.name for d in source.definitions}
        for text in source.texts:
            if STATEMENT.match(text.text):
                own = {found["name"].casefold() for found in WITH.finditer(text.text)}
                for found in TABLE.finditer(text.text):
                    if found["table"].casefold() in own:
                        continue
                    line = text.line + text.text.count("\n", 0, found.start("table"))
                    says = f"{text.scope or source.name}: {' '.join(found[0].split())}"
                    sure = SQL if found[0].split()[0].isupper() else ""
                    yield _uses(self.name, found["table"], line, text.scope, says, sure)
            elif (created := CREATED.match(text.text)) and is_code(source.path):
                first = text.line + text.text.count("\n", 0, created.start("table"))
                last = text.line + text.text.rstrip().count("\n")
                if created["table"] not in known:
                    known.add(created["table"])
                    yield from defines_table(self.name, created["table"], first, max(first, last), how=MAPPED)


class SqlQueries(FileRule):
    """`uses table` of the file's service, for each name in a file of named queries."""

    name = "sql queries"

    def reads(self, path: str) -> bool:
        return path.lower().endswith(".sql") and kind_of(path, "sql") != "test"

    def facts(self, source: Source) -> Iterator[Clue]:
        text, seen = COMMENT.sub(lambda found: " " * len(found[0]), source.text), set()
        for found in TABLE.finditer(text) if NAMED.search(source.text) else ():
            if found["table"] not in seen:
                seen.add(found["table"])
                line = line_at(text, found.start("table"))
                yield _uses(self.name, found["table"], line, "", " ".join(found[0].split()))


def _uses(rule: str, table: str, line: int, scope: str, says: str, how: str = "") -> Clue:
    return Clue(rule, "table", table.casefold(), "needs", "USES_TABLE", line, scope, says, how)
