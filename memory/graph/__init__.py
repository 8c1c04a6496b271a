"""Entities and relations over all projects, behind one port."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory.graph.fake import FakeGraphStore
from memory.graph.port import GraphBatch, GraphPath, GraphStore, as_parts
from memory.imports import lazy_names

if TYPE_CHECKING:
    from memory.graph.kglite import KgliteGraphStore
    from memory.graph.neo4j import Neo4jGraphStore

__all__ = [
    "FakeGraphStore",
    "GraphBatch",
    "GraphPath",
    "GraphStore",
    "KgliteGraphStore",
    "Neo4jGraphStore",
    "as_parts",
]

_LAZY = {"KgliteGraphStore": "kglite", "Neo4jGraphStore": "neo4j"}

__getattr__ = lazy_names(__name__, _LAZY)
