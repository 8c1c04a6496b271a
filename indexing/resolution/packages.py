"""Modules that are packages: what the files of one project share with each other without importing it.

Of Java and Kotlin, C#, PHP (declared), Go (a folder), Rust (a crate's file), Ruby (all that is loaded) and C (a header
and the source of its name). Of files that define the same name, those nearest to the asking one are meant.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from extraction.facts import FileFacts, Import
from extraction.languages import language_of
from indexing.resolution.paths import Includes

Key = tuple[str, str]
"""A family of languages, and the name of a package of theirs."""

DECLARED: Final = frozenset({"jvm", "dotnet", "php", "beam"})
"""Families whose files say which package they are of; a class may be named with it, without an import."""
ANYWHERE: Final = DECLARED | {"go"}
"""Families whose packages are called the same from every file."""
WITH_METHODS: Final = frozenset({"class", "interface", "object", "struct", "enum", "type", "namespace"})
FUNCTIONS: Final = frozenset({"function", "method"})
OF_CODE: Final = WITH_METHODS | FUNCTIONS | {"constant"}
"""Kinds that a grammar finds; a table or a service that a rule finds is no name in code."""
VENDOR: Final = frozenset({"System", "Microsoft"})
"""Namespaces of .NET itself: projects put extension methods there, and mean what others put there too."""
EVERYBODYS: Final = VENDOR | {"java", "javax", "jakarta", "kotlin", "Illuminate", "Symfony", "App", "Database", "Tests"}
"""Namespaces that tell no project: a platform's, of which projects keep stubs, and Laravel's and Symfony's of every
application.
"""
PROVIDERS: Final = {"go.mod": "go", "Cargo.toml": "rust"}
"""Manifests that say as what others import their folder."""


@dataclass(slots=True)
class _Package:
    files: list[str] = field(default_factory=list)
    names: dict[str, list[str]] = field(default_factory=dict)


class Packages:
    """The packages of one project, by family and name."""

    def __init__(self, files: Mapping[str, FileFacts]) -> None:
        self._files = files
        self._packages: dict[Key, _Package] = {}
        self._of: dict[str, Key] = {}
        self._namespaces: dict[str, set[str]] = {}
        for path in sorted(files):
            family = family_of(path)
            if family:
                self._add(path, family)
        self._roots = dict(_roots(files))
        self._includes = Includes([path for path, key in self._of.items() if key[0] in {"c", "ruby"}], files)
        self._global = {path: f.imports for path, f in files.items() if any(i.alias == "global" for i in f.imports)}

    def _add(self, path: str, family: str) -> None:
        facts = self._files[path]
        name = path.rsplit("/", 1)[-1].partition(".")[0] if family == "c" else facts.package
        key = self._of[path] = (family, name)
        package = self._packages.setdefault(key, _Package())
        package.files.append(path)
        for definition in dict.fromkeys(d.name for d in facts.definitions if d.kind in OF_CODE):
            package.names.setdefault(definition, []).append(path)
        spaces = self._namespaces.setdefault(family, set())
        spaces.update(d.name for d in facts.definitions if d.kind == "namespace")
        if family == "c":
            spaces.update(facts.package.split("."))

    def home(self, path: str) -> str:
        """The file that a file's module counts as: of a package, the one that documents it, else its first."""
        key = self._of.get(path, ("", ""))
        if key[0] not in ANYWHERE or not key[1]:
            return path
        near = [p for p in self._packages[key].files if folder_of(p) == folder_of(path)]
        return next((p for p in near if self._files[p].summary), near[0])

    def name(self, path: str) -> str:
        """What a file's module is called: its package, or its path, in C with the suffix."""
        family, name = self._of[path]
        if family == "c":
            return path
        return name if name and family in ANYWHERE else path.rpartition(".")[0]

    def public(self) -> Iterator[Key]:
        """The names under which other projects may import from this one."""
        declared = ((family, name) for family, name in self._packages if family in DECLARED and name)
        yield from (key for key in declared if key[1].partition(".")[0] not in EVERYBODYS)
        yield from ((family, name) for name, (family, _) in self._roots.items())

    def owns(self, family: str, module: str, near: str) -> bool:
        """Whether a module is this project's, there or not."""
        if family in {"c", "ruby"}:
            return bool(self._includes.find(module, near))
        return bool(self._keys(family, module, near)) or any(
            root in self._roots and self._roots[root][0] == family for _, root in tops(family, module)
        )

    def find(self, family: str, module: str, near: str, name: str) -> list[str]:
        """The files of a package that define `name`; without one, the file it counts as."""
        if family in {"c", "ruby"}:
            found = self._includes.find(module, near)
            if name in {"", "*"}:
                return found[:1]
            reached = dict.fromkeys(p for one in found for p in self._includes.reached(one, self._twins))
            return [p for p in reached if self._defines(p, name)]
        packages = [self._packages[key] for key in self._keys(family, module, near)]
        if name in {"", "*"}:
            return [self.home(p) for p in nearest([p for one in packages for p in one.files], near)[:1]]
        return nearest([p for one in packages for p in one.names.get(name, ())], near)

    def children(self, family: str, module: str, name: str, near: str) -> list[str]:
        """The files of the module `name` inside `module`, where modules are named one below the other."""
        if family != "rust":
            return []
        inside = f"{module}{name}" if module.endswith("::") else f"{module}.{name}"
        return nearest([p for key in self._keys(family, inside, near) for p in self._packages[key].files], near)[:1]

    def mates(self, path: str, name: str) -> list[str]:
        """The files of this file's package that define a qualified name; in C#, else of a package around it."""
        family, package = self._of.get(path, ("", ""))
        while family:
            found = self._packages.get((family, package), _Package()).names.get(name, ())
            if found:
                return nearest(found, path)
            if family != "dotnet" or not package:
                break
            package = package.rpartition(".")[0]
        return []

    def is_namespace(self, path: str, name: str) -> bool:
        """Whether a name is of a namespace here, which its members' names leave out."""
        return name in self._namespaces.get(family_of(path), ())

    def shared_imports(self, path: str) -> list[Import]:
        """What another file imports for this one (C#'s `global using`), in the folder or below."""
        if family_of(path) != "dotnet":
            return []
        return [
            i
            for other, imports in self._global.items()
            if other != path and _below(path, folder_of(other))
            for i in imports
            if i.alias == "global"
        ]

    def _keys(self, family: str, module: str, near: str) -> list[Key]:
        exact = (family, module)
        if family == "dotnet" and module.partition(".")[0] in VENDOR:
            return []
        if family in DECLARED or exact in self._packages:
            return [exact] if exact in self._packages else []
        if family == "go":
            folders = [
                posixpath.normpath(posixpath.join(folder, module.removeprefix(root).lstrip("/")))
                for root, (kind, folder) in self._roots.items()
                if kind == "go" and f"{module}/".startswith(f"{root}/")
            ]
            found = [("go", folder) for folder in folders if ("go", folder) in self._packages]
            return found or self._there("go", _endings(module))
        return self._there("rust", self._crate_names(module, near))

    def _there(self, family: str, names: Iterable[str]) -> list[Key]:
        """Those of the packages that there are, by their first files."""
        found = [key for name in names if (key := (family, name)) in self._packages]
        return sorted(found, key=lambda key: self._packages[key].files[0])

    def _crate_names(self, module: str, near: str) -> set[str]:
        """`money.sums` may be module `sums` of crate `money`, or `money.sums` below the asking file's module."""
        crate, _, inside = module.partition(".")
        here = self._of.get(near, ("", ""))[1]
        family, folder = self._roots.get(crate, ("", ""))
        named = {f"{folder}::{inside}"} if family == "rust" else set[str]()
        return named | {f"{here}{module}" if here.endswith("::") else f"{here}.{module}"}

    def _twins(self, path: str) -> list[str]:
        return nearest([p for p in self._packages[self._of[path]].files if p != path], path)

    def _defines(self, path: str, name: str) -> bool:
        return path in self._packages[self._of[path]].names.get(name, ())


def family_of(path: str) -> str:
    """The languages that share packages with a file's; '' when its modules are no packages."""
    language = language_of(path)
    return language.packages if language else ""


def tops(family: str, module: str) -> list[Key]:
    """The names under which a project may provide a module: Go's modules hold packages, and crates modules."""
    if family == "go":
        parts = module.split("/")
        return [(family, "/".join(parts[:n])) for n in range(len(parts), 0, -1)]
    return [(family, module.partition(".")[0] if family == "rust" else module)]


def nearest(paths: Iterable[str], near: str) -> list[str]:
    """Those that share the longest folder with `near`; all of them when there is none."""
    found = list(paths)
    if len(found) < 2 or not near:
        return found
    shared = {path: _shared_folders(path, near) for path in found}
    most = max(shared.values())
    return [path for path in found if shared[path] == most]


def _endings(module: str) -> Iterator[str]:
    """The folders of two names at least that an import path may end in: its go.mod was not read."""
    parts = module.split("/")
    return ("/".join(parts[n:]) for n in range(1, len(parts) - 1))


def _roots(files: Mapping[str, FileFacts]) -> Iterator[tuple[str, Key]]:
    """What manifests name their folders: import path or crate → (family, folder)."""
    for path, facts in sorted(files.items()):
        family = PROVIDERS.get(path.rsplit("/", 1)[-1], "")
        for clue in facts.clues if family else ():
            if clue.side == "provides" and clue.relation == "DEPENDS_ON":
                yield clue.key.replace("-", "_") if family == "rust" else clue.key, (family, folder_of(path))


def folder_of(path: str) -> str:
    return path.rpartition("/")[0]


def _below(path: str, folder: str) -> bool:
    return not folder or path.startswith(f"{folder}/")


def _shared_folders(path: str, near: str) -> int:
    shared = 0
    for a, b in zip(path.split("/")[:-1], near.split("/")[:-1], strict=False):
        if a != b:
            break
        shared += 1
    return shared
