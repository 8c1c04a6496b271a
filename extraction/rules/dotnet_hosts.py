"""What runs .NET's services together: Aspire's app host and Project Tye.

`builder.AddProject<…>("basket-api").WithReference(redis)` (https://aspire.dev, app host), and the services of a
`tye.yaml` (https://github.com/dotnet/tye/blob/main/docs/reference/schema.md).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import Final

import yaml

from extraction.facts import Clue, Definition
from extraction.kinds import kind_of
from extraction.rules.addresses import is_address_key
from extraction.rules.expressions import line_at
from extraction.rules.port import Fact, FileRule, Source
from extraction.rules.services import WORKLOAD, given, lives_in, provides_service
from extraction.rules.yaml_nodes import at, documents, first_line, items, last_line, scalar

ADDED: Final = re.compile(r"(\w+)\s*\.\s*Add(\w+)\s*(?:<\s*([\w.]+)\s*>)?\s*\(\s*\"([\w.-]+)\"")
ASSIGNED: Final = re.compile(r"^\s*(?:var|[\w<>.]+)\s+(\w+)\s*=|^\s*(\w+)\s*=[^=>]")
LEADING: Final = re.compile(r"^\s*(?:(?:var|[\w<>.]+)\s+\w+\s*=\s*)?(\w+)\s*\.")
REFERENCE: Final = re.compile(r"\.\s*(WithReference|WaitFor|WithEnvironment)\s*\((?:\s*\"([^\"]*)\"\s*,)?\s*(\w+)")
COMMENT: Final = re.compile(r"^[ \t]*//[^\n]*", re.MULTILINE)
STORES: Final = re.compile(
    r"(?:Azure)?(?:Redis|Valkey|Garnet|Postgres\w*|SqlServer|Sql|MongoDB|MySql|Oracle|CosmosDB|Elasticsearch|Database|Milvus|Qdrant)"
)
SKIPPED: Final = frozenset({"Parameter", "ConnectionString", "Volume", "Dashboard"})


class Aspire(FileRule):
    """A Definition of kind service for each resource; a reference to one calls it, and waiting for it depends on it."""

    name = "aspire"

    def reads(self, path: str) -> bool:
        return path.endswith(".cs") and kind_of(path, "csharp") != "test"

    def facts(self, source: Source) -> Iterator[Fact]:
        resources: dict[str, str] = {}
        start = 0
        text = COMMENT.sub(lambda found: " " * len(found[0]), source.text)
        for statement in text.split(";") if "DistributedApplication." in source.text else ():
            added, leading = ADDED.search(statement), LEADING.match(statement)
            if added and added[2] not in SKIPPED:
                name = added[4]
                line = line_at(source.text, start + added.start(4))
                yield Definition(name, "service", line, line, summary=f"Aspire {added[2]}")
                relation = "STORES_IN" if STORES.fullmatch(added[2]) else "CALLS"
                project, says = (added[3] or "").rpartition(".")[2], f"service {name}"
                for host in dict.fromkeys((name.lower(), project.lower() or name.lower())):
                    yield Clue(self.name, "service", host, "provides", relation, line, name, says, WORKLOAD)
            else:
                name = resources.get(leading[1], "") if leading else ""
            if name:
                yield from self._needed(source, name, statement, start, resources)
            assigned = ASSIGNED.match(statement.lstrip("\ufeff").lstrip())
            if name and assigned:
                resources[assigned[1] or assigned[2]] = name
            start += len(statement) + 1

    def _needed(
        self, source: Source, name: str, statement: str, start: int, resources: dict[str, str]
    ) -> Iterator[Clue]:
        for found in REFERENCE.finditer(statement):
            target = resources.get(found[3], "")
            if target and (found[1] != "WithEnvironment" or is_address_key(found[2] or "")):
                relation = "DEPENDS_ON" if found[1] == "WaitFor" else "CALLS"
                line = line_at(source.text, start + found.start(1))
                says = f"{name}: {found[1]} {target}"
                yield Clue(self.name, "service", target.lower(), "needs", relation, line, name, says)


class Tye(FileRule):
    """A service each, whose source is the folder of its `project` or the context of its Dockerfile."""

    name = "tye"
    files = re.compile(r"(^|/)tye[\w.-]*\.ya?ml$", re.IGNORECASE)

    def facts(self, source: Source) -> Iterator[Fact]:
        for node in (one for root in documents(source.text) for one in items(at(root, "services"))):
            name, image = scalar(at(node, "name")), scalar(at(node, "image"))
            if not name:
                continue
            first = first_line(node)
            last = max(first, last_line(node, source.text))
            yield Definition(name, "service", first, last, summary=f"image {image}" if image else "")
            yield provides_service(self.name, name, name, first, WORKLOAD, image)
            yield from self._home(source, node, name, first)
            for key, value, line in _environment(node):
                yield from given(self.name, name, key, value, line)

    def _home(self, source: Source, node: yaml.Node, service: str, line: int) -> Iterator[Clue]:
        project = scalar(at(node, "project")).replace("\\", "/")
        context = scalar(at(node, "dockerFileContext")) or posixpath.dirname(scalar(at(node, "dockerFile")))
        written = posixpath.dirname(project) if project else context
        folder = posixpath.normpath(posixpath.join(posixpath.dirname(source.path), written))
        if written and folder != "." and not folder.startswith(".."):
            yield lives_in(self.name, folder, service, line)


def _environment(node: yaml.Node) -> Iterator[tuple[str, str, int]]:
    """`- KEY=value`, or `- name: KEY` with a `value`."""
    for one in (*items(at(node, "env")), *items(at(node, "configuration"))):
        key, _, value = scalar(one).partition("=")
        yield key or scalar(at(one, "name")), value or scalar(at(one, "value")), first_line(one)
