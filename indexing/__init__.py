"""The write path: discover projects, cut files into chunks, extract entities and relations, fill both stores.

See docs/design.md#generations.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

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
    "IndexingParts": "ports",
    "StageStores": "ports",
    "read_commit": "repository",
}


def __getattr__(name: str) -> Any:
    """Each name by itself (PEP 562): a question reads a repository's commit and needs none of the rest."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES.get(name, 'build')}"), name)
