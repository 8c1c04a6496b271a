"""The example textbook on a store, for the tests of 002 and 004."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from configs import load_config
from facades.shelf import index_folder
from memory.embedders import FakeDenseEmbedder
from memory.vector import DENSE_DOCS, FakeVectorStore, QdrantVectorStore

EXAMPLE = Path(__file__).parents[2] / "examples/textbook"
PAGES = EXAMPLE / "pages"
TEXTBOOK, BOOK = 768, 1024
"""Dimensions of the models of 002 and of 004."""
MADE = datetime(2025, 12, 22, 10, 30, tzinfo=UTC)


async def filled(project: str, dimension: int, pages: Path = PAGES) -> tuple[FakeVectorStore, FakeDenseEmbedder]:
    """The pages in memory, and the embedder that they were filled with."""
    store, embedder = FakeVectorStore(), FakeDenseEmbedder(dimension)
    await index_folder(pages, store, embedder, project=project, now=MADE)
    return store, embedder


async def fill_server(url: str, profile: str, project: str, dimension: int) -> None:
    """The pages in the profile's collection on a server, under its own names."""
    config = load_config(profile, overrides=[f"vector.qdrant.url={url}"])
    store = await QdrantVectorStore.open(
        config.vector.qdrant, vectors={DENSE_DOCS: dimension}, namespace="", create=True, environ={}
    )
    await index_folder(PAGES, store, FakeDenseEmbedder(dimension), project=project, now=MADE)
    await store.close()
