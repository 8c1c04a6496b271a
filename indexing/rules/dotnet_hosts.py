"""What runs .NET's services together: Aspire's app host and Project Tye.

`builder.AddProject<…>("basket-api").WithReference(redis)` (https://aspire.dev, app host), and the services of a `tye.yaml`
(https://github.com/dotnet/tye/blob/main/docs/reference/schema.md).
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Final

from indexing.chunks.kinds import kind_of
from indexing.facts import Clue, Definition
from indexing.rules.addresses import is_address_key
from indexing.rules.expressions import line_at
from indexing.rules.port import Findings, Source
from indexing.rules.services import WORKLOAD, given, lives_in, provides_service
from indexing.rules.yaml_nodes import at, documents, first_line, items, last_line, scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    import yaml

__all__ = ["Aspire", "Tye"]

ADDED: Final = re.compile(r"(\w+)\s*\.\s*Add(\w+)\s*(?:<\s*([\w.]+)\s*>)?\s*\(\s*\"([\w.-]+)\"")
ASSIGNED: Final = re.compile(r"^\s*(?:var|[\w<>.]+)\s+(\w+)\s*=|^\s*(\w+)\s*=[^=>]")
LEADING: Final = re.compile(r"^\s*(?:(?:var|[\w<>.]+)\s+\w+\s*=\s*)?(\w+)\s*\.")
REFERENCE: Final = re.compile(r"\.\s*(WithReference|WaitFor|WithEnvironment)\s*\((?:\s*\"([^\"]*)\"\s*,)?\s*(\w+)")
COMMENT: Final = re.compile(r"^[ \t]*//[^\n]*", re.MULTILINE)
STORES: Final = re.compile(
    r"(?:Azure)?(?:Redis|Valkey|Garnet|Postgres\w*|SqlServer|Sql|MongoDB|MySql|Oracle|CosmosDB|Elasticsearch|Database|Milvus|Qdrant)"
)
SKIPPED: Final = frozenset({"Parameter", "ConnectionString", "Volume", "Dashboard"})
FILE: Final = re.compile(r"(^|/)tye[\w.-]*\.ya?ml$", re.IGNORECASE)


class Aspire:
    """A Definition of kind service for each resource; a reference to one calls it, and waiting for it depends on it."""

    name = "aspire"

    def reads(self, path: str) -> bool:
        return path.endswith(".cs") and kind_of(path, "csharp") != "test"

    def find(self, source: Source) -> Findings | None:
        if "DistributedApplication." not in source.text:
            return None
        definitions: list[Definition] = []
        clues: list[Clue] = []
        resources: dict[str, str] = {}
        start = 0
        text = COMMENT.sub(lambda found: " " * len(found[0]), source.text)
        for statement in text.split(";"):
            name = self._read(source, statement, start, resources, definitions, clues)
            assigned = ASSIGNED.match(statement.lstrip("\ufeff").lstrip())
            if name and assigned:
                resources[assigned[1] or assigned[2]] = name
            start += len(statement) + 1
        return Findings(definitions, clues) if definitions else None

    def _read(
        self,
        source: Source,
        statement: str,
        start: int,
        resources: dict[str, str],
        definitions: list[Definition],
        clues: list[Clue],
    ) -> str:
        """The resource that a statement adds or speaks of; what it says is put into the lists."""
        added = ADDED.search(statement)
        if added and added[2] not in SKIPPED:
            name = added[4]
            line = line_at(source.text, start + added.start(4))
            definitions.append(Definition(name, "service", line, line, summary=f"Aspire {added[2]}"))
            clues += self._provided(name, added[2], (added[3] or "").rpartition(".")[2], line)
        else:
            leading = LEADING.match(statement)
            name = resources.get(leading[1], "") if leading else ""
        clues += self._needed(source, name, statement, start, resources) if name else ()
        return name

    def _provided(self, name: str, kind: str, project: str, line: int) -> Iterator[Clue]:
        relation = "STORES_IN" if STORES.fullmatch(kind) else "CALLS"
        for host in dict.fromkeys((name.lower(), project.lower() or name.lower())):
            yield Clue(self.name, "service", host, "provides", relation, line, name, f"service {name}", WORKLOAD)

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


class Tye:
    """A Definition of kind service each, whose source is the folder of its `project` or the context of its Dockerfile."""

    name = "tye"

    def reads(self, path: str) -> bool:
        return FILE.search(path) is not None

    def find(self, source: Source) -> Findings | None:
        definitions: list[Definition] = []
        clues: list[Clue] = []
        for root in documents(source.text):
            for node in items(at(root, "services")):
                name, image = scalar(at(node, "name")), scalar(at(node, "image"))
                if not name:
                    continue
                first = first_line(node)
                last = max(first, last_line(node, source.text))
                definitions.append(Definition(name, "service", first, last, summary=f"image {image}" if image else ""))
                clues.append(provides_service(self.name, name, name, first, WORKLOAD, image))
                clues += self._home(source, node, name, first)
                for key, value, line in _environment(node):
                    clues += given(self.name, name, key, value, line)
        return Findings(definitions, clues) if definitions else None

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
