"""Memory that was freed goes back to the system.

glibc keeps what lies between blocks that are still used: after a first index's reading or embedding up to 90 MB of its heap.
"""

from __future__ import annotations

import ctypes
import sys

__all__ = ["hand_back"]


def hand_back() -> None:
    """malloc_trim(3), some milliseconds; nothing where the C library has none."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)
