"""Files that are named where they are used: C's `#include`, Ruby's `require`.

A path from the asking file's folder, else from any folder that a build may look into: the end of a file's path.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from indexing.languages import language_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from indexing.facts import FileFacts

__all__ = ["Includes"]


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
