"""A generation whose vectors and graph are in its folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from configs.settings import VectorSettings
from memory.errors import DataFolderError
from memory.graph import GraphStore, KgliteGraphStore
from memory.vector import EdgeVectorStore, VectorStore


class EmbeddedStores:
    """Qdrant Edge and kglite at a generation's paths."""

    keeps_deleted = True

    def open_vectors(self, path: str, vectors: Mapping[str, int], namespace: str, *, copied: bool) -> VectorStore:
        if copied:
            return EdgeVectorStore.open(path, namespace=namespace)
        return EdgeVectorStore.create(path, vectors=vectors, namespace=namespace)

    def open_graph(self, path: str, namespace: str, *, copied: bool) -> GraphStore:
        there = copied and Path(path).exists()  # the copy may be of a generation whose graph is on a server
        return (KgliteGraphStore.stage if there else KgliteGraphStore.create)(path, namespace=namespace)

    async def holds(self, graph_path: Path) -> bool:
        """It may be missing where the index was made with another store."""
        return graph_path.exists()  # noqa: ASYNC240 - one look

    async def sweep(self, graph_path: Path) -> None:
        """Nothing is left of a folder that was removed."""


def check_place(settings: VectorSettings, path: Path) -> None:
    """Raises DataFolderError where the vectors are in the folder and the settings name a server, or the reverse."""
    places = {"edge": "in the data folder", "qdrant": "on a Qdrant server"}
    held = "qdrant" if path.is_file() else "edge"
    if held != settings.store and path.exists():
        raise DataFolderError(
            f"The vectors of this index are {places[held]}; the settings have them {places[settings.store]}.",
            "Use the profile it was made with, or index into another data folder.",
        )
