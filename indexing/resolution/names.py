"""What a name in a file means: followed through imports, re-exports and star imports to where it is defined.

Another project's re-exports are followed inside that project alone, so that a third project never decides whether an
edge between two exists (design §5, resolution is additive).
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from indexing.facts import HERE
from indexing.resolution.builtins import NODE_MODULES
from indexing.resolution.modules import separator_of, top_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from indexing.facts import Definition
    from indexing.resolution.modules import ProjectModules

__all__ = ["Meaning", "Names", "Place"]


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A definition in a file, or the file's module itself (no name), or the project (no path)."""

    project: str
    path: str = ""
    name: str = ""

    @property
    def top(self) -> Place:
        """The top-level definition it belongs to."""
        return Place(self.project, self.path, self.name.partition(".")[0])


@dataclass(frozen=True, slots=True, order=True)
class Meaning:
    """Where a name leads; `line` is that of the import in the asking file, 0 when it is defined there.

    Some lead only half the way: `indirect`, to a module that has the name from elsewhere; `missing`, to what should
    define the name and does not.
    """

    place: Place
    line: int = 0
    indirect: bool = False
    missing: bool = False

    @property
    def complete(self) -> bool:
        """Whether it leads to what the name stands for."""
        return not (self.indirect or self.missing)


class Names:
    """Looks names up in all projects. Answers are sorted and remembered."""

    def __init__(self, projects: Mapping[str, ProjectModules]) -> None:
        self.projects = projects
        self._by_top: dict[tuple[str, str], list[str]] = {}
        for name in sorted(projects):
            for top in projects[name].public_tops - sys.stdlib_module_names:
                self._by_top.setdefault((".", top), []).append(name)
            for package in projects[name].packages - NODE_MODULES:
                self._by_top.setdefault(("/", package), []).append(name)
        self._members: dict[tuple[Place, str, bool], tuple[Place, ...]] = {}
        self._visited: set[tuple[Place, str, bool]] | None = None
        self._dotted: dict[tuple[str, str, str], tuple[Meaning, ...]] = {}

    def definition(self, place: Place) -> Definition | None:
        """What stands at a place; None for a module or a project."""
        return self.projects[place.project].definitions(place.path).get(place.name) if place.name else None

    def imported(self, project: str, path: str, module: str, name: str, *, stay: bool = False) -> list[Meaning]:
        """Where `from module import name` in that file leads; no name or `*`: to the module.

        stay: look in this project alone.
        """
        own, separator = self.projects[project], separator_of(path)
        if stay or own.owns(module, separator) or own.find(module, path, separator=separator):
            where, near = [project], path
        else:
            where, near = self._by_top.get((separator, top_of(module, separator)), []), ""
        found: list[Meaning] = []
        for other in where:
            paths = self.projects[other].find(module, near, separator=separator)
            if not paths and other != project:
                found.append(Meaning(Place(other), missing=True))
            for module_path in paths:
                at = Place(other, module_path)
                places = [at] if name in {"", "*"} else self.members(at, name, stay=stay or other != project)
                if name == "default" and not places and separator == "/":
                    places = [at]  # `require` and what stands in for it: all that the module exports
                found += [Meaning(place) for place in places]
                if not any(place.project == other for place in places):
                    # Said whether or not a third project leads further, so that its coming takes nothing away.
                    bound = self._has_from_elsewhere(at, name)
                    found.append(Meaning(at, indirect=bound, missing=not bound))
        return found

    def _has_from_elsewhere(self, place: Place, name: str) -> bool:
        """Whether a module may have a name from another one; what hands on a file of its own project only has its names."""
        modules, separator = self.projects[place.project], separator_of(place.path)
        imports = modules.imports(place.path)
        return name in imports or any(
            separator == "." or not modules.find(star.module, place.path, separator=separator)
            for star in imports.get("*", ())
        )

    def members(self, place: Place, name: str, *, stay: bool) -> Sequence[Place]:
        """What `name` is inside a module or a class; stay: follow it in the place's own project alone."""
        key = (place, name, stay)
        if self._visited is not None:  # a step of a longer way: circles end here, and nothing half seen is remembered
            if key in self._visited:
                return ()
            self._visited.add(key)
            return tuple(dict.fromkeys(self._look(place, name, stay=stay)))
        if key not in self._members:
            self._visited = {key}
            self._members[key] = tuple(dict.fromkeys(self._look(place, name, stay=stay)))
            self._visited = None
        return self._members[key]

    def meanings(self, project: str, path: str, dotted: str) -> tuple[Meaning, ...]:
        """What a dotted name leads to, as written in that file; nothing when any part of it leads nowhere."""
        key = (project, path, dotted)
        if self._visited is not None:
            return self._follow(project, path, dotted)
        if key not in self._dotted:
            self._dotted[key] = self._follow(project, path, dotted)
        return self._dotted[key]

    def _follow(self, project: str, path: str, dotted: str) -> tuple[Meaning, ...]:
        head, *rest = dotted.split(".")
        found = self._first(project, path, head)
        for part in rest:
            found = [
                Meaning(inner, outer.line)
                for outer in found
                for inner in self.members(outer.place, part, stay=outer.place.project != project)
            ]
        return tuple(sorted(set(found)))

    def _first(self, project: str, path: str, head: str) -> list[Meaning]:
        own = self.projects[project]
        if head in own.definitions(path):
            return [Meaning(Place(project, path, head))]
        imports = own.imports(path)
        found = []
        for i in imports.get(head, ()):
            # `import a.b` binds `a`; `import a.b as c` binds what a.b is
            module = head if not i.name and i.alias == i.module else i.module
            found += [Meaning(m.place, i.line) for m in self.imported(project, path, module, i.name) if m.complete]
        if head in imports or separator_of(path) != ".":
            return found
        return [
            Meaning(place, star.line)
            for star in imports.get("*", ())
            for module in self.imported(project, path, star.module, "")
            if module.complete
            for place in self.members(module.place, head, stay=module.place.project != project)
        ]

    def _look(self, place: Place, name: str, *, stay: bool) -> list[Place]:
        modules = self.projects[place.project]
        if place.name:
            return self._inherited(place, name)
        if name in modules.definitions(place.path):
            return [Place(place.project, place.path, name)]
        imports = modules.imports(place.path)
        found: list[Place] = []
        for i in imports.get(name, ()):
            if i.alias == name:
                led = self.imported(place.project, place.path, i.module, i.name, stay=stay)
                found += [m.place for m in led if m.complete]
        separator = separator_of(place.path)
        own_part = any(  # `from . import name`
            place.path in modules.find(i.module, separator=separator) for i in imports.get(name, ())
        )
        if name in imports and not own_part:
            return found
        found += [Place(place.project, path) for path in modules.submodule(place.path, name)]
        for star in [] if found or name.startswith("_") else imports.get("*", ()):
            for module in self.imported(place.project, place.path, star.module, "", stay=stay):
                if module.complete:
                    found += self.members(module.place, name, stay=stay or module.place.project != place.project)
        return found

    def _inherited(self, place: Place, name: str) -> list[Place]:
        """A class's own member, else its bases', inside its project; of a constant, that of the class it is made from."""
        own = f"{place.name}.{name}"
        modules = self.projects[place.project]
        if own in modules.definitions(place.path):
            return [Place(place.project, place.path, own)]
        made = [i for i in modules.imports(place.path).get(place.name, ()) if i.module == HERE]
        for meaning in [m for i in made for m in self.meanings(place.project, place.path, i.name)]:
            if meaning.place.project == place.project and meaning.place != place:
                return list(self.members(meaning.place, name, stay=True))
        for ref in modules.files[place.path].references:
            if ref.relation == "INHERITS" and ref.caller == place.name:
                base = f"{ref.receiver}.{ref.name}" if ref.receiver else ref.name
                for meaning in self.meanings(place.project, place.path, base):
                    own_base = meaning.place.project == place.project
                    if own_base and (found := self.members(meaning.place, name, stay=True)):
                        return list(found)
        return []
