"""Tables that code creates: Rails, Laravel, Alembic, Django, EF Core, Sequelize, knex, Prisma, Drizzle, Diesel and
Exposed; and those that a migration drops, in SQL too.

A row is a framework: its files, the text before the table's name, what ends the table, and how a column is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from extraction.facts import Clue, Definition
from extraction.rules.clues import DROPPED, MAPPED, columns_summary, defines_table, plain_table
from extraction.rules.expressions import line_at
from extraction.rules.port import FileRule, Findings, Source
from extraction.rules.sql import NAME

LONGEST: Final = 8000
BACK: Final = re.compile(
    r"\bvoid Down\(|\bfunction down\(|\bdef (?:down|downgrade)(?:_\w+)?\b|\bdown\s*(?::|=|\()"
    r"|--\s*(?:\+goose Down|\+migrate Down|migrate:down)\b"
    r"|(?P<up>\bdef (?:up|upgrade)(?:_\w+)?\b)"
)
"""Where a migration begins to say how it is undone, or, of one database after another (`upgrade_orders`), done."""
SERIES: Final = ("migrat", "versions", "changelog", "flyway")
"""In the names of folders of migrations."""
UNDONE: Final = ("down", "undo", "revert", "rollback")
"""In the names of files that undo one."""
DROP: Final = re.compile(
    r"""(?:\bdrop_table|\.dropTable(?:IfExists)?|\bSchema::drop(?:IfExists)?|\.DropTable)[\s(]+(?:name\s*:\s*)?[:"'`](?P<code>[\w.]+)"""
    rf"|\bDROP\s+TABLE\s+(?:IF\s+EXISTS\s+)?{NAME}",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Shape:
    """`table` has a group of that name, or takes it from the file; `columns` has `column` and perhaps `type`."""

    name: str
    files: re.Pattern[str]
    table: re.Pattern[str]
    end: re.Pattern[str]
    columns: re.Pattern[str]
    how: str = ""


def _shape(name: str, files: str, table: str, end: str, columns: str, how: str = "") -> Shape:
    flags = re.MULTILINE
    return Shape(
        name, re.compile(files), re.compile(table, flags), re.compile(end, flags), re.compile(columns, flags), how
    )


RUBY: Final = (
    r"""^[^\S\n]*create_table[\s(]+[:"'](?P<table>\w+)""",
    r"^[^\S\n]*end\b",
    r"""^[^\S\n]*t\.(?P<type>(?!index|timestamps|check_constraint|foreign_key)\w+)[\s(]+[:"'](?P<column>\w+)""",
)
KNEX: Final = (
    r"""\.createTable(?:IfNotExists)?\(\s*["'`](?P<table>[\w.]+)["'`]""",
    r"^[^\S\n]*\}\s*\)",
    r"""\bt\w*\.(?P<type>\w+)\(\s*["'`](?P<column>\w+)["'`]|^[^\S\n]*(?P<name>\w+)\s*:\s*\{\s*(?:type\s*:|$)""",
)
SHAPES: Final = (
    _shape("rails schema", r"(^|/)\w*schema\.rb$", *RUBY),
    _shape("rails migration", r"(^|/)db/\w*migrate/.*\.rb$", *RUBY, how=MAPPED),
    _shape(
        "laravel",
        r"(^|/)migrations/.*\.php$",
        r"""Schema::create\(\s*["'](?P<table>[\w.]+)["']""",
        r"^[^\S\n]*\}\s*\)",
        r"""\$table->(?P<type>(?!index|unique|primary|foreign\b|dropColumn)\w+)\(\s*["'](?P<column>\w+)["']""",
    ),
    _shape(
        "doctrine",
        r"\.php$",
        r"""->createTable\(\s*["'](?P<table>[\w.]+)["']""",
        r"^[^\S\n]*\}",
        r"""->addColumn\(\s*["'](?P<column>\w+)["']\s*,\s*["']?(?P<type>\w+)""",
    ),
    _shape(
        "alembic",
        r"\.py$",
        r"""\bop\.create_table\(\s*["'](?P<table>[\w.]+)["']""",
        r"^ {0,4}\)",
        r"""\bColumn\(\s*["'](?P<column>\w+)["']\s*,\s*(?:\w+\.)*(?P<type>[A-Za-z]\w*)""",
    ),
    _shape(
        "ef core",
        r"(?<!Designer)(?<!Snapshot)\.cs$",
        r"""\.CreateTable\(\s*name\s*:\s*"(?P<table>\w+)\"""",
        r"^[^\S\n]*\}\s*\)\s*;",
        r"""^[^\S\n]*(?P<column>\w+)\s*=\s*table\.Column<[^>]*>\((?:[^)]*?\btype\s*:\s*"(?P<type>[^"]+)")?""",
    ),
    _shape("sequelize or knex", r"\.[cm]?[jt]s$", *KNEX),
    _shape(
        "drizzle",
        r"\.[cm]?ts$",
        r"""\b(?:pg|mysql|sqlite)Table\(\s*["'`](?P<table>\w+)["'`]""",
        r"^[^\S\n]*\}",
        r"""^[^\S\n]*\w+\s*:\s*(?P<type>\w+)\(\s*["'`](?P<column>\w+)["'`]""",
    ),
    _shape(
        "diesel",
        r"\.rs$",
        r"^[^\S\n]*(?:diesel::)?table!\s*\{\s*(?:use [^;]+;\s*)*(?:\w+\.)?(?P<table>\w+)\s*\(",
        r"^[^\S\n]*\}\s*\n\s*\}|^\}",
        r"^[^\S\n]*(?P<column>\w+)\s*->\s*(?P<type>[\w<>]+)",
    ),
    _shape(
        "exposed",
        r"\.kt$",
        r"""^[^\S\n]*(?:internal |private )?object\s+\w+\s*:\s*\w*Table\(\s*"(?P<table>\w+)\"""",
        r"^\}",
        r"""\bval\s+\w+[^=\n]*=\s*(?P<type>\w+)(?:<[^>]*>)?\(\s*"(?P<column>\w+)\"""",
    ),
    _shape(
        "prisma",
        r"\.prisma$",
        r"^model\s+(?P<table>\w+)\s*\{",
        r"^\}",
        r"^[ \t]+(?P<column>[a-z]\w*)[ \t]+(?P<type>(?:String|Int|BigInt|Float|Decimal|Boolean|DateTime|Json|Bytes)\b[?\[\]]*)",  # noqa: E501 - a pattern
    ),
    _shape(
        "django migration",
        r"(^|/)migrations/\w+\.py$",
        r"""\bmigrations\.CreateModel\(\s*name\s*=\s*["'](?P<table>\w+)["']""",
        r"^ {8}\)",
        r"""\(\s*["'](?P<column>\w+)["']\s*,\s*(?:\w+\.)*(?P<type>\w+)\(""",
    ),
)
PRISMA_NAME: Final = re.compile(r"""@@map\(\s*(?:name\s*:\s*)?"(\w+)\"""")
DJANGO_NAME: Final = re.compile(r"""["']db_table["']\s*:\s*["']([\w."]+)["']""")


class Migrations:
    """A Definition of kind table with its columns for each table that is created."""

    name = "migrations"

    def reads(self, path: str) -> bool:
        return any(shape.files.search(path) for shape in SHAPES)

    def find(self, source: Source) -> Findings | None:
        made = [one for shape in SHAPES if shape.files.search(source.path) for one in _created(shape, source)]
        return Findings.of((fact for pair in made for fact in pair), made[0][1].rule) if made else None


class DroppedTables(FileRule):
    """What a migration drops, and does not only to undo what it did."""

    name = "dropped tables"

    def reads(self, path: str) -> bool:
        *folders, name = path.casefold().split("/")
        return any(word in folder for folder in folders for word in SERIES) and not any(word in name for word in UNDONE)

    def facts(self, source: Source) -> Iterator[Clue]:
        for found in _done(source.text, DROP):
            name = plain_table(found["code"] or found["table"])
            line = line_at(source.text, found.start())
            yield Clue(self.name, DROPPED, name.casefold(), "provides", "", line, says=f"drops table {name}")


def _done(text: str, pattern: re.Pattern[str]) -> list[re.Match[str]]:
    """Where a migration has this, but for how it is undone."""
    matches = list(pattern.finditer(text))
    turns = [(one.start(), one["up"] is None) for one in BACK.finditer(text)] if matches else []
    return [one for one in matches if not next((back for at, back in reversed(turns) if at < one.start()), False)]


def _created(shape: Shape, source: Source) -> Iterator[tuple[Definition, Clue]]:
    is_schema = shape.name == "rails schema"
    for found in shape.table.finditer(source.text) if is_schema else _done(source.text, shape.table):
        stop = shape.end.search(source.text, found.end(), found.end() + LONGEST)
        end = stop.end() if stop else source.text.find("\n", found.end())
        body = source.text[found.end() : end if end >= 0 else len(source.text)]
        first = line_at(source.text, found.start("table"))
        columns = (_column(one) for one in shape.columns.finditer(body))
        name = _name(shape, source, found["table"], body)
        last = first + body.rstrip().count("\n")
        yield defines_table(shape.name, name, first, last, columns_summary(columns), shape.how)


def _column(found: re.Match[str]) -> tuple[str, str]:
    groups = found.groupdict()
    return groups["column"] or groups.get("name") or "", groups.get("type") or ""


def _name(shape: Shape, source: Source, written: str, body: str) -> str:
    """A model's table is called as it says, else, in Django, after the application's folder and itself."""
    if shape.name == "prisma":
        mapped = PRISMA_NAME.search(body)
        return mapped[1] if mapped else written
    if shape.name == "django migration":
        mapped = DJANGO_NAME.search(body)
        above = source.path.split("/")[-3:-2]
        return plain_table(mapped[1]) if mapped else "_".join([*above, written.lower()])
    return plain_table(written)
