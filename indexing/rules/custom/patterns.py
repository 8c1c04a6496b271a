"""Rules in YAML: a pattern with named groups, and what a match of it says (docs/rules.md)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from configs.documents import DocumentError, parse_yaml
from indexing.facts import Clue, Definition
from indexing.rules.port import Findings, Source
from indexing.rules.structure import Family, family_of
from indexing.rules.structure.globs import glob_pattern
from indexing.rules.structure.reading import is_family
from memory.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["PatternRule", "rules_of"]

KEY: Final = "indexing.rules"
REQUIRED: Final = ("name", "files", "pattern", "kind", "key", "side", "relation")
OPTIONAL: Final = ("entity", "says", "value")
SIDES: Final = ("needs", "provides")
FIELD: Final = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class PatternRule:
    """One row of the file: each match gives a clue, and a definition where it names an entity."""

    name: str
    files: re.Pattern[str]
    pattern: re.Pattern[str]
    row: dict[str, str]
    entity_kind: str = ""
    entity_name: str = ""

    def reads(self, path: str) -> bool:
        return self.files.fullmatch(path) is not None

    def find(self, source: Source) -> Findings | None:
        definitions, clues = [], []
        for found in self.pattern.finditer(source.text):
            line = source.text.count("\n", 0, found.start()) + 1
            groups = {name: value or "" for name, value in found.groupdict().items()}
            key = _filled(self.row["key"], groups)
            if not key:
                continue
            entity = ""
            if self.entity_kind:
                entity = _filled(self.entity_name, groups)
                last = line + found[0].rstrip().count("\n")
                definitions.append(Definition(entity, self.entity_kind, line, last))
            elif self.row["kind"] in {"table", "topic"}:
                entity = source.around(line)
            says = _filled(self.row.get("says", ""), groups) or f"{self.row['side']} {key}"
            value = _filled(self.row.get("value", ""), groups)
            side, relation = self.row["side"], self.row["relation"]
            clues.append(Clue(self.name, self.row["kind"], key, side, relation, line, entity, says, value))  # type: ignore[arg-type]  # checked
        return Findings(definitions, clues) if clues else None


def rules_of(text: str, file: str) -> list[PatternRule | Family]:
    """The rules of a document `rules: [...]`. Raises ConfigError, which says which rule of the file and what of it."""
    try:
        document = parse_yaml(text)
    except DocumentError as error:
        raise ConfigError(KEY, file, str(error)) from None
    rows = document.get("rules") if isinstance(document, dict) else None
    if not isinstance(rows, list) or not rows:
        raise ConfigError(KEY, file, "has no list `rules`.", "See docs/rules.md for an example.")
    found: list[PatternRule | Family] = [
        _rule(row, f"{file}, rule {number}") for number, row in enumerate(rows, start=1) if not is_family(row)
    ]
    return [*found, family_of(document, file)] if any(is_family(row) for row in rows) else found


def _rule(row: Any, where: str) -> PatternRule:
    if not isinstance(row, dict):
        raise ConfigError(KEY, where, "is no mapping.")
    where = f"{where} ({row['name']})" if row.get("name") else where
    problem = next(_problems(row), "")
    if problem:
        raise ConfigError(KEY, where, problem, f"A rule has {', '.join(REQUIRED)}, and may have {', '.join(OPTIONAL)}.")
    pattern = _compiled(row["pattern"], where)
    entity = row.get("entity") or {}
    texts = {name: value for name, value in row.items() if name not in {"files", "pattern", "entity"}}
    for template in (*texts.values(), *entity.values()):
        unknown = [name for name in FIELD.findall(template) if name not in pattern.groupindex]
        if unknown:
            hint = f"The pattern's groups: {', '.join(pattern.groupindex) or 'none'}; write (?P<{unknown[0]}>…)."
            raise ConfigError(KEY, where, f"{template!r} needs the group {unknown[0]!r}.", hint)
    files = re.compile("|".join(glob_pattern(glob.strip()) for glob in row["files"].split(",")))
    return PatternRule(row["name"], files, pattern, texts, entity.get("kind", ""), entity.get("name", ""))


def _problems(row: dict[str, Any]) -> Iterator[str]:
    """What is wrong with it, the first thing first."""
    for name in REQUIRED:
        if not isinstance(row.get(name), str) or not row[name].strip():
            yield f"`{name}` is missing or no text."
    for name, value in row.items():
        if name not in REQUIRED + OPTIONAL:
            yield f"`{name}` is unknown."
        elif name != "entity" and not isinstance(value, str):
            yield f"`{name}` is no text."
    if row.get("side") not in SIDES:
        yield f"`side` is {row.get('side')!r}, not {' or '.join(SIDES)}."
    if not re.fullmatch(r"[A-Z][A-Z_]*", str(row.get("relation"))):
        yield f"`relation` is {row.get('relation')!r}; write it like DEPENDS_ON."
    entity = row.get("entity", {})
    if not isinstance(entity, dict) or set(entity) not in (set(), {"kind", "name"}):
        yield "`entity` needs `kind` and `name`, and nothing else."
    elif not all(isinstance(value, str) for value in entity.values()):
        yield "`entity` needs texts."


def _compiled(pattern: str, where: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern, re.MULTILINE)
    except (re.error, RecursionError, OverflowError) as error:  # the latter two of one that nests or repeats too much
        raise ConfigError(KEY, where, f"`pattern` is no regular expression: {error}.") from None


def _filled(template: str, groups: dict[str, str]) -> str:
    return FIELD.sub(lambda found: groups[found[1]], template)
