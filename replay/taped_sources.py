"""What else is behind a tape: words and relations, the projects, a language model.

`TapedStatements` and `TapedVocabulary`: what a generation says of words and relations. `TapedCatalogue`: which projects
there are and what has become of their files. `TapedLanguageModel`: what a language model wrote.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from memory.project_folder import ProjectFolder
from memory.statements import FoundStatement

if TYPE_CHECKING:
    from memory.statements import Statements
    from memory.vocabulary import Words
    from replay.tape import Tape
    from synthesis.language_model import LanguageModel, TextDelta
    from wiring.catalogue import Catalogue

_WEIGHTS: Final = list[tuple[int, float]]
_COMMITS: Final = dict[str, dict[str, str | int | None]]


class TapedStatements:
    """The port of the statements."""

    def __init__(self, tape: Tape, live: Statements | None) -> None:
        self._tape = tape
        self._live: Any = live

    def search(
        self,
        terms: Mapping[str, int],
        permission: frozenset[str],
        *,
        weights: Mapping[int, float] | None = None,
        between: frozenset[str] = frozenset(),
        limit: int = 50,
    ) -> list[FoundStatement]:
        def fetch() -> list[FoundStatement]:
            live = self._live
            return live.search(terms, permission, weights=weights, between=between, limit=limit) if live else []

        return self._tape.look(
            "statements.search",
            list[FoundStatement],
            fetch,
            terms=dict(terms),
            permission=permission,
            weights=None if weights is None else sorted(weights.items()),
            **({"between": between} if between else {}),
            limit=limit,
        )


class TapedVocabulary:
    """The port of the vocabulary; without a live one nothing is rare and everything is known."""

    def __init__(self, tape: Tape, live: Words | None) -> None:
        self._tape = tape
        self._live: Any = live

    def weights(self, terms: Iterable[int], permission: Collection[str]) -> dict[int, float]:
        asked = sorted(set(terms))

        def fetch() -> list[tuple[int, float]]:
            found = self._live.weights(asked, permission) if self._live else dict.fromkeys(asked, 1.0)
            return sorted(found.items())

        return dict(
            self._tape.look("vocabulary.weights", _WEIGHTS, fetch, terms=asked, permission=frozenset(permission))
        )

    def known(self, terms: Iterable[int], permission: Collection[str]) -> frozenset[int]:
        asked = sorted(set(terms))

        def fetch() -> list[int]:
            return sorted(self._live.known(asked, permission)) if self._live else asked

        known = self._tape.look("vocabulary.known", list[int], fetch, terms=asked, permission=frozenset(permission))
        return frozenset(known)


class TapedCatalogue:
    """The catalogue's port and the projects' folders, one recorded call a project.

    permission: the scenario's, None for all that is indexed. The names of other projects do not enter the recording.
    """

    def __init__(self, tape: Tape, live: Catalogue | None, permission: frozenset[str] | None = None) -> None:
        self._tape = tape
        self._live: Any = live
        self._permission = permission

    def projects(self) -> frozenset[str]:
        return self._tape.look("catalogue.projects", frozenset[str], self._permitted)

    def _permitted(self) -> frozenset[str]:
        indexed: frozenset[str] = self._live.projects()
        return indexed if self._permission is None else indexed & self._permission

    def in_hand(self, visible: frozenset[str]) -> str | None:
        name: str | None = self._tape.look(
            "catalogue.in_hand", str | None, lambda: self._live.in_hand(visible), visible=visible
        )
        return name

    def has_changed(self, project: str, path: str) -> bool:
        return project not in self.folders or self.folders[project].has_changed(path)

    def embedded_share(self, projects: Collection[str]) -> float:
        names = sorted(projects)
        share = self._tape.look(
            "catalogue.embedded_share", float, lambda: self._live.embedded_share(names), projects=names
        )
        return float(share)

    def commits(self, projects: Iterable[str]) -> Mapping[str, Mapping[str, Any]]:
        return {name: commit for name in sorted(projects) for commit in self._commit(name).values()}

    def remember(self, projects: Iterable[str]) -> None:
        """Ask now what an answer that cites these projects would ask."""
        for name in sorted(projects):
            self._commit(name)
            self.folders[name].has_changed("")

    @cached_property
    def folders(self) -> Mapping[str, ProjectFolder]:
        known = self._live.folders if self._live is not None else {}
        return {name: TapedFolder(self._tape, name, known.get(name)) for name in sorted(self.projects())}

    def _commit(self, project: str) -> Mapping[str, Any]:
        return self._tape.look("catalogue.commits", _COMMITS, lambda: self._live.commits([project]), project=project)


class TapedFolder(ProjectFolder):
    """A project's files as they were on disk: all that were indexed, and which of them had changed since."""

    def __init__(self, tape: Tape, project: str, live: ProjectFolder | None) -> None:
        super().__init__(Path(), {})
        self._tape = tape
        self._project = project
        self._live: Any = live

    @property
    def paths(self) -> tuple[str, ...]:
        return self._tape.look("folder.paths", tuple[str, ...], lambda: self._live.paths, project=self._project)

    def has_changed(self, path: str) -> bool:
        changed: frozenset[str] = self._tape.look(
            "folder.changed", frozenset[str], self._changed, project=self._project
        )
        return path in changed or path not in self.paths

    def has_lost(self, path: str) -> bool:
        return self._tape.look("folder.lost", bool, lambda: self._live.has_lost(path), project=self._project, path=path)

    def read(self, path: str) -> str | None:
        text: str | None = self._tape.look(
            "folder.read", str | None, lambda: self._live.read(path), project=self._project, path=path
        )
        return text

    def _changed(self) -> frozenset[str]:
        return frozenset(path for path in self.paths if self._live.has_changed(path))


class TapedLanguageModel:
    """The port; an answer comes in the pieces in which it came, all of them at its end."""

    def __init__(self, tape: Tape, name: str, live: LanguageModel | None) -> None:
        self.name = name
        self._tape = tape
        self._live: Any = live

    async def stream(self, prompt: str) -> AsyncIterator[TextDelta]:
        async def fetch(_: list[int]) -> list[Any]:
            return [[piece async for piece in self._live.stream(prompt)]]

        [pieces] = await self._tape.ask("model.stream", [{"model": self.name, "prompt": prompt}], fetch)
        for piece in pieces:
            yield piece
