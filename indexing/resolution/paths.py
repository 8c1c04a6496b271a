"""Modules that are named by path (JavaScript, TypeScript): relative ones, those of packages, and aliases of source folders.

Node's resolution without its disk: a file before the folder of its name, the `index` of a folder; `@scope/name` is the
folder whose package.json says so, entered where it says (https://nodejs.org/api/packages.html) or, as that is often a
build, at the source the build comes from. `@/x`, `~/x` and, unless a dependency has the name, `x/y` start at the folder
of the nearest package.json or its `src`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from indexing.facts import HERE
from indexing.languages import language_of, module_path
from indexing.resolution.builtins import NODE_MODULES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from indexing.facts import FileFacts

__all__ = ["PathModules", "package_of"]

SOURCES: Final = ("", "src/", "lib/")


class PathModules:
    """The files of one project by the names they can be imported under."""

    def __init__(self, files: Mapping[str, FileFacts]) -> None:
        self._stems: dict[str, str] = {}
        paths = [path for path in files if (language := language_of(path)) and language.separator == "/"]
        for path in sorted(paths, key=_rank):
            self._stems.setdefault(module_path(path), path)
        self.names = {path: stem.removesuffix("/index") for stem, path in self._stems.items()}
        for path in paths:
            self.names.setdefault(path, path)  # `a.js` beside `a.ts`: nobody means it, but it has a name
        self._folders: dict[str, str] = {}
        self._entries: dict[str, str] = {}
        self._needed: set[str] = set()
        for path in sorted(path for path in files if path.rsplit("/", 1)[-1] == "package.json"):
            self._read(path.rpartition("/")[0], files[path])
        self.packages = frozenset(filter(None, self._folders.values()))

    def _read(self, folder: str, facts: FileFacts) -> None:
        self._folders[folder] = ""
        for clue in facts.clues:
            if clue.kind == "npm package" and clue.side == "needs":
                self._needed.add(clue.key)
            elif clue.kind == "npm package":
                self._folders[folder] = clue.key
            elif clue.kind == "npm entry":
                sources = self._built_from(f"{folder}/{clue.key}".lstrip("/"), folder)
                if found := next(filter(None, map(self._at, sources)), ""):
                    self._entries.setdefault(folder, found)

    def find(self, module: str, near: str = "") -> list[str]:
        """The files that are this module, seen from the file `near` of this project or, without one, from another."""
        if module == HERE:
            return [near] if near else []
        if module.startswith(("./", "../")):
            found = self._at(module.removeprefix("./").rstrip("/"))
            return [found] if found else []
        package = package_of(module)
        if package in self.packages:
            folders = [folder for folder, name in self._folders.items() if name == package]
            rest = module.removeprefix(package).lstrip("/")
            return [found for folder in folders if (found := self._inside(folder, rest))]
        alias = module.startswith(("@/", "~/"))
        if not near or (not alias and (package in self._needed or package in NODE_MODULES)):
            return []
        home = self._home(near)
        found = self._inside(home, module[2:] if alias else module) if home is not None else ""
        return [found] if found else []

    def _inside(self, folder: str, rest: str) -> str:
        if not rest and folder in self._entries:
            return self._entries[folder]
        base = f"{folder}/" if folder else ""
        return next((found for s in SOURCES if (found := self._at(f"{base}{s}{module_path(rest)}".rstrip("/")))), "")

    def _at(self, stem: str) -> str:
        return self._stems.get(stem, "") or self._stems.get(f"{stem}/index".lstrip("/"), "")

    def _home(self, path: str) -> str | None:
        folder = path
        while folder:
            folder = folder.rpartition("/")[0]
            if folder in self._folders:
                return folder
        return None

    @staticmethod
    def _built_from(entry: str, folder: str) -> Iterator[str]:
        """`dist/cjs/a.js` itself, or what it is made from: `src/cjs/a`, `src/a`."""
        stem = module_path(entry.replace("/./", "/").removeprefix("./"))
        yield stem
        base = f"{folder}/" if folder else ""
        parts = stem.removeprefix(base).split("/")
        for n in range(1, len(parts)):
            yield f"{base}src/{'/'.join(parts[n:])}"


def package_of(module: str) -> str:
    """The package a module is of: `@a/b` of `@a/b/c`; '' for a path."""
    if module.startswith((".", "@/", "~/", "node:")):
        return ""
    parts = module.split("/")
    return "/".join(parts[: 2 if module.startswith("@") else 1])


def _rank(path: str) -> tuple[bool, bool, str]:
    """Sources before what is made from them: `.ts` before `.js`, and both before `.d.ts`."""
    end = path.rsplit(".", 1)[-1]
    return (".d." in path.rsplit("/", 1)[-1], "t" not in end, path)
