"""How far a long run is, on standard error: a bar with rate and time left, or a line a minute without a terminal."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Final, Literal, Self

import click

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

Shown = Literal["bar", "lines", "nothing"]
_PAUSE: Final = 60.0
"""Seconds between two lines."""


class Progress:
    """Says how many of how many are done. title: what is being done at first; unit: of what is counted."""

    def __init__(self, title: str, unit: str, *, shown: Shown, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._title = title
        self._unit = unit
        self._shown = shown
        self._monotonic = monotonic
        self._began = self._printed = monotonic()
        self._bar: RichProgress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        if self._shown == "bar":
            from rich import progress as rich  # noqa: PLC0415 - only where somebody is watching
            from rich.console import Console  # noqa: PLC0415 - only where somebody is watching

            self._bar = rich.Progress(
                rich.TextColumn("{task.description}"),
                rich.BarColumn(),
                rich.MofNCompleteColumn(),
                rich.TextColumn("{task.fields[rate]}"),
                rich.TimeRemainingColumn(elapsed_when_finished=True),
                console=Console(stderr=True),
                transient=True,
            )
            self._bar.start()
            self._task = self._bar.add_task(self._title, total=None, rate="")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def update(self, done: int, total: int, title: str = "", unit: str = "") -> None:
        """So many of so many are done; another title begins anew, with its own unit."""
        anew = bool(title) and title != self._title
        if anew:
            self._title, self._unit = title, unit or self._unit
        if self._shown == "lines":
            self._line(done, total)
        if self._bar is None or self._task is None:
            return
        if anew:
            self._bar.reset(self._task, description=title, rate="")
        speed = self._bar.tasks[0].speed
        rate = f"{speed:.0f} {self._unit}/s" if speed else ""
        self._bar.update(self._task, completed=done, total=total, rate=rate)

    def _line(self, done: int, total: int) -> None:
        now = self._monotonic()
        if now - self._printed >= _PAUSE:
            self._printed = now
            click.echo(f"{self._title}: {done} of {total} {self._unit}, after {now - self._began:.0f} s", err=True)
