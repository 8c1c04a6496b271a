"""Generations: what readers see of the stores, and how the indexer puts the next one in its place."""

from __future__ import annotations

from memory.disk import Disk, FullDisk
from memory.generation.current import Pointer
from memory.generation.facts import FactsFolder, ProjectFacts, RawFacts
from memory.generation.folder import DataFolder
from memory.generation.manifest import SCHEMA_VERSION, FileRecord, Manifest, ProjectRecord, SkippedFile
from memory.generation.publishing import IndexingSession, Stage
from memory.generation.reading import Generation

__all__ = [
    "SCHEMA_VERSION",
    "DataFolder",
    "Disk",
    "FactsFolder",
    "FileRecord",
    "FullDisk",
    "Generation",
    "IndexingSession",
    "Manifest",
    "Pointer",
    "ProjectFacts",
    "ProjectRecord",
    "RawFacts",
    "SkippedFile",
    "Stage",
]
