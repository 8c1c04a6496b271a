"""Points as Qdrant's client speaks them, and what it finds as ours."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from qdrant_client import models

from memory.vector.payload import FieldMapping, bare_chunk
from memory.vector.port import SPARSE_LEXICAL, Chunk, DenseVector, Hit, Point, SparseVector
from memory.vector.ties import rounded

CHUNK, SINCE, UNTIL = "chunk", "since", "until"

FOREVER = 2**31 - 1
_HEAD = 8  # bytes of a chunk's id that its points keep, for their order; the other eight tell its points apart


@dataclass(frozen=True, slots=True)
class PointsOfGeneration:
    """What the points of one generation of an index have, and which of a collection's points are of it."""

    namespace: str
    number: int

    def point_id(self, chunk_id: str) -> str:
        """The id of the point that this generation makes of a chunk."""
        named = f"{self.namespace}/{self.number}/{chunk_id}".encode()
        return str(UUID(bytes=UUID(chunk_id).bytes[:_HEAD] + hashlib.blake2b(named, digest_size=16 - _HEAD).digest()))

    def payload(self, chunk_id: str) -> dict[str, Any]:
        """What is beside a chunk's own keys in a point that begins with this generation."""
        return {CHUNK: chunk_id, SINCE: self.number, UNTIL: FOREVER}

    def conditions(self) -> list[models.FieldCondition]:
        """That a point is of this generation."""
        return [_within(SINCE, lte=self.number), _within(UNTIL, gt=self.number)]

    def begun_after(self) -> models.Filter:
        """Points of a generation that was never published."""
        return self._of_index(_within(SINCE, gt=self.number))

    def to_end_after(self) -> models.Filter:
        """Points that would have ended with a generation that was never published."""
        return self._of_index(_within(UNTIL, gt=self.number, lt=FOREVER))

    def ended_by(self) -> models.Filter:
        """Points that neither this generation nor a later one has."""
        return self._of_index(_within(UNTIL, lte=self.number))

    def _of_index(self, condition: models.FieldCondition) -> models.Filter:
        index = models.FieldCondition(key="namespace", match=models.MatchValue(value=self.namespace))
        return models.Filter(must=[index, condition])


def _within(key: str, **bounds: float) -> models.FieldCondition:
    return models.FieldCondition(key=key, range=models.Range(**bounds))


@dataclass(frozen=True, slots=True)
class QdrantPoints:
    """Points of one collection's names. generation: where they are distinguished by it."""

    mapping: FieldMapping
    namespace: str
    generation: PointsOfGeneration | None

    def stored(self, point: Point) -> models.PointStruct:
        """A point to write, with the vectors that the collection has."""
        vectors = self._named(point.dense)
        sparse = self.mapping.vector(SPARSE_LEXICAL)
        if sparse is not None:
            indices, values = list(point.sparse.indices), list(point.sparse.values)
            vectors[sparse] = models.SparseVector(indices=indices, values=values)
        payload = self.mapping.stored(point.chunk, self.namespace) | dict(point.extra)
        if self.generation is not None:
            payload |= self.generation.payload(point.chunk.id)
        return models.PointStruct(id=self._id(point.chunk.id), vector=vectors, payload=payload)

    def vectors(self, id_: str, dense: Mapping[str, DenseVector]) -> models.PointVectors:
        """Dense vectors for a point that lacks them."""
        return models.PointVectors(id=self._id(id_), vector=self._named(dense))

    def chunk(self, found: models.ScoredPoint | models.Record) -> Chunk:
        """The chunk of a point."""
        payload = found.payload or {}
        return self.mapping.chunk(payload[CHUNK] if self.generation else found.id, payload)

    def hit(self, found: models.ScoredPoint, chunks: dict[object, Chunk]) -> Hit:
        """What was found as a hit, bare without a payload; `chunks` are those made already, by id."""
        if found.payload is None or (self.generation is not None and found.payload.keys() == {CHUNK}):
            return Hit(bare_chunk((found.payload or {}).get(CHUNK, found.id)), rounded(found.score))
        chunk = chunks.get(found.id)
        if chunk is None:
            chunk = chunks[found.id] = self.chunk(found)
        vector: Any = found.vector or {}
        named = {"": vector} if isinstance(vector, list) else vector  # one unnamed vector comes back bare
        ours: dict[str, Any] = {self.mapping.canonical_vector(theirs): value for theirs, value in named.items()}
        sparse = ours.pop(SPARSE_LEXICAL, None)
        return Hit(
            chunk=chunk,
            score=rounded(found.score),
            dense=ours,
            sparse=None if sparse is None else SparseVector(tuple(sparse.indices), tuple(sparse.values)),
            extra=self._rest(found.payload),
        )

    def _rest(self, payload: Mapping[str, Any]) -> dict[str, Any]:
        rest = self.mapping.rest(payload)
        return rest if self.generation is None else {key: rest[key] for key in rest.keys() - {CHUNK, SINCE, UNTIL}}

    def _id(self, id_: str) -> int | str:
        return point_id(id_) if self.generation is None else self.generation.point_id(id_)

    def _named(self, dense: Mapping[str, DenseVector]) -> dict[str, Any]:
        theirs = ((self.mapping.vector(name), vector) for name, vector in dense.items())
        return {name: [float(number) for number in vector] for name, vector in theirs if name is not None}


def point_id(id_: str) -> int | str:
    """An id as the server has it: a whole number or a UUID."""
    return int(id_) if id_.isdecimal() else id_
