"""The entities: what of all facts becomes a node."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from indexing.resolution.names import Place
from memory.entities import Entity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from indexing.facts import Definition, FileFacts
    from indexing.resolution.modules import ProjectModules

__all__ = ["Catalogue"]

PUBLIC_CONSTANT: Final = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[A-Z]{4,}")
MANIFESTS: Final = ("pyproject.toml", "package.json", "setup.cfg", "METADATA", "README.md", "README.rst")


class Catalogue:
    """Entities by place. Of constants, those written as such: `DEFAULT_TIMEOUT`, not `logger`."""

    def __init__(self, projects: Mapping[str, ProjectModules]) -> None:
        self._entities: dict[Place, Entity] = {}
        for name, modules in projects.items():
            if modules.files:
                self._entities[Place(name)] = _project(name, modules.files)
            for path, dotted in modules.module_names.items():
                facts = modules.files[path]
                self._entities[Place(name, path)] = Entity(dotted, "module", name, path, 1, facts.lines, facts.summary)
            for path in modules.files:
                for d in modules.definitions(path).values():
                    if d.kind != "constant" or PUBLIC_CONSTANT.fullmatch(d.name):
                        self._entities[Place(name, path, d.name)] = _defined(name, path, d)

    def at(self, place: Place) -> Entity | None:
        """The entity at exactly this place."""
        return self._entities.get(place)

    def around(self, place: Place) -> Entity:
        """The entity of the top-level definition at this place, or of its module, or of its project."""
        return self.at(place.top) or self.at(Place(place.project, place.path)) or self._entities[Place(place.project)]

    def items(self) -> Iterator[tuple[Place, Entity]]:
        """All of them with their places."""
        return iter(self._entities.items())

    def entities(self) -> list[Entity]:
        """All of them, by id."""
        return sorted(self._entities.values(), key=lambda e: e.id)


def _defined(project: str, path: str, d: Definition) -> Entity:
    return Entity(d.name, d.kind, project, path, d.start_line, d.end_line, d.summary)


def _project(name: str, files: Mapping[str, FileFacts]) -> Entity:
    """A project stands where its manifest names it, else in its README, else in its first file."""

    def rank(path: str) -> tuple[int, int, str]:
        file = path.rsplit("/", 1)[-1]
        return (
            path.count("/") - path.endswith(".dist-info/METADATA"),
            MANIFESTS.index(file) if file in MANIFESTS else len(MANIFESTS),
            path,
        )

    path = min(files, key=rank)
    named = [c for c in files[path].clues if c.side == "provides" and c.relation == "DEPENDS_ON"]
    line = named[0].line if named else 1
    summary = named[0].says if named else files[path].summary
    return Entity(name, "project", name, path, line, line, summary)
