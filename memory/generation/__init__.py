"""Generations: what readers see of the stores, and how the indexer puts the next one in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memory.disk import Disk, FullDisk
from memory.generation.facts import FactsFolder, ProjectFacts
from memory.generation.folder import DataFolder
from memory.generation.inventory import Damage
from memory.generation.manifest import SCHEMA_VERSION, FileRecord, Manifest, ProjectRecord, SkippedFile
from memory.generation.reading import Generation

if TYPE_CHECKING:
    from memory.generation.publishing import IndexingSession, Stage

__all__ = [
    "SCHEMA_VERSION",
    "Damage",
    "DataFolder",
    "Disk",
    "FactsFolder",
    "FileRecord",
    "FullDisk",
    "Generation",
    "IndexingSession",
    "Manifest",
    "ProjectFacts",
    "ProjectRecord",
    "SkippedFile",
    "Stage",
]


def __getattr__(name: str) -> Any:
    """Who writes imports what writes (PEP 562)."""
    if name not in {"IndexingSession", "Stage"}:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from memory.generation import publishing  # noqa: PLC0415 - numpy, which readers of a manifest need not

    return getattr(publishing, name)
