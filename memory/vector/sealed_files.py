"""Which files of an embedded shard never change, and which the engine writes anew without saying anything new.

What a sealed segment's vectors, terms and payloads stand in nobody writes to again: what a change takes out of the segment is
marked in small files beside these, and what it puts in goes to another segment (`edge_sealing`). So the next generation can
have them under a second name instead of a copy. Checked against the engine by `tests/memory/vector/test_sealed_files.py`,
for the release that the constraints pin.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["fixed_files", "is_only_read", "is_rewritten"]

_ONLY_READ: Final = ("/matrix.dat", "/inverted_index.dat", "/point_to_values.bin", "/values_to_points.bin")
_REWRITTEN: Final = ("edge_config.json", "segment.json")
_MATRIX: Final = "vector_storage-*/matrix.dat"
_FIXED: Final = (
    _MATRIX,
    "vector_storage-*/store/page_*.dat",
    "vector_index-*/inverted_index.dat",
    "payload_storage/page_*.dat",
    "payload_index/*/point_to_values.bin",
    "payload_index/*/values_to_points.bin",
)


def fixed_files(shard: Path) -> frozenset[Path]:
    """Those of a shard's folder; of segments that are still appended to none, and none of another folder."""
    sealed = (segment for segment in shard.glob("segments/*") if next(segment.glob(_MATRIX), None))
    return frozenset(file for segment in sealed for pattern in _FIXED for file in segment.glob(pattern))


def is_only_read(path: str) -> bool:
    """Whether the engine opens this file, which may be large, for nothing but reading."""
    return path.endswith(_ONLY_READ)


def is_rewritten(path: str) -> bool:
    """Whether a load or a close writes this file anew: the same document, its keys in any order."""
    return path.endswith(_REWRITTEN)
