"""docker-compose: services, what they wait for, and the addresses they are given."""

from __future__ import annotations

import re
from itertools import accumulate
from typing import TYPE_CHECKING, Final

import yaml

from indexing.facts import Clue, Definition
from indexing.rules.addresses import host_of
from indexing.rules.port import Findings, Source

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Compose"]

DEEPEST: Final = 32  # no service is nested deeper; the parser's time grows with the square of it
FILE: Final = re.compile(r"(^|/)(docker-)?compose[\w.-]*\.ya?ml$", re.IGNORECASE)


class Compose:
    """A Definition of kind service each; `depends_on` and `X_URL: name:port` need the service they name -> CALLS."""

    name = "docker-compose"

    def reads(self, path: str) -> bool:
        return FILE.search(path) is not None

    def find(self, source: Source) -> Findings | None:
        if _depth(source.text) > DEEPEST:
            return None
        try:
            root = yaml.compose(source.text, Loader=yaml.SafeLoader)
        except (yaml.YAMLError, ValueError, RecursionError):
            return None
        definitions: list[Definition] = []
        clues: list[Clue] = []
        for name, key, node in _entries(dict(_pairs(root)).get("services")):
            fields = dict(_pairs(node))
            first = key.start_mark.line + 1
            last = max(first, _last_line(node, source.text))
            definitions.append(Definition(name, "service", first, last, summary=_summary(fields)))
            aliases = {name, *(_scalar(fields.get(k)) for k in ("container_name", "hostname"))} - {""}
            clues += [
                Clue(self.name, "service", alias.lower(), "provides", "CALLS", first, name, f"service {alias}")
                for alias in sorted(aliases)
            ]
            clues += self._needed(name, fields)
        return Findings(definitions, clues) if definitions else None

    def _needed(self, service: str, fields: dict[str, yaml.Node]) -> Iterator[Clue]:
        for name, line in _names(fields.get("depends_on")):
            yield Clue(
                self.name, "service", name.lower(), "needs", "CALLS", line, service, f"{service} depends on {name}"
            )
        for key, value, line in _settings(fields.get("environment")):
            if host := host_of(key, value):
                yield Clue(
                    self.name, "service", host, "needs", "CALLS", line, service, f"{service} is given {key} → {host}"
                )


def _pairs(node: yaml.Node | None) -> Iterator[tuple[str, yaml.Node]]:
    return ((name, value) for name, _, value in _entries(node))


def _depth(text: str) -> int:
    """How deep brackets open; those in quotations count too, which does no harm."""
    depths = accumulate((1 if found[0] in "[{" else -1 for found in re.finditer(r"[][{}]", text)), initial=0)
    return max(depths)


def _entries(node: yaml.Node | None, merges: int = 3) -> Iterator[tuple[str, yaml.Node, yaml.Node]]:
    """A mapping's keys and values; what `<<` merges in comes first, so that the mapping's own win in a dict.

    merges: how many levels of it are followed; an alias may lead back to where it stands.
    """
    if not isinstance(node, yaml.MappingNode):
        return
    merged = next((value for key, value in node.value if key.value == "<<"), None)
    if merges:
        yield from _entries(merged, merges - 1)
    for key, value in node.value:
        if isinstance(key, yaml.ScalarNode) and key.value != "<<":
            yield str(key.value), key, value


def _scalar(node: yaml.Node | None) -> str:
    return str(node.value) if isinstance(node, yaml.ScalarNode) else ""


def _names(node: yaml.Node | None) -> Iterator[tuple[str, int]]:
    """The names of a list, or of a mapping's keys, with their lines."""
    if isinstance(node, yaml.SequenceNode):
        yield from ((_scalar(item), item.start_mark.line + 1) for item in node.value if _scalar(item))
    else:
        yield from ((name, key.start_mark.line + 1) for name, key, _ in _entries(node))


def _settings(node: yaml.Node | None) -> Iterator[tuple[str, str, int]]:
    """`KEY: value` and `- KEY=value`."""
    if isinstance(node, yaml.SequenceNode):
        for text, line in _names(node):
            key, _, value = text.partition("=")
            yield key, value, line
    else:
        yield from ((name, _scalar(value), key.start_mark.line + 1) for name, key, value in _entries(node))


def _summary(fields: dict[str, yaml.Node]) -> str:
    build = fields.get("build")
    context = _scalar(dict(_pairs(build)).get("context")) or _scalar(build)
    ports = ", ".join(name for name, _ in _names(fields.get("ports")))
    context = "" if "@" in context else context  # a URL with credentials
    parts = (("image", _scalar(fields.get("image"))), ("built from", context), ("ports", ports))
    return "; ".join(f"{label} {value}" for label, value in parts if value)


def _last_line(node: yaml.Node, text: str) -> int:
    """The last line with something in it: a block's end mark stands where the next thing begins."""
    lines = text.split("\n")
    mark = node.end_mark
    last = mark.line + 1 if mark.line < len(lines) and lines[mark.line][: mark.column].strip() else mark.line
    while last > 1 and not lines[last - 1].strip():
        last -= 1
    return last
