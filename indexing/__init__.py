"""The write path: discover, cut into chunks, extract entities and relations, store (docs/design.md#generations)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory.imports import lazy_names

if TYPE_CHECKING:
    from indexing.build import Indexer
    from indexing.ports import IndexingParts, StageStores
    from indexing.report import IndexReport
    from indexing.repository import read_commit
    from indexing.sources import IndexRequest

__all__ = ["IndexReport", "IndexRequest", "Indexer", "IndexingParts", "StageStores", "read_commit"]

_HOMES = {
    "IndexReport": "report",
    "IndexRequest": "sources",
    "Indexer": "build",
    "IndexingParts": "ports",
    "StageStores": "ports",
    "read_commit": "repository",
}

# A question reads a repository's commit and needs none of the rest.
__getattr__ = lazy_names(__name__, _HOMES)
