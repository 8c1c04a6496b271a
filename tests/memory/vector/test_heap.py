from __future__ import annotations

import ctypes
import sys
from pathlib import Path

import pytest

from memory.vector.heap import hand_back

GLIBC = sys.platform == "linux" and hasattr(ctypes.CDLL(None), "malloc_trim")


def resident_mb():
    status = Path("/proc/self/status").read_text()
    return int(status.partition("RssAnon:")[2].split()[0]) / 1024


@pytest.mark.skipif(not GLIBC, reason="this C library cannot hand memory back")
def test_what_lies_between_used_blocks_goes_back_to_the_system():
    blocks = [bytes(4_000) for _ in range(10_000)]  # 40 MB, too large for Python's own pools, too small for a mapping
    kept = blocks[::100]
    del blocks
    before = resident_mb()
    hand_back()
    assert resident_mb() < before - 15
    assert len(kept) == 100


def test_calling_it_with_nothing_to_hand_back_is_no_error():
    hand_back()
    hand_back()
