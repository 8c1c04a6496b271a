"""What a system has to do to be compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines that a reader of the answer sees. file: `PROJECT/PATH`; both numbers count from 1 and are included."""

    file: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Found:
    """What a system gives for a question.

    files: `PROJECT/PATH`, the best first, each once; empty where the system says that nothing answers the question.
    shown: the lines of its answer.
    """

    files: tuple[str, ...]
    shown: Sequence[Lines] = ()


class System(Protocol):
    """A retrieval system under test. It may keep what it makes in the folder it is given."""

    async def index(self, trees: Path) -> None:
        """Read a folder whose subfolders are the projects."""
        ...

    async def search(self, query: str, project: str | None) -> Found:
        """Answer one question. project: the one the asker works in, if any."""
        ...

    async def close(self) -> None:
        """Let go of what is open."""
        ...
