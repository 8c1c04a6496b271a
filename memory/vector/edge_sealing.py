"""The segments of an Edge shard: what is written is appended to one, and sealed once it is big enough to pay.

A sealed segment is read from its files as it lies there; an appendable one keeps its terms in memory and grows with
what it holds. What a change takes out of a sealed segment is marked in it, what it puts in is appended. Decision record
0033.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import qdrant_edge as edge

from memory.disk import make_private
from memory.errors import StorageFullError
from memory.vector.edge_files import Room, bytes_on_disk
from memory.vector.edge_reading import translated
from memory.vector.payload import INDEXED_KEYS, TENANT_KEYS
from memory.vector.port import SPARSE_LEXICAL

_COLD = edge.Memory.Cold  # read as it is needed; the system keeps in memory what is asked for often
_FULL_SCAN_KB = 40_000  # below it a filtered search scans; lower values lose neighbours (docs/design.md#vectors)
_BYTES_A_NUMBER = 4
_RESERVE = 32 * 2**20  # for what else is written meanwhile, and by others
_BYTES_A_POINT = 16 * 2**10


def hand_back() -> None:
    """malloc_trim(3), some milliseconds; nothing where the C library has none."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)


@dataclass(frozen=True, slots=True)
class Sealing:
    """When segments are made and how big. All in points; the engine counts them by the widest dense vector that all
    have.

    every: so many written, what is appended is sealed, which bounds the memory of a first index; least: fewer are not
    sealed, since a small change would make a segment of its own; most: segments are not merged into a larger one;
    segments: more than that are merged, the smallest first.
    """

    every: int = 10_000
    least: int = 2_000
    most: int = 50_000
    segments: int = 12

    def optimizers(self, dimension: int) -> edge.EdgeOptimizersConfig:
        """The same in the engine's words: kilobytes of one vector's storage."""
        return edge.EdgeOptimizersConfig(
            indexing_threshold=_kilobytes(self.least, dimension),
            max_segment_size=_kilobytes(self.most, dimension),
            default_segment_number=self.segments,
        )


def new_shard(path: Path, vectors: Mapping[str, int], sealing: Sealing, room: Room) -> SealingShard:
    """A new shard in an empty or missing folder, payload indexes first. vectors: name -> dimension."""
    room.check(path, _RESERVE, segments=1)
    with translated(path, "create"):
        return SealingShard(_created(path, vectors, sealing), path, sealing.every, room)


def load_to_write(path: Path, every: int, room: Room) -> SealingShard:
    """The shard in a folder; every: so many points written, it is sealed."""
    room.check(path, _RESERVE)
    with translated(path, "open"):
        return SealingShard(edge.EdgeShard.load(str(path)), path, every, room)


def _created(path: Path, vectors: Mapping[str, int], sealing: Sealing) -> edge.EdgeShard:
    dense = {
        name: edge.EdgeVectorParams(size=dimension, distance=edge.Distance.Cosine, memory=_COLD)
        for name, dimension in vectors.items()
    }
    terms = edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf, memory=_COLD)
    config = edge.EdgeConfig(
        vectors=dense,
        sparse_vectors={SPARSE_LEXICAL: terms},
        # m=0: sealing builds no graph. Search is exact at every size (docs/design.md#equal-answers), and a graph would
        # take most of the time.
        hnsw_config=edge.HnswIndexConfig(m=0, ef_construct=100, full_scan_threshold=_FULL_SCAN_KB),
        optimizers=sealing.optimizers(max(vectors.values())),
        payload_memory=_COLD,
        id_tracker_memory=_COLD,
        wal_enabled=False,
    )
    path.mkdir(parents=True, exist_ok=True)
    shard = edge.EdgeShard.create(str(path), config)
    for key in INDEXED_KEYS:
        schema = edge.KeywordIndexParams(is_tenant=key in TENANT_KEYS, memory=_COLD)
        shard.update(edge.UpdateOperation.create_field_index(key, schema))
    return shard


class SealingShard:
    """A shard that seals what is written to it, every so many points and when it is closed. `engine` is Edge's own,
    another one after each sealing. Errors of the engine become StoreError, DataFolderError, StorageFullError.
    """

    def __init__(self, engine: edge.EdgeShard, path: Path, every: int, room: Room) -> None:
        self.engine = engine
        self.path = path
        self._every = every
        self._room = room
        self._unsealed = 0  # points
        self._changed = False

    def check_room(self, points: int) -> None:
        """Raises StorageFullError where so many points may not fit."""
        self._room.check(self.path, _RESERVE + points * _BYTES_A_POINT)

    def update(self, operation: edge.UpdateOperation, points: int = 0) -> None:
        """Write; points: how many are put in. Raises StorageFullError before anything is written."""
        self.check_room(points)
        self._changed = True
        with translated(self.path, "write"):
            self.engine.update(operation)
        self._unsealed += points
        if self._unsealed >= self._every and self._sealed():
            self._reopen()

    def close(self) -> None:
        """Seal what a change left, flush and let go. What the next load would tidy up is tidied up now, so that the
        files do not change any more: they get their checksums next.
        """
        try:
            if self._changed:
                self._sealed()
        finally:
            with translated(self.path, "close"):
                self.engine.close()  # flushes by itself
        if self._changed:
            with translated(self.path, "open"):
                edge.EdgeShard.load(str(self.path)).close()
        make_private(self.path)

    def _sealed(self) -> bool:
        """Seal what is big enough, if anything. That may write every segment anew; without room a later run does it."""
        self._unsealed = 0
        try:
            self._room.check(self.path, _RESERVE + bytes_on_disk(self.path), segments=2)
        except StorageFullError:
            return False
        hand_back()  # sealing takes some 80 MB of its own, which should not come on top of what is free already
        with translated(self.path, "write"):
            return self.engine.optimize()

    def _reopen(self) -> None:
        """Let go of what the engine mapped while it wrote."""
        with translated(self.path, "open"):
            self.engine.close()
            self.engine = edge.EdgeShard.load(str(self.path))


def _kilobytes(points: int, dimension: int) -> int:
    return max(1, points * dimension * _BYTES_A_NUMBER // 1024)
