"""The write path: discover projects, cut files into chunks, extract entities and relations, fill both stores (design §5)."""

from __future__ import annotations

from indexing.build import Indexer, IndexingParts, StageStores
from indexing.report import IndexReport
from indexing.repository import read_repository
from indexing.sources import IndexRequest

__all__ = ["IndexReport", "IndexRequest", "Indexer", "IndexingParts", "StageStores", "read_repository"]
