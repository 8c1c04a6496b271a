"""Project Tye: services of a `tye.yaml`, their projects, images and variables (https://github.com/dotnet/tye/blob/main/docs/reference/schema.md)."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Final

from indexing.facts import Clue, Definition
from indexing.rules.port import Findings, Source
from indexing.rules.services import WORKLOAD, given, lives_in, provides_service
from indexing.rules.yaml_nodes import at, documents, first_line, items, last_line, scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    import yaml

__all__ = ["Tye"]

FILE: Final = re.compile(r"(^|/)tye[\w.-]*\.ya?ml$", re.IGNORECASE)


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
