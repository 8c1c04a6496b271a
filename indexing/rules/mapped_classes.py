"""Classes that are stored in tables: JPA, Spring Data JDBC, EF Core, GORM, ActiveRecord, Eloquent, TypeORM, Sequelize, SeaORM, Diesel, Django.

A row is a framework. A name that the text states also stands for the table itself; a name by the framework's convention
only joins the class to a table that its project creates.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from indexing.rules.expressions import line_at
from indexing.rules.port import Findings, Source
from indexing.rules.programs import is_code
from indexing.rules.tables import (
    CONVENTION,
    MAPPED,
    columns_summary,
    defines_table,
    plain_table,
    plural,
    snake,
    uses_table,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from indexing.facts import Clue, Definition

__all__ = ["MappedClasses"]


@dataclass(frozen=True, slots=True)
class Mapping:
    """`pattern` has `cls` (else the class is the one around) and `table`; `convention` gives names where it is missing.

    own: the class is what a row becomes, not one that only tells about it.
    """

    name: str
    files: tuple[str, ...]
    used: re.Pattern[str]
    pattern: re.Pattern[str]
    convention: Callable[[str], tuple[str, ...]] = lambda _: ()
    columns: re.Pattern[str] | None = None
    own: bool = True


def _snake(name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((snake(name), name.lower())))


def _plural(name: str) -> tuple[str, ...]:
    return (plural(snake(name)),)


ANNOTATIONS: Final = r"(?:[^;{}()]|\((?:[^()]|\([^()]*\))*\))*?"
MAPPINGS: Final = (
    Mapping(
        "jpa",
        (".java", ".kt"),
        re.compile(r"\b(?:javax|jakarta)\.persistence\b"),
        re.compile(rf"@Table\s*\((?:[^()]*?\bname\s*=\s*)?\"(?P<table>[^\"]+)\"[^()]*\){ANNOTATIONS}@Entity\b{ANNOTATIONS}\bclass\s+(?P<cls>\w+)"),
    ),
    Mapping(
        "jpa",
        (".java", ".kt", ".scala", ".groovy"),
        re.compile(r"\b(?:javax|jakarta)\.persistence\b"),
        re.compile(rf"@Entity\b(?={ANNOTATIONS}@Table\s*\((?:[^()]*?\bname\s*=\s*)?\"(?P<table>[^\"]+)\")?{ANNOTATIONS}\bclass\s+(?P<cls>\w+)"),
        _snake,
        re.compile(r"@(?:Join)?Column\((?:[^()]*?\b)?name\s*=\s*\"(?P<column>\w+)\""),
    ),
    Mapping(
        "spring data",
        (".java", ".kt"),
        re.compile(r"springframework\.data\.relational"),
        re.compile(rf"@Table\((?:\s*(?:value|name)\s*=\s*)?\"(?P<table>[^\"]+)\"[^()]*\){ANNOTATIONS}\b(?:class|record)\s+(?P<cls>\w+)"),
    ),
    Mapping(
        "ef core",
        (".cs",),
        re.compile(r"DataAnnotations|EntityFrameworkCore|\[Table\("),
        re.compile(r"\[Table\(\s*\"(?P<table>[^\"]+)\"[^\]]*\]\s*(?:\[[^\]]*\]\s*)*(?:(?:public|internal|sealed|partial|abstract)\s+)*class\s+(?P<cls>\w+)"),
    ),
    Mapping(
        "ef core",
        (".cs",),
        re.compile(r"EntityTypeBuilder|ModelBuilder"),
        re.compile(r"\.ToTable\(\s*(?:name\s*:\s*)?\"(?P<table>[^\"]+)\""),
        own=False,
    ),
    Mapping(
        "ef core",
        (".cs",),
        re.compile(r"\bDbContext\b|\bIdentityDbContext\b"),
        re.compile(r"\bDbSet<\w+>\s+(?P<convention>\w+)\s*(?:\{|=>)"),
        lambda name: (name,),
        own=False,
    ),
    Mapping(
        "gorm",
        (".go",),
        re.compile(r""),
        re.compile(r"^func\s*\(\s*(?:\w+\s+)?\*?(?P<cls>[A-Z]\w*)\s*\)\s*TableName\(\)\s*string\s*\{\s*return\s*\"(?P<table>[^\"]+)\"", re.MULTILINE),
    ),
    Mapping(
        "gorm",
        (".go",),
        re.compile(r"gorm\.io/gorm|jinzhu/gorm"),
        re.compile(r"^type\s+(?P<cls>[A-Z]\w*)\s+struct\s*\{(?=[^}]*(?:gorm\.Model|gorm:\"))", re.MULTILINE),
        _plural,
    ),
    Mapping(
        "active record",
        (".rb",),
        re.compile(r"ApplicationRecord|ActiveRecord::Base"),
        re.compile(r"^[^\S\n]*class\s+(?:\w+::)*(?P<cls>[A-Z]\w*)\s*<\s*(?:::)?(?:ApplicationRecord|ActiveRecord::Base)\b(?=(?:(?!^[^\S\n]*class\b)[\s\S])*?\bself\.table_name\s*=\s*[\"'](?P<table>[\w.]+)[\"'])?", re.MULTILINE),
        _plural,
    ),
    Mapping(
        "eloquent",
        (".php",),
        re.compile(r"Illuminate\\Database\\Eloquent|Illuminate\\Foundation\\Auth"),
        re.compile(r"\bclass\s+(?P<cls>[A-Z]\w*)\s+extends\s+(?:\w*Model|Pivot|Authenticatable)\b(?=[\s\S]*?\$table\s*=\s*[\"'](?P<table>[\w.]+)[\"'])?"),
        _plural,
    ),
    Mapping(
        "typeorm",
        (".ts", ".js"),
        re.compile(r"[\"'](?:typeorm|@mikro-orm/\w+)[\"']"),
        re.compile(r"@Entity\(\s*(?:[\"'`](?P<table>[\w.]+)[\"'`]|\{[^}]*?\b(?:name|tableName)\s*:\s*[\"'`](?P<named>[\w.]+)[\"'`])?[^)]*\)\s*(?:@\w+\([^)]*\)\s*)*(?:export\s+)?(?:default\s+)?(?:abstract\s+)?class\s+(?P<cls>\w+)"),
        _snake,
    ),
    Mapping(
        "sequelize",
        (".ts", ".js"),
        re.compile(r"[\"'](?:sequelize|sequelize-typescript)[\"']|\bsequelize\b"),
        re.compile(r"\btableName\s*:\s*[\"'`](?P<table>[\w.]+)[\"'`]"),
    ),
    Mapping(  # https://www.sea-ql.org/SeaORM/docs/generate-entity/entity-structure
        "sea-orm",
        (".rs",),
        re.compile(r"\bsea_orm\b"),
        re.compile(r"#\[sea_orm\([^\]]*?\btable_name\s*=\s*\"(?P<table>\w+)\"[^\]]*\)\]\s*(?:#\[[^\]]*\]\s*)*(?:pub(?:\([^)]*\))?\s+)?struct\s+(?P<cls>\w+)"),
    ),
    Mapping(  # https://docs.diesel.rs/2.2.x/diesel/deserialize/derive.Queryable.html
        "diesel",
        (".rs",),
        re.compile(r"\bdiesel\b"),
        re.compile(r"#\[diesel\([^\]]*?\btable_name\s*=\s*(?:\w+::)*(?P<table>\w+)[^\]]*\)\]\s*(?:#\[[^\]]*\]\s*)*(?:pub(?:\([^)]*\))?\s+)?struct\s+(?P<cls>\w+)"),
    ),
    Mapping(
        "django",
        (".py",),
        re.compile(r"^[^\S\n]*from\s+django\.db\s+import\b.*\bmodels\b|^[^\S\n]*from\s+django\.contrib\.gis\.db\s+import\s+models", re.MULTILINE),
        re.compile(r"^class\s+(?P<cls>\w+)\([^)]*\b(?:models\.Model|AbstractUser|TimeStampedModel)\b", re.MULTILINE),
        lambda name: (name.lower(),),
    ),
)  # fmt: skip
SKIPPED: Final = re.compile(r"\.Designer\.cs$|Snapshot\.cs$")


class MappedClasses:
    """STORES_IN and USES_TABLE needs of the class, and its table where the text names it."""

    name = "object-relational mapping"

    def reads(self, path: str) -> bool:
        return is_code(path) and SKIPPED.search(path) is None

    def find(self, source: Source) -> Findings | None:
        definitions: list[Definition] = []
        clues: list[Clue] = []
        seen = ""
        for mapping in MAPPINGS:
            if source.path.endswith(mapping.files) and mapping.used.search(source.text):
                for found in mapping.pattern.finditer(source.text):
                    seen = seen or mapping.name
                    clues += list(_mapped(mapping, source, found, definitions, clues))
        return Findings(definitions, dict.fromkeys(clues), seen) if clues else None


def _mapped(
    mapping: Mapping, source: Source, found: re.Match[str], definitions: list[Definition], earlier: list[Clue]
) -> Iterator[Clue]:
    groups = found.groupdict()
    stated = groups.get("table") or groups.get("named") or ""
    at = next((found.start(name) for name in ("table", "named") if groups.get(name)), found.end() - 1)
    line = line_at(source.text, at)
    entity = _named(source, groups.get("cls") or "") or source.around(line)
    if not entity:
        return
    if not stated:
        if mapping.own and any(clue.entity == entity for clue in earlier):
            return  # another form of the mapping has named it
        above = source.path.split("/")[-2:-1] if mapping.name == "django" else []
        for name in mapping.convention(groups.get("convention") or groups.get("cls") or ""):
            yield from uses_table(mapping.name, "_".join([*above, name]), line, entity, CONVENTION, stored=mapping.own)
        return
    table = plain_table(stated)
    columns = mapping.columns.finditer(source.text) if mapping.columns else ()
    if table not in {d.name for d in (*definitions, *source.definitions)}:
        summary = columns_summary((one["column"], "") for one in columns)
        definition, clue = defines_table(mapping.name, table, line, line, summary, MAPPED)
        definitions.append(definition)
        yield clue
    yield from uses_table(mapping.name, table, line, entity, stored=mapping.own)


def _named(source: Source, cls: str) -> str:
    """The qualified name of a class of this file."""
    return next((d.name for d in source.definitions if cls and d.name.rpartition(".")[2] == cls), "")
