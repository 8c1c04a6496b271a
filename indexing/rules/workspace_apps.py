"""Applications of a JavaScript monorepo that no manifest runs: NestJS's `nest-cli.json`, Nx's and Angular's `project.json`.

https://docs.nestjs.com/cli/monorepo, https://nx.dev/reference/project-configuration. That a folder is an application is as
much as a Dockerfile says: weak evidence, which whatever runs the folder outranks.
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Final

from indexing.facts import Definition
from indexing.rules.port import Findings, Source
from indexing.rules.services import FOLDER, lives_in, provides_service
from indexing.rules.yaml_nodes import at, documents, entries, first_line, last_line, scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    import yaml

__all__ = ["WorkspaceApps"]

FILE: Final = re.compile(r"(^|/)(?:nest-cli|project)\.json$")
STARTED: Final = frozenset({"build", "serve", "start", "dev", "run", "package", "container", "docker"})
TESTS: Final = re.compile(r"[-_](?:e2e|test|tests)$")


class WorkspaceApps:
    """A Definition of kind service for each application, whose source is its folder; libraries and test runs are none."""

    name = "workspace application"

    def reads(self, path: str) -> bool:
        return FILE.search(path) is not None

    def find(self, source: Source) -> Findings | None:
        rows = [row for row in _applications(source) if not TESTS.search(row[0])]
        definitions = [
            Definition(name, "service", first, last, summary=f"application in {folder}")
            for name, folder, first, last in rows
        ]
        clues = [
            clue
            for name, folder, first, _ in rows
            for clue in (
                provides_service(self.name, name, name, first, FOLDER),
                lives_in(self.name, folder, name, first),
            )
        ]
        return Findings(definitions, clues) if rows else None


def _applications(source: Source) -> Iterator[tuple[str, str, int, int]]:
    """Name, folder, first and last line of each."""
    home = posixpath.dirname(source.path)
    for root in documents(source.text):
        if source.name == "project.json":
            name = scalar(at(root, "name")) or posixpath.basename(home)
            if home and scalar(at(root, "projectType")) == "application" and _runs(root):
                yield name, home, 1, source.text.rstrip("\n").count("\n") + 1
            continue
        for name, key, node in entries(at(root, "projects")):
            written = scalar(at(node, "root")) or scalar(at(node, "sourceRoot"))
            folder = posixpath.normpath(posixpath.join(home, written))
            if written and scalar(at(node, "type")) == "application" and folder != "." and not folder.startswith(".."):
                yield name, folder, first_line(key), max(first_line(key), last_line(node, source.text))


def _runs(root: yaml.Node) -> bool:
    """Whether there is something to build or to start, where it says what there is: a chart is an application to Nx too."""
    targets = {name for name, _, _ in entries(at(root, "targets"))}
    return not targets or not targets.isdisjoint(STARTED)
