"""A progress bar with a rate and an honest end time, on standard error, for people only."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

__all__ = ["Progress"]


class Progress:
    """Shows `done/total`, the rate, and the time left by the rate of the last seconds; silent unless `shown`."""

    def __init__(self, title: str, unit: str, *, shown: bool) -> None:
        self._title = title
        self._unit = unit
        self._shown = shown
        self._bar: RichProgress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        if self._shown:
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
        if self._bar is None or self._task is None:
            return
        if title and title != self._title:
            self._title, self._unit = title, unit or self._unit
            self._bar.reset(self._task, description=title, rate="")
        speed = self._bar.tasks[0].speed
        rate = f"{speed:.0f} {self._unit}/s" if speed else ""
        self._bar.update(self._task, completed=done, total=total, rate=rate)
