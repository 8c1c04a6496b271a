"""What agents read and write: the vocabulary, the shared working memory, and long-term stores behind their ports."""

from __future__ import annotations

from memory.clock import Clock, SystemClock, VirtualClock
from memory.entities import Entity, Evidence, EvidenceFile, Relationship, Scope, ScopedProject
from memory.observations import (
    Duplicate,
    GraphObservation,
    LocalObservation,
    Location,
    NormalizedObservation,
    Observation,
    VectorObservation,
)
from memory.query import PathRole, QueryClassification, RecentItem, RetrievalPath, TaskContext
from memory.question import QueryType
from memory.shared import MemoryEntry, SharedWorkingMemory

__all__ = [
    "Clock",
    "Duplicate",
    "Entity",
    "Evidence",
    "EvidenceFile",
    "GraphObservation",
    "LocalObservation",
    "Location",
    "MemoryEntry",
    "NormalizedObservation",
    "Observation",
    "PathRole",
    "QueryClassification",
    "QueryType",
    "RecentItem",
    "Relationship",
    "RetrievalPath",
    "Scope",
    "ScopedProject",
    "SharedWorkingMemory",
    "SystemClock",
    "TaskContext",
    "VectorObservation",
    "VirtualClock",
]
