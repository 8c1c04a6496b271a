"""The options every command has, the settings and the logging that they make, and how a command says how far a long
run is: on standard error, a bar with rate and time left, or a line a minute without a terminal.
"""

from __future__ import annotations

import functools
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Literal, Self, TypeVar, get_args

import click

from configs import HybridRetrievalConfig, ScopeMode, load_config
from memory.errors import ConfigError
from memory.text.output import json_line, printable
from wiring import data_folder

if TYPE_CHECKING:
    import structlog
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

_SETTINGS: Final = "hybrid-retrieval.yaml"
"""How the documentation calls a file of settings. One that lies about may be anybody's."""
_PAUSE: Final = 60.0
"""Seconds between two lines."""
F = TypeVar("F", bound=Callable[..., Any])
Shown = Literal["bar", "lines", "nothing"]
allow_option = click.option(
    "--allow", metavar="NAME", multiple=True, help="Only these projects may be seen; may be repeated."
)


@dataclass(frozen=True, slots=True)
class Door:
    """What a command is run with: where the data are, the settings, and how to speak.

    settings and file are those of the command line as they were given, for a command that puts others under them;
    data_dir_given: the command line named the data folder.
    """

    data_dir: Path
    profile: str
    config: HybridRetrievalConfig
    as_json: bool
    quiet: bool
    settings: tuple[str, ...] = ()
    file: Path | None = None
    data_dir_given: bool = False

    @property
    def progress(self) -> Shown:
        """How a long run says how far it is: a bar for who watches, lines for a file or a pipe."""
        if self.quiet:
            return "nothing"
        return "bar" if sys.stderr.isatty() else "lines"

    def show(self, document: Any, page: Callable[[], str]) -> None:
        """Print the document as JSON where that is asked for, else its page for people."""
        click.echo(json_line(document) if self.as_json else printable(page()))


def _warn(message: str) -> None:
    click.echo(message, err=True)


class ScopeChoice(click.Choice[str]):
    """A scope mode, also `off` for the one that leaves the scope out, or one of `more`."""

    def __init__(self, *more: str) -> None:
        super().__init__(("auto", *get_args(ScopeMode), "off", *more))

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        chosen = super().convert(value, param, ctx)
        return "none" if chosen == "off" else chosen

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        return f"{super().get_invalid_choice_message(value, ctx)} 'none' searches without a scope."


def common_options(command: F) -> F:
    """Adds the options and hands the command a `Door` as its first argument."""

    @functools.wraps(command)
    def with_door(
        *,
        data_dir: str | None,
        profile: str | None,
        config: str | None,
        settings: tuple[str, ...],
        as_json: bool,
        quiet: bool,
        verbose: bool,
        log_json: bool,
        **arguments: Any,
    ) -> Any:
        configure_logs(as_json=log_json, quiet=quiet, verbose=verbose)
        profile = profile or os.environ.get("HYBRID_RETRIEVAL_PROFILE") or "embedded"
        file = Path(config) if config else None
        if file is None and Path(_SETTINGS).exists():
            _warn(f"{_SETTINGS} of this folder is not read; --config {_SETTINGS} reads it.")
        loaded = load_config(profile, file, os.environ, settings, error=ConfigError, warn=_warn)
        door = Door(
            data_folder(data_dir), profile, loaded, as_json, quiet, settings, file, data_dir_given=data_dir is not None
        )
        return command(door, **arguments)

    options = [
        click.option("--data-dir", metavar="DIR", help="Where the index lives."),
        click.option("--profile", metavar="NAME", help="A shipped profile; default: embedded."),
        click.option("--config", metavar="FILE", help="A YAML file of settings."),
        click.option("--set", "settings", metavar="KEY=VALUE", multiple=True, help="One setting; may be repeated."),
        click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output."),
        click.option("--quiet", "-q", is_flag=True, help="No progress; of `index` only warnings."),
        click.option("--verbose", "-v", is_flag=True, help="Log lines too, such as one for each question answered."),
        click.option("--log-json", is_flag=True, help="Log lines as JSON; without -v only warnings."),
    ]
    for option in reversed(options):
        with_door = option(with_door)
    return with_door  # type: ignore[return-value]  # the command's own parameters stand, one is taken over


def configure_logs(*, as_json: bool, quiet: bool, verbose: bool = False) -> None:
    """Warnings and errors to standard error; as JSON lines where that was asked for. Takes effect with the first one.

    Logging is configured here and nowhere else (docs/design.md#logging-and-imports).
    verbose: and a line for each question answered, which takes effect at once.
    """
    import logging  # noqa: PLC0415 - not needed for --help

    from orchestrator import logbook  # noqa: PLC0415 - the same

    level = logging.ERROR if quiet else logging.INFO if verbose else logging.WARNING
    if verbose:
        _configure(as_json=as_json, level=level)
    else:
        logbook.set_up_by(partial(_configure, as_json=as_json, level=level))


def _configure(*, as_json: bool, level: int) -> None:
    import structlog  # noqa: PLC0415 - 0.1 s, and most questions have nothing to log

    from orchestrator.logbook import redact  # noqa: PLC0415 - not needed for --help

    renderer: structlog.typing.Processor
    renderer = structlog.processors.JSONRenderer() if as_json else structlog.dev.ConsoleRenderer(colors=False)
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            redact,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )


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
