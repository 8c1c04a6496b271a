"""The modules of one project: which names its files can be imported as, dotted ones here and paths in `paths`.

What is on the import path is not known, so every usual root counts: the project's folder, `src`, `lib` and `python`,
a folder with a manifest, the folder that holds a top package (one with `__init__`).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import Final, NamedTuple

from extraction.facts import Binding, Clue, Definition, FileFacts, Import
from extraction.languages import language_of
from indexing.resolution.packages import FUNCTIONS, OF_CODE, WITH_METHODS, Packages, family_of, folder_of, nearest
from indexing.resolution.paths import NODE_MODULES, PathModules, package_of
from memory.entities import Evidence
from memory.text.kinds import is_test

SOURCE_FOLDERS: Final = ("src", "lib", "python")
MANIFESTS: Final = frozenset({"pyproject.toml", "setup.py", "setup.cfg", "requirements.txt"})
PRIVATE_TOPS: Final = frozenset({
    "tests", "test", "docs", "doc", "examples", "example", "scripts", "benchmarks", "setup", "conftest",
    *SOURCE_FOLDERS,
})  # fmt: skip


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A definition in a file, or the file's module itself (no name), or the project (no path)."""

    project: str
    path: str = ""
    name: str = ""

    @property
    def top(self) -> Place:
        return Place(self.project, self.path, self.name.partition(".")[0])


class Given(NamedTuple):
    """A clue and its place: the entity that it belongs to, in its file."""

    place: Place
    clue: Clue

    @property
    def piece(self) -> Evidence:
        return Evidence(self.clue.rule, self.place.project, self.place.path, self.clue.line, self.clue.says)


class ProjectModules:
    """One project's files as modules, with what each defines and imports at hand."""

    def __init__(self, name: str, files: Mapping[str, FileFacts]) -> None:
        self.name = name
        self.files = files
        self._by_name: dict[str, list[str]] = {}
        self.module_names: dict[str, str] = {}
        packages = {folder_of(path) for path in files if _is_package_file(path)}
        roots = self._roots(packages)
        for path in sorted(files):
            names = _names(path, roots)
            for dotted in names:
                self._by_name.setdefault(dotted, []).append(path)
            if names:
                self.module_names[path] = min(names, key=lambda n: (n.count("."), n))
        self._packages = packages
        self._paths = PathModules(files)
        self.module_names |= self._paths.names
        self.shared = Packages(files)
        self.module_names |= {path: self.shared.name(path) for path in sorted(files) if family_of(path)}
        self.tops = frozenset(name.partition(".")[0] for name in self._by_name)
        self._definitions: dict[str, dict[str, Definition]] = {}
        self._imports: dict[str, dict[str, list[Import]]] = {}
        self._bindings: dict[str, dict[str, list[Binding]]] = {}

    @cached_property
    def given(self) -> tuple[Given, ...]:
        clues = ((path, clue) for path in sorted(self.files) for clue in self.files[path].clues)
        return tuple(Given(Place(self.name, path, clue.entity), clue) for path, clue in clues)

    @cached_property
    def public_tops(self) -> frozenset[str]:
        """The first names under which other projects may import from this one."""
        return self.tops - PRIVATE_TOPS

    @property
    def packages(self) -> frozenset[str]:
        """The npm packages it is, under whose names other projects import from it."""
        return self._paths.packages

    def offered(self) -> Iterator[tuple[str, str]]:
        """What other projects may look for here: a separator or a family, and the name's start."""
        yield from ((".", top) for top in self.public_tops - sys.stdlib_module_names)
        yield from (("/", package) for package in self.packages - NODE_MODULES)
        yield from self.shared.public()

    def owns(self, module: str, separator: str) -> bool:
        """Whether a module is this project's by the first part of its name, there or not."""
        return top_of(module, separator) in (self.tops if separator == "." else self.packages)

    def find(self, module: str, near: str = "", *, separator: str = ".") -> list[str]:
        """The files that are this module; of several, those that share the longest folder with `near` (if given)."""
        dotted = separator == "."
        paths = self._by_name.get(module, []) if dotted else self._paths.find(module, near)
        if dotted and not paths and near and folder_of(near) not in self._packages:
            beside = str(PurePosixPath(folder_of(near), *module.split(".")))
            paths = [p for s in (".py", ".pyi", "/__init__.py") if (p := beside + s) in self.files]
        return nearest(paths, near)

    def definitions(self, path: str) -> dict[str, Definition]:
        """A file's definitions by qualified name; of one defined twice, the longest."""
        if path not in self._definitions:
            by_name: dict[str, Definition] = {}
            for d in self.files[path].definitions:
                known = by_name.get(d.name)
                if known is None or d.end_line - d.start_line > known.end_line - known.start_line:
                    by_name[d.name] = d
            self._definitions[path] = by_name
        return self._definitions[path]

    def declares(self, path: str, name: str) -> bool:
        """Whether a file's code defines a name, which a table or service of that name is not."""
        found = self.definitions(path).get(name)
        return found is not None and found.kind in OF_CODE

    def imports(self, path: str) -> dict[str, list[Import]]:
        """A file's imports by the first part of the name they bind (`*` for all names)."""
        if path not in self._imports:
            by_head: dict[str, list[Import]] = {}
            for i in [*self.files[path].imports, *self.shared.shared_imports(path)]:
                by_head.setdefault(i.alias.partition(".")[0], []).append(i)
            self._imports[path] = by_head
        return self._imports[path]

    def bindings(self, path: str) -> dict[str, list[Binding]]:
        if path not in self._bindings:
            by_name: dict[str, list[Binding]] = {}
            for binding in self.files[path].bindings:
                by_name.setdefault(binding.name, []).append(binding)
            self._bindings[path] = by_name
        return self._bindings[path]

    @cached_property
    def classes(self) -> frozenset[str]:
        """The last names of all classes."""
        defined = (d for facts in self.files.values() for d in facts.definitions if d.kind in WITH_METHODS)
        return frozenset(d.name.rpartition(".")[2] for d in defined)

    @cached_property
    def only(self) -> dict[str, Place]:
        """The functions and methods whose own name no other one of the project has, those of tests aside."""
        places: dict[str, Place | None] = {}
        for path in (path for path in sorted(self.files) if not is_test(path)):
            for d in self.definitions(path).values():
                if d.kind in FUNCTIONS:
                    name = d.name.rpartition(".")[2]
                    places[name] = None if name in places else Place(self.name, path, d.name)
        return {name: place for name, place in places.items() if place is not None}

    def home(self, path: str, name: str) -> str:
        """The file of the package that defines a class which this one only adds to; of several parts, the longest."""
        if family_of(path) == "dotnet" or name not in self.definitions(path):
            parts = self.shared.mates(path, name)
            size = {p: (d := self.definitions(p)[name]).end_line - d.start_line for p in parts}
            return max(parts, key=lambda p: (size[p], p), default=path)
        return path

    def submodule(self, path: str, name: str) -> list[str]:
        """The files of `name` in the package whose file is `path`."""
        if not _is_package_file(path):
            return []
        beside = str(PurePosixPath(folder_of(path), name))
        return [p for s in (".py", ".pyi", "/__init__.py", "/__init__.pyi") if (p := beside + s) in self.files]

    def _roots(self, packages: set[str]) -> set[str]:
        roots = {"", *SOURCE_FOLDERS}
        for path in self.files:
            if path.rsplit("/", 1)[-1] in MANIFESTS:
                folder = folder_of(path)
                roots |= {folder, *(f"{folder}/{source}".lstrip("/") for source in SOURCE_FOLDERS)}
        return roots | {folder_of(package) for package in packages if package and not _above(package) & packages}


def separator_of(path: str) -> str:
    """How the modules are named that a file imports: dotted, or by path (`/`)."""
    language = language_of(path)
    return language.separator if language else "."


def top_of(module: str, separator: str) -> str:
    """The part of a module's name that tells whose it is."""
    return module.partition(".")[0] if separator == "." else package_of(module)


def _names(path: str, roots: set[str]) -> list[str]:
    """Every dotted name of a file; none when its language has no modules by path."""
    language = language_of(path)
    if language is None or not language.package_file or language.separator != ".":
        return []
    parts = list(PurePosixPath(path).with_suffix("").parts)
    if parts[-1] == language.package_file:
        parts.pop()
    starts = (n for n in range(len(parts)) if "/".join(parts[:n]) in roots)
    return [".".join(parts[n:]) for n in starts]


def _is_package_file(path: str) -> bool:
    language = language_of(path)
    return language is not None and language.separator == "." and PurePosixPath(path).stem == language.package_file


def _above(folder: str) -> set[str]:
    parts = folder.split("/")
    return {"/".join(parts[:n]) for n in range(1, len(parts))}
