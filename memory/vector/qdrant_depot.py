"""`QdrantDepot`: pieces of files and one pointer, in a collection of their own beside that of the points (decision
record 0084).

A piece is named by the SHA-256 of its content, so that it is written once and its reader sees whether it is what was
written.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import zlib
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

import anyio.to_thread
from qdrant_client import models

from configs.settings import QdrantSettings
from memory.errors import StoreError
from memory.text.output import without_credentials
from memory.together import batches
from memory.vector.qdrant_calls import QdrantCalls, connect

if TYPE_CHECKING:
    from qdrant_client import AsyncQdrantClient

_MOST: Final = 2**20
"""No piece has so many bytes."""
_POINTER: Final = str(UUID(int=1))
_PAGE: Final = 1000
_DATA: Final = "data"


class QdrantDepot:
    """One index's pieces. Raises StoreError, and ConfigError for a key that is missing or refused."""

    def __init__(self, client: AsyncQdrantClient, settings: QdrantSettings) -> None:
        self.name = f"{settings.collection}_generations"
        self.place = f"the collection {self.name!r} on {without_credentials(settings.url)}"
        self._client = client
        self._replicas = settings.replicas
        self._calls = QdrantCalls(settings)

    @classmethod
    def of(cls, settings: QdrantSettings, environ: Mapping[str, str] | None = None) -> QdrantDepot:
        """That of the settings; nothing is sent yet."""
        return cls(connect(settings, environ), settings)

    async def make(self) -> None:
        """The collection, where there is none. Qdrant wants a vector, which none of the points has."""
        if not await self._exists():
            create, none = self._client.create_collection, {"none": models.SparseVectorParams()}
            await self._calls(
                "make a collection",
                lambda: create(
                    self.name, vectors_config={}, sparse_vectors_config=none, replication_factor=self._replicas
                ),
                write=True,
            )

    async def pointer(self) -> Mapping[str, Any] | None:
        """What `point` wrote last; None before."""
        found = await self._payloads([_POINTER]) if await self._exists() else {}
        return found.get(_POINTER)

    async def point(self, payload: Mapping[str, Any]) -> None:
        """In place of the pointer that is there, in one write."""
        await self._upsert({_POINTER: payload})

    async def put(self, pieces: Mapping[str, bytes]) -> None:
        """These pieces, by name."""
        await self._upsert({_id(name): {_DATA: _packed(content)} for name, content in pieces.items()})

    async def fetch(self, names: Collection[str]) -> dict[str, bytes]:
        """What these pieces hold. Raises StoreError where one is missing or holds something else."""
        found = await self._payloads([_id(name) for name in names])
        contents = {name: found.get(_id(name)) for name in names}
        return await anyio.to_thread.run_sync(
            lambda: {name: self._content(name, payload) for name, payload in contents.items()}
        )

    async def lacks(self, names: Collection[str]) -> frozenset[str]:
        """Which of these are not there."""
        there = await self._there()
        return frozenset(name for name in names if _id(name) not in there)

    async def keep(self, names: Collection[str]) -> None:
        """Remove all other pieces."""
        others = sorted(await self._there() - {_POINTER, *map(_id, names)})
        delete = self._client.delete
        for some in batches(others, _PAGE):
            gone = models.FilterSelector(filter=_of_ids(some))
            await self._calls("remove", lambda gone=gone: delete(self.name, gone, wait=True), write=True)  # type: ignore[misc]  # a lambda's default

    async def close(self) -> None:
        """Let go of the connection."""
        await self._client.close()

    async def _exists(self) -> bool:
        return await self._calls("look", lambda: self._client.collection_exists(self.name))

    async def _upsert(self, payloads: Mapping[str, Mapping[str, Any]]) -> None:
        points = [models.PointStruct(id=id_, vector={}, payload=dict(payload)) for id_, payload in payloads.items()]
        await self._calls("write", lambda: self._client.upsert(self.name, points, wait=True), write=True)

    async def _payloads(self, ids: list[str]) -> dict[str, dict[str, Any]]:
        matching, scroll = _of_ids(ids), self._client.scroll
        records, _ = await self._calls(
            "read", lambda: scroll(self.name, scroll_filter=matching, limit=len(ids), with_payload=True), write=True
        )
        return {str(record.id): record.payload or {} for record in records}

    async def _there(self) -> frozenset[str]:
        there: set[str] = set()
        offset: Any = None
        while True:
            records, offset = await self._calls("read", lambda offset=offset: self._page(offset))  # type: ignore[misc]  # a lambda's default
            there.update(str(record.id) for record in records)
            if offset is None:
                return frozenset(there)

    async def _page(self, offset: Any) -> tuple[list[models.Record], Any]:
        return await self._client.scroll(self.name, limit=_PAGE, offset=offset, with_payload=False)

    def _content(self, name: str, payload: Mapping[str, Any] | None) -> bytes:
        try:
            content = _unpacked(payload[_DATA]) if payload is not None else None
        except (KeyError, TypeError, ValueError, binascii.Error, zlib.error):
            content = b""
        if content is not None and hashlib.sha256(content).hexdigest() == name:
            return content
        problem = "lacks a piece" if content is None else "has a piece that does not hold what was written to it"
        raise StoreError(
            f"The index in {self.place} is damaged: it {problem}.",
            "Remove that collection and run `hybrid-retrieval index` once more: it is filled anew.",
        )


def _id(name: str) -> str:
    return str(UUID(bytes=bytes.fromhex(name)[:16]))


def _of_ids(ids: Sequence[str]) -> models.Filter:
    return models.Filter(must=[models.HasIdCondition(has_id=list(ids))])


def _packed(content: bytes) -> str:
    return base64.b64encode(zlib.compress(content)).decode("ascii")


def _unpacked(text: str) -> bytes:
    return zlib.decompressobj().decompress(base64.b64decode(text, validate=True), _MOST)
