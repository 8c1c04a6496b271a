"""What a generation says about itself: models, projects, files. Small, because every reader loads it.

See docs/design.md#generations.

What each file says on its own (`FileFacts`, which only the indexer reads) lies beside it in `facts/`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from operator import attrgetter
from pathlib import Path
from typing import Any, Final

from memory.errors import DamagedIndexError, DataFolderError

SCHEMA_VERSION: Final = 1
_COARSEST_TICK_NS: Final = 2_000_000_000
"""FAT counts in two seconds, which is the coarsest clock a file system has."""


@dataclass(frozen=True, slots=True)
class FileRecord:
    """One indexed file: its content hash, and what tells cheaply that it has not changed (bytes, nanoseconds).

    read_ns: the wall clock before the file was looked at. awaiting: how many of its chunks have no dense vector yet.
    """

    path: str
    hash: str
    size: int
    mtime_ns: int
    lines: int = 0
    chunks: int = 0
    ctime_ns: int = 0
    read_ns: int = 0
    awaiting: int = 0

    @property
    def is_settled(self) -> bool:
        """Whether the file is as it was while it has the same size and times: a write in the same tick of the file
        system's clock as the look would leave all three equal (git's racy-git.txt).
        """
        return max(self.mtime_ns, self.ctime_ns) < self.read_ns - _COARSEST_TICK_NS


@dataclass(frozen=True, slots=True)
class SkippedFile:
    """One row of what was left out, and the reason (docs/design.md#output); an ignored folder is one row."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class ProjectRecord:
    """One project as it was indexed. `root` is its absolute folder, `commit` HEAD of its repository ('' where there is
    none).

    `recognised` counts files by the language or rule that saw something in them, `not_recognised` the others of code by
    suffix; `by_names` counts the confirmed relations that no rule found, but a name at both ends; `group` is the folder
    whose sub-folders `--each` made projects of; `addresses` tells one state of those that its secrets say from the
    next.
    """

    name: str
    root: str
    repo: str = ""
    commit: str = ""
    group: str = ""
    distribution: bool = False
    entities: int = 0
    relations: int = 0
    by_names: int = 0
    files: tuple[FileRecord, ...] = ()
    skipped: tuple[SkippedFile, ...] = ()
    not_recognised: Mapping[str, int] = field(default_factory=dict)
    recognised: Mapping[str, int] = field(default_factory=dict)
    addresses: str = ""

    @property
    def chunks(self) -> int:
        """How many chunks its files were cut into."""
        return sum(file.chunks for file in self.files)

    @property
    def awaiting(self) -> int:
        """How many of them have no dense vector yet."""
        return sum(file.awaiting for file in self.files)


@dataclass(frozen=True, slots=True)
class Manifest:
    """One generation. `entities` and `relations` are the totals; `namespace` is the index's own id.

    recipe: the settings, besides the model, that every chunk of the index was made with. weights: the fingerprint of
    the files of each model that was read from a folder here, by its name.
    """

    namespace: str
    profile: str
    dense_model: str
    dimension: int
    sparse_model: str = ""
    recipe: str = ""
    projects: tuple[ProjectRecord, ...] = ()
    entities: int = 0
    relations: int = 0
    image_model: str = ""
    image_dimension: int = 0
    weights: Mapping[str, str] = field(default_factory=dict)
    schema_version: int = SCHEMA_VERSION

    def project(self, name: str) -> ProjectRecord | None:
        """The project of this name, or None."""
        return next((p for p in self.projects if p.name == name), None)

    @property
    def names(self) -> frozenset[str]:
        """Every indexed project."""
        return frozenset(p.name for p in self.projects)

    @property
    def awaiting(self) -> int:
        """How many chunks have no dense vector yet: their text was published first."""
        return sum(p.awaiting for p in self.projects)

    def embedded_share(self, names: Collection[str]) -> float:
        """The share (0..1) of these projects' chunks that have their dense vector; 1 where there are none."""
        projects = [p for p in self.projects if p.name in names]
        chunks = sum(p.chunks for p in projects)
        return 1 - sum(p.awaiting for p in projects) / chunks if chunks else 1.0

    def also_awaiting(self, counts: Mapping[tuple[str, str], int]) -> Manifest:
        """The same, but that of these files, by project and path, so many chunks wait for their dense vector."""
        return (
            self._with_files(lambda project, file: counts.get((project, file.path), file.awaiting)) if counts else self
        )

    def embedded(self) -> Manifest:
        """The same without any chunk that waits."""
        return self._with_files(lambda *_: 0)

    def _with_files(self, awaiting: Callable[[str, FileRecord], int]) -> Manifest:
        projects = (
            replace(p, files=tuple(replace(f, awaiting=awaiting(p.name, f)) for f in p.files)) for p in self.projects
        )
        return replace(self, projects=tuple(projects))

    def check(self, dense_model: str, dimension: int) -> None:
        """Raises DataFolderError, naming both, when the index was made with another model or dimension."""
        if (self.dense_model, self.dimension) != (dense_model, dimension):
            raise DataFolderError(
                f"This index was made with {self.dense_model} ({self.dimension} dimensions); "
                f"the settings say {dense_model} ({dimension} dimensions).",
                "Use the profile it was made with, or index into another data folder.",
            )

    def check_beside(self, sparse_model: str, image_model: str = "", image_dimension: int = 0) -> None:
        """Raises DataFolderError where the index was made with another sparse model, or other pictures' vectors than
        asked.

        image_model '': none is asked for, and what there is does no harm.
        """
        made = (self.image_model, self.image_dimension)
        wrong = [
            f"{kind} {indexed or 'none'}, the settings say {asked}"
            for kind, indexed, asked, differs in (
                ("the sparse model", self.sparse_model, sparse_model, self.sparse_model != sparse_model),
                (
                    "the image model",
                    f"{made[0]} ({made[1]} dimensions)" if made[0] else "",
                    f"{image_model} ({image_dimension} dimensions)",
                    bool(image_model) and made != (image_model, image_dimension),
                ),
            )
            if differs
        ]
        if wrong:
            raise DataFolderError(
                f"This index was made with {'; '.join(wrong)}.",
                "Use the profile it was made with, or index into another data folder.",
            )

    def to_json(self) -> str:
        """One JSON document; a file is a row of values in the order of FileRecord's fields."""
        document = {**_shallow(self), "projects": [_project_out(p) for p in self.projects]}
        return json.dumps(document, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str | bytes, where: Path | str) -> Manifest:
        """The value `to_json` came from. Raises DamagedIndexError, and DataFolderError for one of a newer version."""
        try:
            document = json.loads(text)
            refuse_newer(document["schema_version"], str(where))
            return cls(**{**document, "projects": tuple(_project_in(p) for p in document["projects"])})
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise DamagedIndexError(where, f"can't be read: {error!r}") from error


def refuse_newer(schema_version: int, where: str) -> None:
    """Raises DataFolderError when a newer version of this program wrote it."""
    if schema_version > SCHEMA_VERSION:
        raise DataFolderError(
            f"{where} has schema {schema_version}; this version reads up to {SCHEMA_VERSION}.",
            "Update hybrid-retrieval, or use another data folder.",
        )


_row: Final = attrgetter(*(f.name for f in fields(FileRecord)))  # `astuple` would copy each value, 30 times as slowly


def _shallow(record: Manifest | ProjectRecord) -> dict[str, Any]:
    return {f.name: getattr(record, f.name) for f in fields(record)}


def _project_out(project: ProjectRecord) -> dict[str, Any]:
    rows = {"files": [_row(f) for f in project.files], "skipped": [asdict(s) for s in project.skipped]}
    seen = {"recognised": dict(project.recognised), "not_recognised": dict(project.not_recognised)}
    return {**_shallow(project), **rows, **seen}


def _project_in(document: Mapping[str, Any]) -> ProjectRecord:
    files = tuple(FileRecord(*row) for row in document["files"])
    skipped = tuple(SkippedFile(**row) for row in document["skipped"])
    return ProjectRecord(**{**document, "files": files, "skipped": skipped})
