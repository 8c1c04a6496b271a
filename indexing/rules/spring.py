"""Spring: `spring.application.name` names the service that the settings' module is.

application and bootstrap files, as properties or YAML
(https://docs.spring.io/spring-boot/reference/features/external-config.html). Their addresses are settings_files' business.
"""

from __future__ import annotations

import re
from typing import Final

from indexing.facts import Definition
from indexing.rules.port import Findings, Source
from indexing.rules.services import NAMED, lives_in, provides_service
from indexing.rules.yaml_nodes import at, documents, first_line, scalar

__all__ = ["SpringName"]

FILE: Final = re.compile(r"(^|/)(application|bootstrap)\.(ya?ml|properties)$")
TESTS: Final = re.compile(r"(^|/)src/test/")
SOURCES: Final = re.compile(r"(^|/)src/main/resources/(.*/)?[^/]*$|(^|/)[^/]*$")
PROPERTY: Final = re.compile(r"^\s*spring\.application\.name\s*[=:]\s*(\S+)", re.MULTILINE)
DEFAULT: Final = re.compile(r"\$\{[^:}]+:([^}]*)\}")


class SpringName:
    """A Definition of kind service, reached under its name through discovery, whose source is the module's folder."""

    name = "spring"

    def reads(self, path: str) -> bool:
        return FILE.search(path) is not None and TESTS.search(path) is None

    def find(self, source: Source) -> Findings | None:
        written, line = self._named(source)
        name = DEFAULT.sub(r"\1", written).strip("\"'")
        if not re.fullmatch(r"[A-Za-z][\w.-]*", name):
            return None
        folder = SOURCES.sub("", source.path)
        return Findings(
            [Definition(name, "service", line, line, summary=f"Spring application in {folder or source.project}")],
            [provides_service(self.name, name, name, line, NAMED), lives_in(self.name, folder, name, line)],
        )

    def _named(self, source: Source) -> tuple[str, int]:
        if found := PROPERTY.search(source.text):
            return found[1], source.text.count("\n", 0, found.start(1)) + 1
        for root in documents(source.text) if not source.path.endswith(".properties") else ():
            node = at(root, "spring", "application", "name")
            if node is not None and scalar(node):
                return scalar(node), first_line(node)
        return "", 1
