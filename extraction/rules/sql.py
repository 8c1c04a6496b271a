"""SQL: CREATE TABLE with its columns and ALTER TABLE … ADD of any dialect, and the tables that a program's queries use.

sqlglot's tokenizer splits the text, so that a statement that can't be parsed costs only itself and types keep the
spelling of the file; what it can't even split (an open quotation) is read by a tolerant pattern, and the report says
so. In a program's string literals, and in files of named queries, tables are read, written and created.
Named queries: `-- name: ListOrders :many` (https://docs.sqlc.dev/en/stable/reference/query-annotations.html; aiosql,
HugSQL and Yesql have the same line). What generates code from them is skipped as generated, so that they alone say it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from extraction.facts import Clue
from extraction.kinds import kind_of
from extraction.languages import Text, language_of
from extraction.rules.clues import MAPPED, SQL, defines_table, plain_table
from extraction.rules.expressions import line_at
from extraction.rules.port import Fact, FileRule, Findings, Source, is_code

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlglot.tokenizer_core import Token

TABLE_CONSTRAINTS: Final = frozenset({
    "PRIMARY KEY", "PRIMARY", "FOREIGN KEY", "FOREIGN", "CONSTRAINT", "UNIQUE", "CHECK", "KEY", "INDEX", "EXCLUDE",
    "LIKE", "PERIOD",
})  # fmt: skip
COLUMN_CONSTRAINTS: Final = frozenset(
    {"NOT", "NULL", "DEFAULT", "PRIMARY KEY", "PRIMARY", "REFERENCES", "UNIQUE", "CHECK", "CONSTRAINT", "GENERATED", "COLLATE",  # noqa: E501 - a table
     "COMMENT", "AUTO_INCREMENT", "AUTOINCREMENT", "IDENTITY", "ON", "AS", "ENCODE", "CHARACTER SET"}
)  # fmt: skip
CREATE: Final = re.compile(
    r"^[ \t]*CREATE\s+(?:\w+\s+){0,3}?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?([\w.\"`\[\]]+)", re.IGNORECASE | re.MULTILINE
)
BRACKETS: Final = re.compile(r"\[([A-Za-z_]\w*)\]")
FILLING: Final = frozenset({"IF", "NOT", "EXISTS", "ONLY"})
STATEMENT: Final = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE|WITH|MERGE|TRUNCATE)\b", re.IGNORECASE)
QUOTE: Final = r"[\"`\[]?"
NAME: Final = rf"{QUOTE}(?:\w+[\"`\]]?\.{QUOTE})*(?P<table>\w+)[\"`\]]?"
TABLE: Final = re.compile(
    rf"\b(?:(?<!DISTINCT )FROM|JOIN|INTO|(?<!\w\s)UPDATE|TABLE)\s+(?!SET\s|EXCLUDED\.){NAME}(?=$|[\s;,()])",
    re.IGNORECASE,
)
"""Not the row of an upsert (`ON DUPLICATE KEY UPDATE`), nor one that is locked (`FOR UPDATE`)."""
CREATED_IN_CODE: Final = re.compile(
    rf"^[ \t]*CREATE\s+(?:UNLOGGED\s+|VIRTUAL\s+)?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?{NAME}\s*\(",
    re.IGNORECASE | re.MULTILINE,
)
WITH: Final = re.compile(
    r"(?:\bWITH(?:\s+RECURSIVE)?|\))\s*,?\s*(?P<name>\w+)\s*(?:\([^()]*\)\s*)?AS\s*\(", re.IGNORECASE
)
"""What a query names for itself."""
NAMED: Final = re.compile(r"^--\s*:?name:?\s+\S+", re.MULTILINE)
COMMENT: Final = re.compile(r"--[^\n]*")


def columns_of(tokens: Sequence[Token], text: str) -> str:
    """`columns: id UUID (primary key), email TEXT (unique)`; '' when there are none to see. tokens: those behind the
    table's name; text: what they were made from.
    """
    columns, keys = [], []
    for item in _items(tokens):
        words = [token.text.upper() for token in item]
        if words[0] in TABLE_CONSTRAINTS:
            key = next((token for token, word in zip(item, words, strict=True) if word.startswith("PRIMARY")), None)
            if key is not None:
                first = key if words[0] == "CONSTRAINT" else item[0]
                keys.append(text[first.start : item[-1].end + 1])
            continue
        stop = next((n for n, word in enumerate(words[1:], 1) if word in COLUMN_CONSTRAINTS), len(words))
        kind = text[item[1].start : item[stop - 1].end + 1] if stop > 1 else ""
        primary = " (primary key)" if any(word.startswith("PRIMARY") for word in words[stop:]) else ""
        columns.append(" ".join(f"{item[0].text} {kind}".split()) + primary)
    if not columns:
        return ""
    return "; ".join([f"columns: {', '.join(columns)}", *(" ".join(one.lower().split()) for one in keys)])


def _items(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """What the commas of the first parentheses part."""
    depth = 0
    item: list[Token] = []
    for token in tokens:
        if token.text == "(":
            depth += 1
            if depth == 1:
                continue
        elif token.text == ")":
            depth -= 1
            if depth == 0:
                break
        elif token.text == "," and depth == 1:
            if item:
                yield item
            item = []
            continue
        if depth:
            item.append(token)
    if item:
        yield item


class SqlTables(FileRule):
    """A Definition of kind table with its columns for each CREATE TABLE; an ALTER TABLE needs its table."""

    name = "sql"
    files = re.compile(r"\.(?:sql|ddl|cql)$", re.IGNORECASE)

    def find(self, source: Source) -> Findings | None:
        from sqlglot import tokenize  # noqa: PLC0415 - heavy, and few files are SQL
        from sqlglot.errors import SqlglotError  # noqa: PLC0415

        # Other dialects' quotation marks, each replaced by one character: positions stay.
        text = BRACKETS.sub(r'"\1"', source.text.replace("`", '"'))
        try:
            tokens = tokenize(text)
        except SqlglotError:
            return self._tolerant(source)
        breaks = [found.start() for found in re.finditer("\n", source.text)]
        definitions, clues = [], []
        for statement in _statements(tokens):
            words = [t.text.upper() for t in statement[:8]]
            at = words.index("TABLE") if "TABLE" in words else -1
            if at < 1 or words[0] not in {"CREATE", "ALTER"}:
                continue
            table, rest = _table_name(statement[at + 1 :])
            first = bisect_left(breaks, statement[0].start) + 1
            last = bisect_left(breaks, statement[-1].end) + 1
            if words[0] == "CREATE" and table:
                definition, clue = defines_table(self.name, table, first, last, columns_of(rest, text))
                definitions.append(definition)
                clues.append(clue)
            elif table and rest and rest[0].text.upper() == "ADD":
                column = rest[2:] if rest[1:] and rest[1].text.upper() == "COLUMN" else rest[1:]
                added = " ".join(text[column[0].start : column[-1].end + 1].split()) if column else "nothing"
                clues.append(Clue("sql", "table", table.casefold(), "needs", "USES_TABLE", first, says=f"adds {added}"))
        return Findings(definitions, clues)

    def _tolerant(self, source: Source) -> Findings:
        made = []
        for found in CREATE.finditer(source.text):
            first = line_at(source.text, found.start())
            end = source.text.find(";", found.end())
            last = line_at(source.text, end) if end >= 0 else first
            made.append(defines_table(self.name, plain_table(found[1]), first, last))
        return Findings([table for table, _ in made], [clue for _, clue in made], "sql (tolerant)")


def _statements(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    statement: list[Token] = []
    for token in tokens:
        if token.text == ";":
            if statement:
                yield statement
            statement = []
        else:
            statement.append(token)
    if statement:
        yield statement


def _table_name(tokens: Sequence[Token]) -> tuple[str, Sequence[Token]]:
    """The last part of a dotted name, and what follows it."""
    at = 0
    while at < len(tokens) and tokens[at].text.upper() in FILLING:
        at += 1
    while at + 2 < len(tokens) and tokens[at + 1].text == ".":
        at += 2
    return (plain_table(tokens[at].text), tokens[at + 1 :]) if at < len(tokens) else ("", ())


class SqlTexts(FileRule):
    """`uses table` for each name behind FROM, JOIN, INTO or UPDATE in a text that starts as a statement does. A line
    that starts with CREATE TABLE in another begins the table's, where no migration creates it; but in a test.
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
            elif is_code(source.path):
                yield from self._created(text, known)

    def _created(self, text: Text, known: set[str]) -> Iterator[Fact]:
        end = len(text.text)
        for found in reversed(list(CREATED_IN_CODE.finditer(text.text))):
            first = text.line + text.text.count("\n", 0, found.start("table"))
            last = text.line + text.text[:end].rstrip().count("\n")
            end = found.start()
            if found["table"] not in known:
                known.add(found["table"])
                yield from defines_table(self.name, found["table"], first, max(first, last), how=MAPPED)


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
