"""Dockerfiles: the folder that is built into an image is a service, which alone is weak evidence."""

from __future__ import annotations

import re
from typing import Final

from indexing.chunks.kinds import kind_of
from indexing.facts import Definition
from indexing.rules.common_words import COMMON_FOLDERS
from indexing.rules.expressions import line_at
from indexing.rules.port import Findings, Source
from indexing.rules.services import FOLDER, lives_in, provides_service

__all__ = ["Dockerfile"]

FILE: Final = re.compile(r"(^|/)(Dockerfile|Containerfile)[^/]*$|\.dockerfile$", re.IGNORECASE)
FROM: Final = re.compile(r"^FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?", re.IGNORECASE | re.MULTILINE)
EXPOSE: Final = re.compile(r"^EXPOSE\s+(.+)$", re.IGNORECASE | re.MULTILINE)


class Dockerfile:
    """A Definition of kind service, named by the folder, or by the project where that says nothing (`docker/`)."""

    name = "dockerfile"

    def reads(self, path: str) -> bool:
        return FILE.search(path) is not None and kind_of(path, "dockerfile") == "config" and "/." not in f"/{path}"

    def find(self, source: Source) -> Findings | None:
        stages = list(FROM.finditer(source.text))
        if not stages:
            return None
        folder = source.path.rpartition("/")[0]
        while folder and folder.rsplit("/", 1)[-1].lower() in COMMON_FOLDERS:
            folder = folder.rpartition("/")[0]
        name = folder.rsplit("/", 1)[-1] or source.project
        aliases = {found[2].lower(): found[1] for found in stages if found[2]}
        image = stages[-1][1]
        while image.lower() in aliases:
            image = aliases.pop(image.lower())
        line = line_at(source.text, stages[-1].start())
        ports = ", ".join(found[1].strip() for found in EXPOSE.finditer(source.text))
        summary = "; ".join(filter(None, (f"image from {image}", f"ports {ports}" if ports else "")))
        last = source.text.rstrip("\n").count("\n") + 1
        return Findings(
            [Definition(name, "service", 1, last, summary=summary)],
            [provides_service(self.name, name, name, line, FOLDER, image), lives_in(self.name, folder, name, line)],
        )
