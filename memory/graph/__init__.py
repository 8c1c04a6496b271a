"""Entities and relations over all projects, behind one port."""

from __future__ import annotations

from memory.graph.fake import FakeGraphStore
from memory.graph.kglite import KgliteGraphStore
from memory.graph.neo4j import Neo4jGraphStore
from memory.graph.port import Direction, FileMention, GraphBatch, GraphPath, GraphStore

__all__ = [
    "Direction",
    "FakeGraphStore",
    "FileMention",
    "GraphBatch",
    "GraphPath",
    "GraphStore",
    "KgliteGraphStore",
    "Neo4jGraphStore",
]
