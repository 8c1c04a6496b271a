"""What left the index leaves the disk: a deleted point's text stays in an engine's files until it is written anew."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from indexing.stored import by_chunks, project_files, stored_chunks
from memory.generation import ProjectRecord
from memory.vector.port import Chunk, VectorStore

__all__ = ["cached_keys", "turned_secret"]


async def cached_keys(
    store: VectorStore, projects: Iterable[ProjectRecord], keys_of: Callable[[Sequence[Chunk]], Iterable[str]]
) -> set[str]:
    """What the embeddings of these projects' chunks are cached under (`keys_of`). Raises StoreError."""
    keys: set[str] = set()
    for some in by_chunks(project_files(projects)):
        keys |= set(keys_of(await stored_chunks(store, some)))
    return keys


def turned_secret(before: ProjectRecord | None, now: ProjectRecord) -> bool:
    """Whether a file that was indexed is a secret now."""
    indexed = {file.path for file in before.files} if before else set()
    return any(row.reason == "secret" and row.path in indexed for row in now.skipped)
