"""Points of several generations in one collection: each says since which it is there, and until which (decision record 0024).

So a reader of one generation sees that one whole, while the points of the next are written beside them. A published point
never changes but for its end. A chunk may have a point in each of two generations: ids are of namespace, generation and
chunk, in the order of the chunks' own.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from qdrant_client import models

__all__ = ["CHUNK", "FOREVER", "SINCE", "UNTIL", "PointsOfGeneration"]

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
        """What stands beside a chunk's own keys in a point that begins with this generation."""
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
