"""Entities and relations over all projects, behind one port."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from memory.graph.fake import FakeGraphStore
from memory.graph.port import Direction, FileMention, GraphBatch, GraphPath, GraphStore

if TYPE_CHECKING:
    from memory.graph.kglite import KgliteGraphStore
    from memory.graph.neo4j import Neo4jGraphStore

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

_LAZY = {"KgliteGraphStore": "kglite", "Neo4jGraphStore": "neo4j"}


def __getattr__(name: str) -> Any:
    """An engine's adapter is imported by who asks for it (PEP 562)."""
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)
