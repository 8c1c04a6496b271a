"""Rows that have to wait until others are stored: in a file that has no name and goes with its process."""

from __future__ import annotations

import json
import tempfile
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from types import TracebackType
    from typing import Self

__all__ = ["Spool"]


class Spool:
    """Keeps rows that JSON can hold, in their order."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 - `__exit__` closes it

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def put(self, rows: Iterable[Mapping[str, Any]]) -> int:
        """Add rows; returns how many."""
        number = 0
        for row in rows:
            self._file.write(json.dumps(row) + "\n")
            number += 1
        return number

    def rows(self) -> Iterator[dict[str, Any]]:
        """All of them."""
        self._file.seek(0)
        return map(json.loads, self._file)
