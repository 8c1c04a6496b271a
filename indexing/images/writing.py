"""Pictures into the vector store, and documents into the pictures' space, so that either finds the other."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import anyio.to_thread

from indexing.chunks import ChunkDraft, language_of
from indexing.images.reading import Shown
from indexing.points import Provenance, chunk_of, embedded_text
from indexing.reading import NO_LIMIT, Skipped, read_bytes
from memory.embedders import EmbeddingCache, EncoderSource, ImageEmbedder, embed_bulk
from memory.text.identifiers import split_identifier
from memory.vector.port import IMAGE, Chunk, Point, SparseVector, VectorStore

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_IDS = uuid.uuid5(uuid.NAMESPACE_URL, "hybrid-retrieval:picture")
_NO_TERMS = SparseVector((), ())
_PIECE = 64


def picture_chunks(provenance: Provenance, pictures: Iterable[tuple[str, str]], shown: Iterable[Shown]) -> list[Chunk]:
    """A chunk a picture, given as (path, hash of the file); ids are UUIDv5 of project, path, hash and text."""
    places: dict[str, list[Shown]] = {}
    for one in sorted(shown, key=lambda one: (one.path, one.line)):
        places.setdefault(one.target, []).append(one)
    return [_chunk(provenance, path, digest, places.get(path, ())) for path, digest in sorted(pictures)]


def _chunk(provenance: Provenance, path: str, digest: str, places: Sequence[Shown]) -> Chunk:
    draft = ChunkDraft(0, 0, "", "", "docs", "image", language_of(path), _text(path, places))
    return chunk_of(provenance, path, draft, _IDS, digest)


def _text(path: str, places: Sequence[Shown]) -> str:
    """What the documents say of it, each thing once, and where; of one that nothing shows, the words of its name."""
    if not places:
        return f"Picture: {' '.join(split_identifier(PurePosixPath(path).stem)) or path}"
    texts = dict.fromkeys(text for one in places for text in (one.alt, one.around) if text)
    where = ", ".join(f"{one.path}:{one.line}" for one in places)
    return "\n".join([*texts, f"Shown in {where}"])


@dataclass(frozen=True, slots=True)
class PictureModels:
    """The two halves of a model that puts pictures and texts into one space."""

    images: ImageEmbedder
    texts: EncoderSource


class PictureWriter:
    """One run's pictures. Each is embedded once, whatever documents say of it later: `cache` knows it by its bytes."""

    def __init__(self, models: PictureModels, cache: EmbeddingCache, *, workers: int) -> None:
        self._models = models
        self._cache = cache
        self._workers = workers

    async def add(self, store: VectorStore, root: Path, pictures: Sequence[Chunk], hashes: Mapping[str, str]) -> None:
        """Put a project's pictures into the store. hashes: their files', by path. Raises StoreError and ModelError."""
        for start in range(0, len(pictures), _PIECE):
            piece = pictures[start : start + _PIECE]
            vectors = await self._vectors(root, {hashes[chunk.path]: chunk.path for chunk in piece})
            fields = {digest: {IMAGE: vector.tolist()} for digest, vector in vectors.items()}
            await store.upsert([Point(chunk, _NO_TERMS, fields.get(hashes[chunk.path], {})) for chunk in piece])

    async def relate(self, store: VectorStore, chunks: Sequence[Chunk]) -> None:
        """Give stored documents their vector in the pictures' space. Raises StoreError and ModelError."""
        documents = [chunk for chunk in chunks if chunk.corpus == "docs"]
        texts = [embedded_text(chunk) for chunk in documents]
        vectors = await embed_bulk(texts, self._models.texts, cache=self._cache, workers=self._workers)
        for start in range(0, len(documents), _PIECE):
            piece = range(start, min(start + _PIECE, len(documents)))
            await store.set_dense({documents[n].id: {IMAGE: vectors[n].tolist()} for n in piece})

    async def _vectors(self, root: Path, paths: Mapping[str, str]) -> dict[str, NDArray[np.float32]]:
        """By hash; without those that changed since they were looked at, which the next run sees."""
        model = self._models.images
        cached = self._cache.get(model.cache_key, paths)
        vectors = {key: vector for key, vector in cached.items() if len(vector) == model.dimension}
        for digest in paths.keys() - vectors.keys():
            look = partial(read_bytes, root / paths[digest], NO_LIMIT)
            read = await anyio.to_thread.run_sync(look, abandon_on_cancel=True)
            if not isinstance(read, Skipped) and read[1].hash == digest:
                [vectors[digest]] = await model.embed_images([read[0]])
                self._cache.put(model.cache_key, {digest: vectors[digest]})
        return vectors
