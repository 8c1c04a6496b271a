"""Spring, Steeltoe, Quarkus and Micronaut: `spring.application.name` and its like name the service that the settings' module is.

application and bootstrap files, as properties or YAML (https://docs.spring.io/spring-boot/reference/features/external-config.html,
https://quarkus.io/guides/all-config, https://docs.micronaut.io/latest/guide/#config), and Steeltoe's, which .NET has in
appsettings.json (https://docs.steeltoe.io/api/v3/discovery). Their addresses are settings_files' business.
"""

from __future__ import annotations

import re
from typing import Final

from indexing.facts import Definition
from indexing.rules.expressions import line_at
from indexing.rules.port import Findings, Source
from indexing.rules.services import NAMED, lives_in, provides_service
from indexing.rules.yaml_nodes import at, documents, first_line, scalar

__all__ = ["ApplicationNames"]

FRAMEWORKS: Final = ("spring", "quarkus", "micronaut")
FILE: Final = re.compile(r"(^|/)(application|bootstrap)\.(ya?ml|properties)$|(^|/)appsettings\.json$")
TESTS: Final = re.compile(r"(^|/)src/test/")
SOURCES: Final = re.compile(r"(^|/)src/main/resources/(.*/)?[^/]*$|(^|/)[^/]*$")
PROPERTY: Final = re.compile(rf"^[^\S\n]*({'|'.join(FRAMEWORKS)})\.application\.name\s*[=:]\s*(\S+)", re.MULTILINE)
COMMENT: Final = re.compile(r"^[ \t]*//.*$", re.MULTILINE)
"""What .NET allows in its settings, though JSON has none."""
DEFAULT: Final = re.compile(r"\$\{[^:}]+:([^}]*)\}")


class ApplicationNames:
    """A Definition of kind service, reached under its name through discovery, whose source is the module's folder."""

    name = "application name"

    def reads(self, path: str) -> bool:
        return FILE.search(path) is not None and TESTS.search(path) is None

    def find(self, source: Source) -> Findings | None:
        framework, written, line = self._named(source)
        name = DEFAULT.sub(r"\1", written).strip("\"'")
        if not re.fullmatch(r"[A-Za-z][\w.-]*", name):
            return None
        folder = SOURCES.sub("", source.path)
        summary = f"{framework.capitalize()} application in {folder or source.project}"
        return Findings(
            [Definition(name, "service", line, line, summary=summary)],
            [provides_service(framework, name, name, line, NAMED), lives_in(framework, folder, name, line)],
            framework,
        )

    def _named(self, source: Source) -> tuple[str, str, int]:
        if found := PROPERTY.search(source.text):
            return found[1], found[2], line_at(source.text, found.start(2))
        text = COMMENT.sub("", source.text) if source.path.endswith(".json") else source.text
        for root in documents(text) if not source.path.endswith(".properties") else ():
            named = at(root, "Spring", "Application", "Name")
            if named is not None and scalar(named):
                return "steeltoe", scalar(named), first_line(named)
            for framework in FRAMEWORKS:
                node = at(root, framework, "application", "name")
                if node is not None and scalar(node):
                    return framework, scalar(node), first_line(node)
        return "", "", 1
