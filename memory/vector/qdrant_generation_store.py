"""`QdrantGenerationStore`: one generation of an index on a server, to be read or in the making (decision record 0024).

What is deleted in the making of a generation ends with it, and no reader sees that; the points themselves go after the
generation was published, with `settle`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from qdrant_client import models

from configs.settings import QdrantSettings
from memory.errors import StoreError
from memory.vector.port import DenseVector, Point
from memory.vector.qdrant import QdrantVectorStore
from memory.vector.qdrant_points import CHUNK, FOREVER, SINCE, UNTIL, PointsOfGeneration
from memory.vector.qdrant_schema import connected

if TYPE_CHECKING:
    from qdrant_client import AsyncQdrantClient

    from memory.vector.qdrant_calls import ServerVersion

_BATCH = 200


class QdrantGenerationStore(QdrantVectorStore):
    """The points of one generation; what is written begins with it. Raises what `QdrantVectorStore` raises."""

    def __init__(
        self,
        client: AsyncQdrantClient,
        settings: QdrantSettings,
        *,
        generation: PointsOfGeneration,
        version: ServerVersion,
    ) -> None:
        super().__init__(client, settings, namespace=generation.namespace, version=version, generation=generation)
        self._made = generation

    @classmethod
    async def open_generation(
        cls,
        settings: QdrantSettings,
        *,
        vectors: Mapping[str, int],
        generation: PointsOfGeneration,
        create: bool = False,
        environ: Mapping[str, str] | None = None,
    ) -> QdrantGenerationStore:
        """As `open`; what it makes or looks at are also the indexes that tell generations apart."""
        client, version = await connected(settings, vectors, environ, create=create, generations=True)
        return cls(client, settings, generation=generation, version=version)

    async def upsert(self, points: Sequence[Point]) -> None:
        await super().upsert(points)
        if points and self._made.number > 1:
            await self._end_earlier(point.chunk.id for point in points)

    async def set_dense(self, vectors: Mapping[str, Mapping[str, DenseVector]]) -> None:
        rest = iter(vectors.items())
        while piece := dict(islice(rest, _BATCH)):
            since = {
                record.payload[CHUNK]: record.payload[SINCE]
                for record in await self._records(piece, payload=[CHUNK, SINCE], vectors=False)
            }
            if lacking := piece.keys() - since.keys():
                raise StoreError(
                    f"Qdrant has no point for {len(lacking)} of the chunks, such as {min(lacking)}.",
                    "Was something deleted there? Index into a new data folder.",
                )
            own = {id_: piece[id_] for id_ in piece if since[id_] == self._made.number}
            if own:
                await super().set_dense(own)
            await self._renew({id_: piece[id_] for id_ in piece.keys() - own.keys()})

    async def settle(self, *, current: int, oldest: int) -> None:
        """Leave of the index what the generations from `oldest` to `current`, the published one, have: what a killed
        run wrote goes, what it ended goes on, and what had its end goes.
        """
        published = PointsOfGeneration(self._made.namespace, current)
        await self._delete_points(published.begun_after())
        await self._end(published.to_end_after(), FOREVER)
        await self._delete_points(PointsOfGeneration(self._made.namespace, oldest).ended_by())

    async def _renew(self, vectors: Mapping[str, Mapping[str, DenseVector]]) -> None:
        """Points of earlier generations once more, with these vectors too; those that were there end."""
        if not vectors:
            return
        points = [
            models.PointStruct(
                id=self._made.point_id(record.payload[CHUNK]),
                vector=record.vector
                | self._points.vectors(record.payload[CHUNK], vectors[record.payload[CHUNK]]).vector,
                payload=record.payload | self._made.payload(record.payload[CHUNK]),
            )
            for record in await self._records(vectors, payload=True, vectors=True)
        ]
        upsert = self._client.upsert
        await self._call("write", lambda: upsert(self._collection, points, wait=True), write=True)
        await self._end_earlier(vectors)

    async def _records(self, ids: Iterable[str], *, payload: list[str] | bool, vectors: bool) -> Sequence[Any]:
        """This generation's points of a piece of chunks, as the client has them."""
        matching, scroll = self._of_chunks(ids), self._client.scroll
        records, _ = await self._call(
            "read",
            lambda: scroll(
                self._collection, scroll_filter=matching, limit=_BATCH, with_payload=payload, with_vectors=vectors
            ),
        )
        return records

    def _of_chunks(self, ids: Iterable[str], *more: models.FieldCondition) -> models.Filter:
        index = models.FieldCondition(key="namespace", match=models.MatchValue(value=self._made.namespace))
        chosen = models.FieldCondition(key=CHUNK, match=models.MatchAny(any=sorted(ids)))
        return models.Filter(must=[index, *self._made.conditions(), chosen, *more])

    async def _delete(self, matching: models.Filter | None) -> None:
        if matching is not None:
            await self._end(matching, self._made.number)

    async def _end_earlier(self, ids: Iterable[str]) -> None:
        """What earlier generations had of these chunks, which have a new point now."""
        earlier = models.FieldCondition(key=SINCE, range=models.Range(lt=self._made.number))
        await self._end(self._of_chunks(ids, earlier), self._made.number)

    async def _end(self, matching: models.Filter, until: int) -> None:
        set_payload = self._client.set_payload
        await self._call(
            "write", lambda: set_payload(self._collection, {UNTIL: until}, matching, wait=True), write=True
        )
