"""`EdgePoints`: what is stored of the points of a Qdrant Edge shard, each read once until the shard is written to.

A process that asks on finds most chunks again. What a point's chunk is says nothing of who may see it: `known` and
`placed` are for points that were found within the permission, `by_id` remembers for each permission apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

import qdrant_edge as edge

from memory.vector.edge_reading import ReadingShard, translated
from memory.vector.edge_sealing import SealingShard
from memory.vector.edge_searches import RankedPoint, full_hit, hit_of, packed, within
from memory.vector.filters import Condition, is_uuid
from memory.vector.payload import PLACE_KEYS, place_chunk
from memory.vector.port import Chunk, Hit, VectorQuery

REMEMBERED: Final = 8192
"""Chunks with their text."""
_PLACES: Final = 100_000  # of chunks, which are small
_LISTED: Final = 4096  # chunks with their vectors, which are not
_PAGE: Final = 500


class EdgePoints:
    """Reads points. remembered: how many chunks are kept at hand; more than that only while one answer has more.

    Raises what `translated` makes of the engine's errors.
    """

    def __init__(self, shard: SealingShard | ReadingShard, remembered: int) -> None:
        self._shard = shard
        self._path = shard.path
        self._remembered = remembered
        self._chunks: dict[int, Hit] = {}  # by id, without a score
        self._places: dict[int, Chunk] = {}  # of chunks of which the place alone was asked
        self._listed: dict[tuple[frozenset[str], tuple[str, ...]], dict[str, Hit]] = {}

    def forget(self) -> None:
        """The shard is written to."""
        self._chunks.clear()
        self._places.clear()
        self._listed.clear()

    def known(self, ids: Sequence[int]) -> list[Hit]:
        """The chunks of these points, which were found within the permission; each is read once."""
        if len(self._chunks) + len(ids) > self._remembered:
            self._chunks.clear()
        missing: list[int | UUID | str] = [UUID(int=id_) for id_ in ids if id_ not in self._chunks]
        self._chunks |= {id_: full_hit(record) for id_, record in self.records(missing, payload=True).items()}
        return [self._chunks[id_] for id_ in ids]

    def placed(self, ranked: Sequence[RankedPoint]) -> Mapping[int, Chunk]:
        """The places of these points, which were found within the permission; each is read once."""
        if len(self._places) + len(ranked) > _PLACES:
            self._places.clear()
        missing: list[int | UUID | str] = [point.id for _, id_, point in ranked if id_ not in self._places]
        records = self.records(missing, payload=PLACE_KEYS)
        self._places |= {id_: place_chunk(record.id, record.payload) for id_, record in records.items()}
        return self._places

    def by_id(
        self, query: VectorQuery, permission: frozenset[str], permitted: Sequence[edge.FieldCondition]
    ) -> list[Hit]:
        """The points of a query's ids; each is read once for a permission, with the vectors that were asked for.

        permitted: what a point must meet for the permission; nothing where all points do.
        """
        if sum(map(len, self._listed.values())) > _LISTED:
            self._listed.clear()
        before = self._listed.setdefault((permission, query.with_vectors), {})
        asked = list(map(str, query.conditions[0].any_of))
        missing = [id_ for id_ in asked if id_ not in before and is_uuid(id_)]
        read = self._read(missing, permitted, query.with_vectors)
        before |= read
        found = read | {id_: before[id_] for id_ in asked if id_ in before}
        return [found[id_] for id_ in sorted(found)[: query.limit]]

    def _read(
        self, ids: Sequence[str], permitted: Sequence[edge.FieldCondition], vectors: tuple[str, ...]
    ) -> dict[str, Hit]:
        """What of these points may be seen, by id."""
        if not ids or not permitted:  # a filter that all points pass costs more than reading them
            records = self.records(list(map(UUID, ids)), vectors=vectors)
        else:
            asked = within(permitted, (Condition("id", any_of=tuple(ids)),))
            records = {one.id.int: one for one in self.scroll(asked, vectors=vectors, payload=False)}
        known = self.known(list(records))
        return {one.chunk.id: packed(hit_of(record, one)) for record, one in zip(records.values(), known, strict=True)}

    def records(
        self, ids: Sequence[int | UUID | str], *, payload: bool | Sequence[str] = False, vectors: Sequence[str] = ()
    ) -> dict[int, Any]:
        """What is stored of these points, by id; which of them may be seen is the caller's to know."""
        if not ids:
            return {}
        keys = payload if isinstance(payload, bool) else list(payload)
        with translated(self._path, "read"):
            records: list[Any] = self._shard.engine.retrieve(list(ids), with_payload=keys, with_vector=list(vectors))
        return {record.id.int: record for record in records}

    def scroll(
        self, matching: Any, limit: int | None = None, vectors: Sequence[str] = (), *, payload: bool = True
    ) -> list[Any]:
        """Matching records by id, all of them without a limit."""
        found: list[Any] = []
        offset: Any = None
        while limit is None or len(found) < limit:
            page = _PAGE if limit is None else min(_PAGE, limit - len(found))
            scroll = edge.ScrollRequest(
                offset=offset, limit=page, filter=matching, with_payload=payload, with_vector=list(vectors)
            )
            with translated(self._path, "read"):
                records, offset = self._shard.engine.scroll(scroll)
            found += records
            if offset is None:
                break
        return found
