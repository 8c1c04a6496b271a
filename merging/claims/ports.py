"""Published ports of docker-compose services."""

from __future__ import annotations

import re
from collections.abc import Iterator

from merging.claims.passages import Claim, Passage, unit_of

__all__ = ["PortRule"]

_FILES = frozenset({"docker-compose.yml", "docker-compose.yaml", "compose.yml", "compose.yaml"})
"""The files themselves; `docker-compose.prod.yml` and the like are other environments."""

_KEY = re.compile(r"^(?P<indent> *)(?P<key>[\w.-]+)[ ]*:[ ]*(?P<rest>[^#]*)")
_PORT = re.compile(r"(?:\d+\.\d+\.\d+\.\d+:)?(?P<port>(?:\d+:)?\d+(?:/udp)?)(?:/tcp)?")


class PortRule:
    """A service has `ports`, as HOST:CONTAINER; none are claimed where one is a range, filled in or written at length."""

    notations = frozenset({"yaml"})

    def claims(self, passage: Passage) -> Iterator[Claim]:
        if passage.path.rpartition("/")[2] not in _FILES:
            return
        unit = unit_of(passage.path)
        for service, entries in _port_blocks(passage.text):
            ports = [found["port"] for entry in entries if (found := _PORT.fullmatch(entry.strip(" \"'")))]
            if ports and len(ports) == len(entries):
                yield Claim(passage.project, service, "ports", ", ".join(sorted(ports)), unit, passage.where)


def _port_blocks(text: str) -> Iterator[tuple[str, list[str]]]:
    """The entries of every `ports:` block, with the key it stands under."""
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
