"""What one generation holds, read once and not in the call: repositories and files by project (design §4)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from agents.evidence.paths import resolve_path, unknown_path
from memory.errors import InvalidInputError
from memory.vector.port import Corpus

__all__ = ["CataloguedProject", "EvidenceCatalogue"]

BOTH: frozenset[Corpus] = frozenset({"code", "docs"})


@dataclass(frozen=True, slots=True)
class CataloguedProject:
    """A project's repository (000 §6.3) and the corpus of each of its files; no files: nobody knows them."""

    repo: str
    files: Mapping[str, Corpus] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EvidenceCatalogue:
    """The projects of a generation by name. Every method keeps to the permission, its errors too."""

    generation: str
    projects: Mapping[str, CataloguedProject]

    def check_repos(self, repos: Sequence[str], permission: frozenset[str]) -> None:
        """Raises InvalidInputError for a repository that is not indexed, and lists those that are."""
        known = sorted({project.repo for project in self._visible(permission)})
        for repo in repos:
            if repo not in known:
                raise InvalidInputError(f"No repository {repo!r} here.", f"Known: {', '.join(known) or 'none'}.")

    def paths(self, permission: frozenset[str], repos: Collection[str]) -> dict[str, Corpus]:
        """The files of these repositories, of all where none is named; one path of two projects is one."""
        return {path: corpus for one in self._visible(permission, repos) for path, corpus in one.files.items()}

    def resolve(self, given: Sequence[str], permission: frozenset[str], repos: Collection[str]) -> tuple[str, ...]:
        """The indexed paths that are meant. Raises InvalidInputError that lists the nearest five."""
        paths = self.paths(permission, repos) if given else {}
        if not paths:
            return tuple(given)
        resolved = {path: resolve_path(path, paths) for path in given}
        for path, found in resolved.items():
            if found is None:
                raise unknown_path([path], paths)
        return tuple(dict.fromkeys(found for found in resolved.values() if found is not None))

    def corpora(self, permission: frozenset[str], repos: Collection[str], paths: Collection[str]) -> frozenset[Corpus]:
        """Which corpora a scope can yield at all; both where nobody knows the files."""
        if not repos and not paths:
            return BOTH
        files = self.paths(permission, repos)
        found = frozenset(files[path] for path in paths if path in files) if paths else frozenset(files.values())
        return found or BOTH

    def _visible(self, permission: frozenset[str], repos: Collection[str] = ()) -> list[CataloguedProject]:
        named = [project for name, project in sorted(self.projects.items()) if name in permission]
        return [project for project in named if not repos or project.repo in repos]
