"""`hybrid-retrieval`: chooses the command, and turns errors into messages, JSON documents and exit codes (design §11)."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any

import click

__all__ = ["cli", "main"]

_COMMANDS = {
    "index": "Index projects and installed distributions.",
    "ask": "Ask a question over everything that is indexed.",
    "evaluate": "Score a file of questions with known answers.",
    "export": "Print the graph's edges or entities, one JSON line each.",
    "doctor": "Check the data folder, the models and the stores.",
}
_INTERRUPTED = 130
_READER_GONE = 0  # `| head` has seen enough: no failure


class _LazyGroup(click.Group):
    """Knows the commands' names; imports one only when it is run."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"orchestrator.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="hybrid-retrieval")
def cli() -> None:
    """Ask questions that no single repository answers.

    Three agents - local files, graph and vector - answer together, in parallel and on time, with checked citations.
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit code; the process's entry point."""
    try:
        code = run(list(sys.argv[1:] if arguments is None else arguments))
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        code = _READER_GONE
    os._exit(code)  # a worker thread that was abandoned at a deadline must not keep the process alive (design §3.3)


def run(arguments: list[str]) -> int:
    """Run one command line; returns the exit code. Every error becomes a message, never a stack trace."""
    from memory.errors import HybridRetrievalError, InvalidInputError  # noqa: PLC0415 - `--help` needs neither

    try:
        code = cli.main(arguments, prog_name="hybrid-retrieval", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return 2
    except click.ClickException as error:
        hint = "See `hybrid-retrieval --help`."
        return _fail(InvalidInputError(error.format_message(), hint), arguments)
    except HybridRetrievalError as error:
        return _fail(error, arguments)
    except (click.Abort, KeyboardInterrupt):
        click.echo("Interrupted.", err=True)
        return _INTERRUPTED
    except SystemExit:  # the one case in which click leaves by itself: whoever read our output has gone
        return _READER_GONE


def _fail(error: Any, arguments: list[str]) -> int:
    """The error as one JSON document where that was asked for, and for people on standard error."""
    from orchestrator.cli.output import print_json, printable  # noqa: PLC0415 - `--help` needs none of it

    message, hint = printable(error.message), printable(error.hint)
    if "--json" in arguments:
        print_json({"schema_version": "1", "error": {"code": error.code, "message": message, "hint": hint}})
    click.echo(f"{message} {hint}".strip(), err=True)
    exit_code: int = error.exit_code
    return exit_code
