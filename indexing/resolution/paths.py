"""Modules that are named by path: JavaScript's and TypeScript's, and what C and Ruby include.

Node's resolution without its disk: a file before the folder of its name, the `index` of a folder; `@scope/name` is the
folder whose package.json says so, entered where it says (https://nodejs.org/api/packages.html) or, as that is often a
build, at the source the build comes from. `@/x`, `~/x` and, unless a dependency has the name, `x/y` start at the folder
of the nearest package.json or its `src`. C's `#include` and Ruby's `require` are a path from the asking file's folder,
else from any folder that a build may look into: the end of a file's path.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from extraction.facts import HERE, FileFacts
from extraction.languages import language_of, module_path

_NODE_MODULES: Final = """
    assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain
    events fs http http2 https inspector module net os path perf_hooks process punycode querystring readline repl
    stream string_decoder sys timers tls trace_events tty url util v8 vm wasi worker_threads zlib
"""
NODE_MODULES: Final = frozenset(_NODE_MODULES.split())
"""Node's own, which no package provides (https://nodejs.org/api/, `module.builtinModules`)."""
SOURCES: Final = ("", "src/", "lib/")


class Includes:
    """The files of one project that may be included, by the ends of their paths."""

    def __init__(self, paths: Iterable[str], files: Mapping[str, FileFacts]) -> None:
        self._files = files
        self._by_name: dict[str, list[str]] = {}
        for path in paths:
            self._by_name.setdefault(path.rsplit("/", 1)[-1], []).append(path)
        self._reached: dict[str, tuple[str, ...]] = {}

    def find(self, module: str, near: str) -> list[str]:
        """The file that a name means in the file `near`; one that shares its folder before others."""
        language = language_of(near)
        wanted = module.removeprefix("./")
        if language is not None and language.packages == "ruby" and not wanted.endswith(".rb"):
            wanted += ".rb"
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(near), module))
        exact = wanted if module.startswith("./") else beside
        found = [p for p in self._by_name.get(wanted.rsplit("/", 1)[-1], ()) if p == exact]
        if found or module.startswith("./"):
            return found
        ends = [p for p in self._by_name.get(wanted.rsplit("/", 1)[-1], ()) if f"/{p}".endswith(f"/{wanted}")]
        return sorted(ends, key=lambda p: (-len(posixpath.commonprefix([p, near])), p))[:1]

    def reached(self, path: str, twins: Callable[[str], Iterable[str]]) -> tuple[str, ...]:
        """A header, what it includes in turn, and the sources that define what each of them declares."""
        if path not in self._reached:
            headers = {path: None}
            waiting = [path]
            while waiting:
                at = waiting.pop()
                for i in self._files[at].imports:
                    for inner in self.find(i.module, at):
                        if inner not in headers:
                            headers[inner] = None
                            waiting.append(inner)
            sources = dict.fromkeys(twin for header in headers for twin in twins(header))
            self._reached[path] = tuple(headers | sources)
        return self._reached[path]


class PathModules:
    """The files of one project by the names they can be imported under."""

    def __init__(self, files: Mapping[str, FileFacts]) -> None:
        self._stems: dict[str, str] = {}
        paths = [path for path in files if (language := language_of(path)) and language.separator == "/"]
        for path in sorted(paths, key=_rank):
            self._stems.setdefault(module_path(path), path)
        self.names = {path: stem.removesuffix("/index") for stem, path in self._stems.items()}
        for path in paths:
            self.names.setdefault(path, path)  # `a.js` beside `a.ts`: it is hardly meant, but it has a name
        self._folders: dict[str, str] = {}
        self._entries: dict[str, str] = {}
        self._needed: set[str] = set()
        for path in sorted(path for path in files if path.rsplit("/", 1)[-1] == "package.json"):
            self._read(path.rpartition("/")[0], files[path])
        self.packages = frozenset(filter(None, self._folders.values()))
        self._found: dict[tuple[str, str], list[str]] = {}

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
        key = (module, near)
        if key not in self._found:
            self._found[key] = self._find(module, near)
        return self._found[key]

    def _find(self, module: str, near: str) -> list[str]:
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
