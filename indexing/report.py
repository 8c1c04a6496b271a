"""What an indexing run did (docs/design.md#output)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Self

from indexing.project import Difference, ProjectUpdate
from indexing.sources import Sources
from memory.generation import Manifest, ProjectRecord, SkippedFile

_UNNAMED: Final = "its name is not UTF-8 or has control characters; rename the folder"


@dataclass(frozen=True, slots=True)
class ProjectReport:
    """One project that was asked for; `difference` is None when nothing about it changed."""

    record: ProjectRecord
    difference: Difference | None

    @property
    def lost(self) -> dict[str, int]:
        """The files and folders that can't be read now, and how many files left the index with each that were in it."""
        gone = self.difference.removed if self.difference else ()
        unreadable = [row.path for row in self.record.skipped if row.reason == "unreadable"]
        counts = {path: sum(one == path or one.startswith(f"{path}/") for one in gone) for path in unreadable}
        return {path: count for path, count in counts.items() if count}

    def to_dict(self) -> dict[str, Any]:
        record, difference = self.record, self.difference or Difference()
        return {
            "name": record.name,
            "root": record.root,
            "commit": record.commit,
            "files": len(record.files),
            "chunks": record.chunks,
            "entities": record.entities,
            "relations": record.relations,
            "by_names": record.by_names,
            "added": len(difference.added),
            "changed": len(difference.changed),
            "removed": len(difference.removed),
            "recognised": dict(record.recognised),
            "not_recognised": dict(record.not_recognised),
        }


@dataclass(frozen=True, slots=True)
class IndexReport:
    """The run. Totals of entities and relations are the whole index's; files and chunks the asked projects'.

    embedded: the share (0..1) of all chunks that have their dense vector; because: what the reader of a file met that
    could not be read, by project and path; unnamed: the folders that are no projects for their names; absent: the
    projects whose folder, or distribution, is not there, which stay as they were indexed; unreached: why projects of a
    list can't be had, by name.
    """

    generation: int
    unchanged: bool
    projects: tuple[ProjectReport, ...]
    removed: tuple[str, ...]
    entities: int
    relations: int
    embedded: float = 1.0
    because: Mapping[tuple[str, str], str] = field(default_factory=dict)
    unnamed: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    unreached: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls, number: int, manifest: Manifest, updates: Mapping[str, ProjectUpdate], sources: Sources, *, unchanged: bool
    ) -> Self:
        asked = {source.project.name for source in sources.present}
        return cls(
            generation=number,
            unchanged=unchanged,
            projects=tuple(
                ProjectReport(record, updates[record.name].difference if record.name in updates else None)
                for record in manifest.projects
                if record.name in asked
            ),
            removed=tuple(sorted(sources.gone - asked)),
            entities=manifest.entities,
            relations=manifest.relations,
            embedded=manifest.embedded_share(manifest.names),
            unnamed=sources.unnamed,
            absent=sources.absent,
            unreached=sources.unreached,
        )

    def to_dict(self, seconds: float) -> dict[str, Any]:
        rows = [project.to_dict() for project in self.projects]
        return {
            "schema_version": "1",
            "generation": self.generation,
            "unchanged": self.unchanged,
            "seconds": round(seconds, 3),
            "files": sum(row["files"] for row in rows),
            "chunks": sum(row["chunks"] for row in rows),
            "entities": self.entities,
            "relations": self.relations,
            "embedded": self.embedded,
            "projects": rows,
            "removed": list(self.removed),
            "absent": list(self.absent),
            "unreached": [{"project": name, "because": why} for name, why in self.unreached.items()],
            "lost": [
                {"project": project.record.name, "path": path, "files": count}
                for project in self.projects
                for path, count in project.lost.items()
            ],
            "skipped": [
                {"project": name, "path": "", "reason": "undecodable", "because": _UNNAMED} for name in self.unnamed
            ]
            + [self._left_out(project.record.name, row) for project in self.projects for row in project.record.skipped],
        }

    def _left_out(self, project: str, row: SkippedFile) -> dict[str, Any]:
        because = self.because.get((project, row.path))
        return {"project": project, "path": row.path, "reason": row.reason} | ({"because": because} if because else {})
