"""What a name in a file means: followed through imports, re-exports and star imports to where it is defined.

Another project's re-exports are followed inside that project alone, so that a third project never decides whether an
edge between two exists (docs/design.md#generations).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from extraction.facts import HERE, Definition
from indexing.resolution.modules import Place, ProjectModules, separator_of, top_of
from indexing.resolution.packages import ANYWHERE, DECLARED, family_of, tops


@dataclass(frozen=True, slots=True, order=True)
class Meaning:
    """Where a name leads; `line` is that of the import in the asking file, 0 when it is defined there.

    Some lead only half the way: `indirect`, to a module that has the name from elsewhere; `missing`, to what should
    define the name and does not. `only`: nothing else is called so, which is all that speaks for it.
    """

    place: Place
    line: int = 0
    indirect: bool = False
    missing: bool = False
    only: bool = False

    @property
    def complete(self) -> bool:
        """Whether it leads to what the name means."""
        return not (self.indirect or self.missing)


class Names:
    """Looks names up in all projects. Answers are sorted and remembered."""

    def __init__(self, projects: Mapping[str, ProjectModules]) -> None:
        self.projects = projects
        self._by_top: dict[tuple[str, str], list[str]] = {}
        for name in sorted(projects):
            for key in projects[name].offered():
                self._by_top.setdefault(key, []).append(name)
        self._members: dict[tuple[Place, str, bool], tuple[Place, ...]] = {}
        self._visited: set[tuple[Place, str, bool]] | None = None
        self._where: dict[tuple[str, str, str, str], list[str]] = {}
        self._dotted: dict[tuple[str, str, str], tuple[Meaning, ...]] = {}

    def definition(self, place: Place) -> Definition | None:
        """What is at a place; None for a module or a project."""
        return self.projects[place.project].definitions(place.path).get(place.name) if place.name else None

    def imported(self, project: str, path: str, module: str, name: str, *, stay: bool = False) -> list[Meaning]:
        """Where `from module import name` in that file leads; no name or `*`: to the module.

        stay: look in this project alone.
        """
        if family := family_of(path):
            return self._packaged(project, path, family, module, name, stay=stay)
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
                    places = [at]  # `require` and its like: all that the module exports
                found += [Meaning(place) for place in places]
                if not any(place.project == other for place in places):
                    # It holds whether or not a third project leads further, so that its coming takes nothing away.
                    bound = self._has_from_elsewhere(at, name)
                    found.append(Meaning(at, indirect=bound, missing=not bound))
        return found

    def _packaged(self, project: str, path: str, family: str, module: str, name: str, *, stay: bool) -> list[Meaning]:
        """The same where a module is a package: of its files, those that define the name."""
        found: list[Meaning] = []
        for other in [project] if stay else self._providers(project, path, family, module):
            near = path if other == project else ""
            shared = self.projects[other].shared
            if name in {"", "*"}:
                if other != project and family in DECLARED:
                    continue  # two may say that they add to one package; only a name of it tells whose is meant
                found += [Meaning(Place(other, p)) for p in shared.find(family, module, near, "")]
                continue
            paths = shared.find(family, module, near, name)
            places = [Place(other, p, name) for p in paths]
            if not places:
                places = [Place(other, p) for p in shared.children(family, module, name, near)]
            if not places:  # handed on: Rust's `pub use`
                files = shared.find(family, module, near, "") if family == "rust" else []
                places = [inner for p in files for inner in self.members(Place(other, p), name, stay=True)]
            found += [Meaning(place) for place in places]
            if not places and other != project:
                found.append(Meaning(Place(other), missing=True))
        return found

    def _providers(self, project: str, path: str, family: str, module: str) -> Sequence[str]:
        """The projects in which a package is looked for: this one where it is its own, else all that may have it."""
        key = (project, family, module, "" if family in ANYWHERE else path)
        if key not in self._where:
            providers = {other for top in tops(family, module) for other in self._by_top.get(top, ())}
            own = self.projects[project].shared.owns(family, module, path)
            self._where[key] = [project] if own else sorted(providers)
        return self._where[key]

    def _has_from_elsewhere(self, place: Place, name: str) -> bool:
        """Whether a module may have a name from another; what hands on a file of its own project only has its names."""
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
        shared = self.projects[project].shared
        while rest and head not in self.projects[project].imports(path) and shared.is_namespace(path, head):
            if not (rest[0][:1].isupper() or family_of(path) == "c"):
                break  # a namespace's own function keeps its name
            head, *rest = rest
        found = self._first(project, path, head)
        if not found and rest and family_of(path) in DECLARED:
            return self._in_full(project, path, dotted)
        for part in rest:
            found = [
                Meaning(inner, outer.line)
                for outer in found
                for inner in self.members(outer.place, part, stay=outer.place.project != project)
            ]
        return tuple(sorted(set(found)))

    def _in_full(self, project: str, path: str, dotted: str) -> tuple[Meaning, ...]:
        """A class by its package's name and its own: the longest package there is."""
        parts = dotted.split(".")
        for n in range(len(parts) - 1, 0, -1):
            led = self.imported(project, path, ".".join(parts[:n]), ".".join(parts[n:]))
            if found := [m for m in led if m.complete]:
                return tuple(sorted(set(found)))
        return ()

    def _first(self, project: str, path: str, head: str) -> list[Meaning]:
        own = self.projects[project]
        if own.declares(path, head):
            return [Meaning(Place(project, path, head))]
        imports = own.imports(path)
        found = []
        for i in imports.get(head, ()):
            # `import a.b` binds `a`; `import a.b as c` binds what a.b is
            module = head if not i.name and i.alias == i.module else i.module
            found += [Meaning(m.place, i.line) for m in self.imported(project, path, module, i.name) if m.complete]
        if head in imports or separator_of(path) == "/":
            return found
        if family_of(path):
            return self._beside(project, path, head)
        return [
            Meaning(place, star.line)
            for star in imports.get("*", ())
            for module in self.imported(project, path, star.module, "")
            if module.complete
            for place in self.members(module.place, head, stay=module.place.project != project)
        ]

    def _beside(self, project: str, path: str, head: str) -> list[Meaning]:
        """What a package's other files define, else what is imported whole."""
        own = self.projects[project]
        if mates := own.shared.mates(path, head):
            return [Meaning(Place(project, mate, head)) for mate in mates]
        return [
            Meaning(m.place, 0 if star.alias == "global" else star.line)
            for name in ("*", "global")
            for star in own.imports(path).get(name, ())
            for m in self.imported(project, path, star.module, head)
            if m.complete
        ]

    def _look(self, place: Place, name: str, *, stay: bool) -> list[Place]:
        modules = self.projects[place.project]
        if place.name:
            return self._inherited(place, name)
        if modules.declares(place.path, name):
            return [Place(place.project, place.path, name)]
        if mates := modules.shared.mates(place.path, name):
            return [Place(place.project, mate, name) for mate in mates]
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
        """A class's own member, else its bases', inside its project; of a constant, its class's."""
        own = f"{place.name}.{name}"
        modules = self.projects[place.project]
        if own in modules.definitions(place.path):
            return [Place(place.project, place.path, own)]
        if parts := modules.shared.mates(place.path, own):
            return [Place(place.project, part, own) for part in parts]
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
