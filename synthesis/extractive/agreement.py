"""Where projects agree and where they differ: columns and keys of tables, names that all of them use."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from synthesis.extractive.statements import Claim, Line
from synthesis.extractive.terms import question_terms, terms
from synthesis.extractive.wording import all_of, listed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from synthesis.answer import Citation
    from synthesis.extractive.sources import Source
    from synthesis.extractive.tables import Column, Table

__all__ = ["compared_tables", "described", "shared_names"]

_NAME: Final = re.compile(r"\b(?:[a-z]+_[a-z_]+[a-z]|[A-Z][a-z]+(?:[A-Z][A-Za-z]*[a-z])+)\b")
_MOST = 2


def described(table: Table) -> tuple[Claim, ...]:
    """A table nobody wrote a sentence about: the comment above it, its columns and its key."""
    above = [p for p in table.source.passages() if p.kind == "documentation" and p.last < table.first]
    claims = [Claim(p.text, (table.source.citation(p.text, p.quote, p.first, p.last),)) for p in above[-2:]]
    text = f"Columns {listed([f'`{column.name}`' for column in table.columns])}."
    quote = "\n".join(table.source.lines[table.first : table.last + 1]).strip()
    keyed = [Claim(f"Its primary key is {_key(table)}.", (_key_citation(table),))] if table.key else []
    return (*claims, Claim(text, (table.source.citation(text, quote, table.first, table.last),)), *keyed)


def compared_tables(tables: Sequence[Table]) -> list[Line]:
    """What tables of two or more projects have in common, and how their keys differ."""
    if len(tables) < 2:
        return []
    lines = []
    common = [c.name for c in tables[0].columns if all(t.column(c.name) for t in tables[1:])]
    if common:
        cited = tuple(_column_citation(t, column) for t in tables for column in _of(t, common))
        lines.append(Line((Claim(f"{all_of(len(tables))} have {listed([f'`{name}`' for name in common])}.", cited),)))
    keyed = [t for t in tables if t.key]
    keys = {t.source.project: _key(t) for t in keyed}
    if len(keyed) > 1:
        cited = tuple(_key_citation(t) for t in keyed)
        if len(set(keys.values())) > 1:
            each = [f"{project} {key}" for project, key in keys.items()]
            lines.append(Line((Claim(f"They differ in the primary key: {', '.join(each)}.", cited),)))
        else:
            lines.append(Line((Claim(f"{all_of(len(keyed))} have the primary key {_key(keyed[0])}.", cited),)))
    return lines


def _of(table: Table, names: Sequence[str]) -> list[Column]:
    return [column for column in table.columns if column.name in names]


def _column_citation(table: Table, column: Column) -> Citation:
    claim = f"{table.source.project}: the table {table.name} has `{column.name}`"
    return table.source.citation(claim, table.source.lines[column.line].strip(), column.line, column.line)


def _key(table: Table) -> str:
    types = [column.type for column in _of(table, table.key)]
    named = listed([f"`{name}`" for name in table.key], "+")
    return f"{named} ({types[0]})" if len(types) == 1 else named


def _key_citation(table: Table) -> Citation:
    claim = f"{table.source.project}: the primary key of {table.name} is {_key(table)}"
    return table.source.citation(claim, table.source.lines[table.key_line].strip(), table.key_line, table.key_line)


def shared_names(question: str, by_project: Mapping[str, Sequence[Source]]) -> list[Line]:
    """The identifiers that every project uses and that bear on the question: at most two, the most used first."""
    if len(by_project) < 2:
        return []
    wanted = question_terms(question)
    counts = {project: Counter(_names(sources)) for project, sources in by_project.items()}
    common = set.intersection(*(set(names) for names in counts.values()))
    bearing = [name for name in common if terms(name) & wanted and name.casefold() not in question.casefold()]
    bearing.sort(key=lambda name: (-sum(c[name] for c in counts.values()), name))
    if not bearing:
        return []
    names = bearing[:_MOST]
    cited = tuple(_first_use(sources, name) for sources in by_project.values() for name in names)
    return [Line((Claim(f"{all_of(len(by_project))} use {listed([f'`{name}`' for name in names])}.", cited),))]


def _names(sources: Sequence[Source]) -> list[str]:
    return [name for source in sources for line in source.lines for name in _NAME.findall(line)]


def _first_use(sources: Sequence[Source], name: str) -> Citation:
    source, number = next((s, n) for s in sources for n, line in enumerate(s.lines) if name in _NAME.findall(line))
    return source.citation(f"{source.project} uses `{name}`", source.lines[number].strip(), number, number)
