"""Values of configuration keys: YAML, TOML, JSON, INI and env-like files, read line by line.

A value belongs to its file and its full key path: two files that differ are two environments, not a contradiction. A
fenced block speaks for the file that the document names in the line before it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from merging.claims.passages import Claim, Passage

__all__ = ["SettingRule"]

_YAML = re.compile(r"^(?P<indent> *)(?P<key>[\w./-]+)[ ]*:(?:[ ]+(?P<value>.*))?$")
_TOML = re.compile(r"^(?P<key>[\w.-]+|\"[^\"]+\")\s*=\s*(?P<value>\S.*)$")
_SECTION = re.compile(r"^\[(?P<name>[^\[\]]+)\]$")
_VALUE = re.compile(r"^(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<bare>[^\s#\[{&*|>!\"'][^#]*?))(?:\s+#.*)?$")
_NOT_FIXED = re.compile(r"\$\{|\{\{|\$\(|<[\w ]+>")


def _fixed(raw: str) -> str | None:
    """The value without quotes and comment; None when it is none, or filled in elsewhere."""
    found = _VALUE.match(raw.strip())
    if found is None or _NOT_FIXED.search(raw):
        return None
    return next(text for text in found.groups() if text is not None)


def _yaml(passage: Passage) -> Iterator[tuple[str, str]]:
    """Keys below known parents only: a chunk that begins amid a block does not know where it is."""
    lines = passage.text.splitlines()
    if any(line.startswith("---") for line in lines[1:]):
        return  # several documents
    parents: list[tuple[int, str]] = []
    skip_deeper = -1
    for line in lines:
        bare = line.strip()
        indent = len(line) - len(line.lstrip(" "))
        if not bare or bare.startswith("#") or (skip_deeper >= 0 and indent > skip_deeper):
            continue
        skip_deeper = -1
        if bare.startswith("-"):
            skip_deeper = indent  # a list's items have no key path
            continue
        found = _YAML.match(line)
        while parents and parents[-1][0] >= indent:
            parents.pop()
        if found is None or (indent and not parents):
            continue
        path = ".".join([*(key for _, key in parents), found["key"]])
        value = (found["value"] or "").strip()
        if not value or value.startswith("#"):
            parents.append((indent, found["key"]))
        elif value[0] in "|>":
            skip_deeper = indent
        else:
            yield path, value


def _sections(passage: Passage) -> Iterator[tuple[str, str]]:
    section: str | None = "" if passage.first_line == 1 else None
    for line in passage.text.splitlines():
        bare = line.strip()
        if bare.startswith("["):
            header = _SECTION.match(bare)
            section = f"{header['name'].strip()}." if header else None
        elif (found := _TOML.match(bare)) and section is not None and line[:1] == bare[:1]:
            key = found["key"].strip('"')
            yield f"{section}{key}", found["value"]


def _env(passage: Passage) -> Iterator[tuple[str, str]]:
    for line in passage.text.splitlines():
        found = _TOML.match(line.strip().removeprefix("export "))
        if found:
            yield found["key"], found["value"]


def _json(passage: Passage) -> Iterator[tuple[str, str]]:
    try:
        document = json.loads(passage.text)
    except (ValueError, RecursionError):
        return  # a piece of a document has no key paths
    yield from _leaves(document, "")


def _leaves(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _leaves(item, f"{path}.{key}" if path else str(key))
    elif isinstance(value, str | int | float):
        yield path, json.dumps(value)


_READERS = {"yaml": _yaml, "toml": _sections, "ini": _sections, "env": _env, "json": _json}


class SettingRule:
    """`FILE` says `KEY.PATH` is a value."""

    notations = frozenset(_READERS)

    def claims(self, passage: Passage) -> Iterator[Claim]:
        if not passage.path:
            return
        for key, raw in _READERS[passage.notation](passage):
            value = _fixed(raw)
            if value is not None:
                yield Claim(passage.project, passage.path, key, value, where=passage.where)
