"""What a process holds and has used, as Linux says it."""

from __future__ import annotations

import os
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")


def children(process: int) -> list[int]:
    """The processes that it started and that run."""
    return [int(one) for one in Path(f"/proc/{process}/task/{process}/children").read_text("utf-8").split()]


def resident_mb(process: int) -> float:
    """Its resident set, and those of the processes that it started."""
    status = Path(f"/proc/{process}/status").read_text("utf-8")
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024 + sum(map(resident_mb, children(process)))


def processor_s(process: int) -> float:
    """Seconds of the processor that it and the processes it started have used, in user and system mode."""
    after_name = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    own = (int(after_name[11]) + int(after_name[12])) / _TICKS
    return own + sum(map(processor_s, children(process)))


def descriptors(process: int) -> int:
    """How many files, sockets and pipes it has open."""
    return len(list(Path(f"/proc/{process}/fd").iterdir()))
