"""Values of configuration keys (YAML, TOML, JSON, INI and env-like files, read line by line), pinned versions and
ports.

A value belongs to its file and its full key path: two files that differ are two environments, not a contradiction. A
fenced block speaks for the file that the document names in the line before it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from merging.claims.passages import Claim, Passage

_YAML = re.compile(r"^(?P<indent> *)(?P<key>[\w./-]+)[ ]*:(?:[ ]++(?P<value>.*))?$")
_TOML = re.compile(r"^(?P<key>[\w.-]+|\"[^\"]+\")\s*=\s*(?P<value>\S.*)$")
_SECTION = re.compile(r"^\[(?P<name>[^\[\]]+)\]$")
_VALUE = re.compile(r"^(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<bare>[^\s#\[{&*|>!\"'][^#]*?))(?:\s+#.*)?$")
_NOT_FIXED = re.compile(r"\$\{|\{\{|\$\(|<[\w ]+>")


_PIN = re.compile(r"^(?P<name>[A-Za-z0-9][\w.-]*)\s*+(?:\[[^\]]*\]\s*+)?==\s*(?P<version>\d[\w.!+-]*)$")
_QUOTED = re.compile(r"\"([^\"\n]*)\"|'([^'\n]*)'")
_FILES = frozenset({"docker-compose.yml", "docker-compose.yaml", "compose.yml", "compose.yaml"})
"""The files themselves; `docker-compose.prod.yml` and the like are other environments."""
_KEY = re.compile(r"^(?P<indent> *)(?P<key>[\w.-]+)[ ]*:[ ]*(?P<rest>[^#]*)")
_PORT = re.compile(r"(?:\d+\.\d+\.\d+\.\d+:)?(?P<port>(?:\d+:)?\d+(?:/udp)?)(?:/tcp)?")


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


class PinRule:
    """A package has a `version`, within one folder; pins for some environments alone are left out."""

    notations = frozenset({"toml", "txt"})

    def claims(self, passage: Passage) -> Iterator[Claim]:
        folder, _, file = passage.path.rpartition("/")
        if file == "pyproject.toml":
            candidates = [one or other for one, other in _QUOTED.findall(passage.text)]
        elif "requirements" in passage.path:
            candidates = [line.partition("#")[0] for line in passage.text.splitlines()]
        else:
            return
        for candidate in candidates:
            pin = _PIN.match(candidate.strip())
            if pin:
                name = re.sub(r"[-_.]+", "-", pin["name"]).lower()
                yield Claim(passage.project, name, "version", pin["version"], folder, passage.where)


class PortRule:
    """A service has `ports`, as HOST:CONTAINER, within one folder: compose files of two folders are two stacks. None
    are claimed where one is a range, filled in or written at length.
    """

    notations = frozenset({"yaml"})

    def claims(self, passage: Passage) -> Iterator[Claim]:
        folder, _, file = passage.path.rpartition("/")
        if file not in _FILES:
            return
        for service, entries in _port_blocks(passage.text):
            ports = [found["port"] for entry in entries if (found := _PORT.fullmatch(entry.strip(" \"'")))]
            if ports and len(ports) == len(entries):
                yield Claim(passage.project, service, "ports", ", ".join(sorted(ports)), folder, passage.where)


def _port_blocks(text: str) -> Iterator[tuple[str, list[str]]]:
    """The entries of every `ports:` block, with the key it is under."""
    parents: list[tuple[int, str]] = []
    lines = text.splitlines()
    for number, line in enumerate(lines):
        found = _KEY.match(line)
        if found is None:
            continue
        indent = len(found["indent"])
        while parents and parents[-1][0] >= indent:
            parents.pop()
        if found["key"] == "ports" and parents:
            beside = found["rest"].strip(" []")
            yield parents[-1][1], beside.split(",") if beside else list(_items_below(lines[number + 1 :], indent))
        parents.append((indent, found["key"]))


def _items_below(lines: list[str], indent: int) -> Iterator[str]:
    for line in lines:
        bare = line.partition("#")[0].strip()
        if not bare:
            continue
        if not bare.startswith("-") or len(line) - len(line.lstrip(" ")) < indent:
            return
        yield bare[1:]
