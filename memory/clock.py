"""Time and ids come from here, so that a replay can run the same code on time of its own."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Protocol

import anyio


class Clock(Protocol):
    """Where a run gets its time and its ids."""

    def monotonic(self) -> float:
        """Seconds that never run backwards; what deadlines are made of."""
        ...

    def now(self) -> datetime:
        """The date and time, in UTC."""
        ...

    def new_id(self) -> str:
        """An id no one else has."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Let that much of this clock's time pass."""
        ...


class SystemClock:
    """The machine's time; `monotonic` is the event loop's, which anyio's deadlines count in."""

    def monotonic(self) -> float:
        return anyio.current_time()

    def now(self) -> datetime:
        return datetime.now(UTC)

    def new_id(self) -> str:
        return uuid.uuid4().hex

    async def sleep(self, seconds: float) -> None:
        await anyio.sleep(seconds)


@dataclass
class VirtualClock:
    """Time that passes only when somebody sleeps; ids are counted. For tests and replays."""

    seconds: float = 0.0
    start: datetime = datetime(2025, 1, 1, tzinfo=UTC)
    issued: int = 0

    def monotonic(self) -> float:
        return self.seconds

    def now(self) -> datetime:
        return self.start + timedelta(seconds=self.seconds)

    def new_id(self) -> str:
        self.issued += 1
        return f"{self.issued:032x}"

    async def sleep(self, seconds: float) -> None:
        self.seconds += max(0.0, seconds)
        await anyio.lowlevel.checkpoint()
