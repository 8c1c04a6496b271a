"""A graph in parts, each of some projects: an edge-cut with ghosts, the ends that edges have in other parts.

Each part holds all that starts in its projects, and a copy of every entity of another part where that ends (Gonzalez et
al., PowerGraph, OSDI 2012, §4: "edge-cut", "ghosts"). So an edge is in one part, with both its ends; every read of one
hop is the reads of the parts together; and a change writes the parts anew that hold its projects, or ghosts of them,
and no other. Indexing needs the room of one part.

partitions.json names them. It is replaced as a whole, after the files that it names are there, so a reader sees either.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from memory.disk import Disk
from memory.errors import StoreError
from memory.graph.kglite_file import ANEW

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from pathlib import Path

__all__ = ["Partition", "holding", "housed", "read_partitions", "write_partitions"]

_NAMES: Final = "partitions.json"


@dataclass(frozen=True, slots=True)
class Partition:
    """One part. file: its name in the folder; entities: how many are its own; ghosts: other projects that
    something here is of.
    """

    file: str
    projects: tuple[str, ...]
    entities: int
    ghosts: tuple[str, ...] = ()

    def parameters(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """A read's, with as much of the permission as concerns it: an engine looks at each name for each row."""
        here = {*self.projects, *self.ghosts}
        return {**given, "permission": [project for project in given["permission"] if project in here]}

    def is_touched(self, projects: Collection[str], sources: Collection[str]) -> bool:
        """Whether it holds anything of `projects`, or what starts in `sources`."""
        gone = set(projects)
        return not (
            gone.isdisjoint(self.projects) and gone.isdisjoint(self.ghosts) and set(sources).isdisjoint(self.projects)
        )


def housed(partitions: Sequence[Partition], coming: Mapping[str, int], room: int) -> list[Partition]:
    """The partitions, with a home for each of these projects (name -> entities):
    its own, else the last while it has room.
    """
    homes = list(partitions)
    there = {project for partition in partitions for project in partition.projects}
    for project in sorted(coming.keys() - there):
        if not homes or homes[-1].entities >= room:
            homes.append(Partition("", (), 0))
        last = homes[-1]
        homes[-1] = replace(last, projects=(*last.projects, project), entities=last.entities + coming[project])
    return homes


def holding(partitions: Sequence[Partition], parameters: Mapping[str, Any]) -> list[Partition]:
    """Those that a read has to ask: that own a project of the permission, and hold something of what it looks for."""
    allowed = set(parameters["permission"])
    asked = [partition for partition in partitions if not allowed.isdisjoint(partition.projects)]
    known = {project for partition in partitions for project in partition.projects}
    found = _projects_of(parameters.get("ids", ()), known)
    return [p for p in asked if not found.isdisjoint(p.projects) or not found.isdisjoint(p.ghosts)] if found else asked


def _projects_of(ids: Sequence[str], known: Collection[str]) -> set[str]:
    """Whose entities these may be, by what their ids begin with (`Entity.id`); none where one's does not tell."""
    found = set[str]()
    for one in ids:
        parts = one.split("/")
        whose = {start for n in range(1, len(parts)) if (start := "/".join(parts[:n])) in known}
        if not whose:
            return set()
        found |= whose
    return found


def read_partitions(folder: Path) -> tuple[Partition, ...]:
    """Those of a graph's folder. Raises StoreError when there are none or they cannot be determined."""
    try:
        rows = json.loads((folder / _NAMES).read_text("utf-8"))
        return tuple(
            Partition(row["file"], tuple(row["projects"]), row["entities"], tuple(row["ghosts"])) for row in rows
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StoreError(f"The graph in {folder} cannot be opened: {error!r}", ANEW) from error


def write_partitions(folder: Path, partitions: Iterable[Partition]) -> None:
    """In place of those before. Raises OSError."""
    Disk().write(folder / _NAMES, [json.dumps([asdict(one) for one in partitions])])
