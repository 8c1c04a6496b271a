"""A package's manifest in JSON: its name, what it says about itself, and tables of the packages it needs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from indexing.rules.packages import needs_package, provides_package

if TYPE_CHECKING:
    from indexing.facts import Clue
    from indexing.rules.port import Source

__all__ = ["named", "needed", "read_manifest"]

SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")


def read_manifest(source: Source) -> dict[str, Any] | None:
    """The object in the file; None when there is none. Half a surrogate pair becomes a question mark."""
    try:
        data = json.loads(source.text)
        if SURROGATE.search(source.text):
            data = json.loads(json.dumps(data, ensure_ascii=False).encode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def named(rule: str, kind: str, source: Source, data: Mapping[str, Any]) -> Iterator[Clue]:
    """`provides package`, where the manifest has a name."""
    if isinstance(name := data.get("name"), str) and name:
        yield provides_package(rule, name, source.line_of(f'"{name}"'), str(data.get("description") or ""), kind)


def needed(
    rule: str, kind: str, source: Source, data: Mapping[str, Any], tables: Mapping[str, str]
) -> Iterator[tuple[str, Clue]]:
    """Each package in the tables with its `needs package`; `tables` maps a table's name to what it is told as."""
    for table, label in tables.items():
        packages = data.get(table)
        start = source.line_of(f'"{table}"') - 1
        for package in packages if isinstance(packages, dict) else ():
            yield package, needs_package(rule, package, source.line_of(f'"{package}"', start), label, kind)
