"""Which types of question a wording matches; the patterns are data in `patterns.yaml` (001 §3.3)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from configs.documents import read_yaml
from memory.query import QueryType

__all__ = ["Match", "match_types"]


@dataclass(frozen=True, slots=True)
class Match:
    """A type that the wording matches, and why in plain words."""

    query_type: QueryType
    because: str


@dataclass(frozen=True, slots=True)
class _Rule:
    query_type: QueryType
    patterns: tuple[tuple[re.Pattern[str], str], ...]
    unless: tuple[QueryType, ...]


@cache
def _rules() -> tuple[_Rule, ...]:
    text = Path(__file__).with_name("patterns.yaml").read_text(encoding="utf-8")
    return tuple(
        _Rule(
            QueryType(name),
            tuple((re.compile(entry["pattern"], re.DOTALL), entry["because"]) for entry in row["patterns"]),
            tuple(QueryType(other) for other in row.get("unless", ())),
        )
        for name, row in read_yaml(text).items()
    )


def match_types(prose: str) -> tuple[Match, ...]:
    """Every type that matches, each once with its first reason, in the file's order."""
    lowered = " ".join(prose.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split())
    found: dict[QueryType, str] = {}
    for rule in _rules():
        because = next((because for pattern, because in rule.patterns if pattern.search(lowered)), None)
        if because is not None:
            found[rule.query_type] = because
    ruled_out = {rule.query_type for rule in _rules() if any(other in found for other in rule.unless)}
    return tuple(Match(kind, because) for kind, because in found.items() if kind not in ruled_out)
