"""The fake model that writes down which process loaded it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from memory.embedders import FakeSource


@dataclass(frozen=True)
class LoggedSource(FakeSource):
    """One line a process in the file `log`: 'here' for the one that made it, 'worker' for any other."""

    log: str = ""
    home: int = 0

    @classmethod
    def at(cls, folder: Path, dimension: int = 4) -> LoggedSource:
        return cls(dimension, log=str(folder / "loads"), home=os.getpid())

    def load(self):
        with Path(self.log).open("a") as log:
            log.write("here\n" if os.getpid() == self.home else "worker\n")
        return super().load()


def loads(folder: Path) -> list[str]:
    """What was written so far."""
    file = folder / "loads"
    return file.read_text().split() if file.exists() else []
