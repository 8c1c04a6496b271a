"""The options every command has, and the settings and the logging that they make."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar, get_args

import click

from configs import HybridRetrievalConfig, ScopeMode, load_config
from interfaces.cli.progress import Shown
from memory.errors import ConfigError
from memory.text.output import json_line, printable
from wiring import data_folder

if TYPE_CHECKING:
    import structlog

_SETTINGS: Final = "hybrid-retrieval.yaml"
"""How the documentation calls a file of settings. One that lies about may be anybody's."""
F = TypeVar("F", bound=Callable[..., Any])
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
