"""What a run is asked to index, and which indexed projects are gone (docs/design.md#projects)."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from indexing.clones import Listed
from indexing.discovery import (
    DiscoveredProject,
    discover,
    discover_distribution,
    each_subfolder,
    is_installed,
    refuse_duplicates,
    unnamed,
)
from memory.errors import HybridRetrievalError, InvalidInputError, NoFolderError, UnknownProjectError
from memory.generation import Manifest, ProjectRecord


@dataclass(frozen=True, slots=True)
class IndexRequest:
    """Folders (with `each`, their direct sub-folders), installed distributions, names to remove, and the rows of a list
    of sources. Without any of these: what is indexed is brought up to date, of that only `known` where it is given.
    """

    folders: Sequence[Path] = ()
    each: bool = False
    distributions: Sequence[str] = ()
    remove: Sequence[str] = ()
    known: Collection[str] | None = None
    listed: Sequence[Listed] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """One project. group: the folder whose sub-folders were asked for; url: where a node without it fetches it."""

    project: DiscoveredProject
    group: str = ""
    distribution: bool = False
    url: str = ""


@dataclass(frozen=True, slots=True)
class Sources:
    """What to index, which indexed projects to remove, and the folders under `each` whose names no project can have.

    absent: indexed projects that were asked for and whose folder, or distribution, is not there; they stay as they are.
    unreached: why projects of a list can't be had, by name; what is indexed of them stays, too.
    """

    present: tuple[Source, ...]
    gone: frozenset[str]
    unnamed: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    unreached: Mapping[str, str] = field(default_factory=dict)


def find_sources(
    request: IndexRequest,
    current: Manifest | None,
    *,
    max_file_bytes: int,
    pictures: bool = False,
    fetched: Sequence[Source] = (),
    unreached: Mapping[str, HybridRetrievalError] = MappingProxyType({}),
) -> Sources:
    """Look at the disk for everything that was asked for, beside what was fetched, or could not be.

    A request that names nothing asks for all that is indexed, with the sub-folders that are new under `each`. Gone are
    the names to remove, and under `each` the projects of that folder whose sub-folder no longer exists.
    Raises InvalidInputError, UnknownProjectError, DuplicateProjectError, which names both places, and of a list of
    which nothing can be had the first reason.
    """
    indexed = current.projects if current else ()
    known = {project.name: project.root for project in indexed}
    for name in (*request.remove, *sorted(request.known or ())):
        if name not in known:
            raise UnknownProjectError(name, known)
    if not (request.folders or request.distributions or request.remove or request.listed):
        if not indexed:
            raise InvalidInputError("There is nothing to index.", "Give a PATH, --distribution NAME or --remove NAME.")
        return _known_sources(indexed, request.known, limit=max_file_bytes, pictures=pictures)
    present = [
        source
        for folder in request.folders
        for source in _of_folder(folder, each=request.each, limit=max_file_bytes, pictures=pictures)
    ]
    folders, lost = _of_list(request.listed, limit=max_file_bytes, pictures=pictures)
    present += [*folders, *fetched]
    lost |= unreached
    for name in dict.fromkeys(request.distributions):
        found = discover_distribution(name, max_file_bytes=max_file_bytes, pictures=pictures)
        present.append(Source(found, distribution=True))
    groups = {_group(folder) for folder in request.folders} if request.each else set()
    here = {source.project.name for source in present}
    gone = {project.name for project in indexed if project.group in groups and project.name not in here}
    gone |= set(request.remove)
    if not (present or gone):
        nothing = InvalidInputError(
            f"No folder to index in {', '.join(sorted(groups))}.",
            "With --each, every direct sub-folder is a project whose name is UTF-8 without control characters.",
        )
        raise next(iter(lost.values()), nothing)
    kept = [(name, root) for name, root in known.items() if name not in gone]
    refuse_duplicates([*kept, *((source.project.name, str(source.project.root)) for source in present)])
    reasons = {name: error.message for name, error in sorted(lost.items())}
    return Sources(tuple(present), frozenset(gone), _unnamed(groups), unreached=reasons)


def _known_sources(
    indexed: Sequence[ProjectRecord], only: Collection[str] | None, *, limit: int, pictures: bool
) -> Sources:
    """What is indexed, as it is now; `only` these, None for all. What has no folder any more, or is installed no more,
    stays as it was: a disk may not be there.
    """
    asked = [project for project in indexed if only is None or project.name in only]
    groups = sorted({project.group for project in asked if project.group and Path(project.group).is_dir()})
    below = {str(folder): group for group in groups for folder in each_subfolder(Path(group))}
    gone = frozenset(one.name for one in asked if one.group in groups and one.root not in below)
    present = [s for one in asked if one.name not in gone for s in _as_it_is(one, limit=limit, pictures=pictures)]
    if only is None:
        roots = {project.root for project in indexed}
        present += [
            Source(discover(Path(folder), max_file_bytes=limit, pictures=pictures), group)
            for folder, group in below.items()
            if folder not in roots
        ]
    if not (present or gone):
        raise NoFolderError("No folder of what is indexed is there.", "Give a PATH, or --remove NAME.")
    kept = [(project.name, project.root) for project in indexed if project.name not in gone]
    refuse_duplicates([*kept, *((source.project.name, str(source.project.root)) for source in present)])
    found = gone | {source.project.name for source in present}
    absent = tuple(project.name for project in asked if project.name not in found)
    return Sources(tuple(present), gone, _unnamed(groups), absent)


def _as_it_is(one: ProjectRecord, *, limit: int, pictures: bool) -> Iterator[Source]:
    """An indexed project, where it is still there."""
    if one.distribution:
        if is_installed(one.name):
            yield Source(discover_distribution(one.name, max_file_bytes=limit, pictures=pictures), distribution=True)
    elif Path(one.root).is_dir():
        yield Source(discover(Path(one.root), max_file_bytes=limit, pictures=pictures), one.group)


def _of_folder(folder: Path, *, each: bool, limit: int, pictures: bool) -> list[Source]:
    if not each:
        return [Source(discover(folder, max_file_bytes=limit, pictures=pictures))]
    return [
        Source(discover(one, max_file_bytes=limit, pictures=pictures), _group(folder)) for one in each_subfolder(folder)
    ]


def _of_list(
    listed: Sequence[Listed], *, limit: int, pictures: bool
) -> tuple[list[Source], dict[str, HybridRetrievalError]]:
    """The folders of a list, and why others of it can't be had."""
    found, lost = list[Source](), dict[str, HybridRetrievalError]()
    for one in listed:
        try:
            found += _of_folder(one.path, each=False, limit=limit, pictures=pictures) if one.path else []
        except InvalidInputError as error:
            lost[one.name] = error
    return found, lost


def _unnamed(groups: Iterable[str]) -> tuple[str, ...]:
    return tuple(name for group in sorted(groups) for name in unnamed(Path(group)))


def _group(folder: Path) -> str:
    """One spelling for one folder, so that a later run knows its projects again; links keep their own name."""
    return os.path.abspath(folder)  # noqa: PTH100 - Path.absolute keeps `..`
