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
OWN: Final = re.compile(r"(?:Docker|Container)file[-.]([A-Za-z][\w-]*)|([A-Za-z][\w-]*)\.dockerfile", re.IGNORECASE)
VARIANTS: Final = frozenset(
    {"alpine", "debug", "debian", "jvm", "native", "release", "slim", "tye", "ubuntu", "windows"}
)
EXPOSE: Final = re.compile(r"^EXPOSE\s+(.+)$", re.IGNORECASE | re.MULTILINE)


class Dockerfile:
    """A Definition of kind service, named by the folder; where that says nothing (`docker/`) by the file's own name, or by the project."""

    name = "dockerfile"

    def reads(self, path: str) -> bool:
        return FILE.search(path) is not None and kind_of(path, "dockerfile") == "config" and "/." not in f"/{path}"

    def find(self, source: Source) -> Findings | None:
        stages = list(FROM.finditer(source.text))
        if not stages:
            return None
        folder = nearest = source.path.rpartition("/")[0]
        while folder and folder.rsplit("/", 1)[-1].lower() in COMMON_FOLDERS:
            folder = folder.rpartition("/")[0]
        own = "" if folder or folder == nearest else _own_name(source.name)
        name = folder.rsplit("/", 1)[-1] or own or source.project
        aliases = {found[2].lower(): found[1] for found in stages if found[2]}
        image = stages[-1][1]
        while image.lower() in aliases:
            image = aliases.pop(image.lower())
        line = line_at(source.text, stages[-1].start())
        ports = ", ".join(found[1].strip() for found in EXPOSE.finditer(source.text))
        summary = "; ".join(filter(None, (f"image from {image}", f"ports {ports}" if ports else "")))
        last = source.text.rstrip("\n").count("\n") + 1
        clues = [provides_service(self.name, name, name, line, FOLDER, image)]
        clues += [] if own else [lives_in(self.name, folder, name, line)]
        return Findings([Definition(name, "service", 1, last, summary=summary)], clues)


def _own_name(file: str) -> str:
    """`orders` of `Dockerfile.orders` and `orders.dockerfile`; '' where it says how it is built (`Dockerfile.dev`)."""
    found = OWN.fullmatch(file)
    name = (found[1] or found[2]) if found else ""
    return "" if name.lower() in COMMON_FOLDERS | VARIANTS else name
