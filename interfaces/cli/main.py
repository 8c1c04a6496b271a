"""`hybrid-retrieval`: chooses the command, and turns errors into messages and exit codes (docs/design.md#output)."""

from __future__ import annotations

import contextlib
import errno
import gc
import importlib
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from memory.errors import HybridRetrievalError

_COMMANDS = {
    "index": "Index projects and installed distributions.",
    "ask": "Ask a question over everything that is indexed.",
    "evidence": "Find quotable pieces of code and documents.",
    "evaluate": "Score a file of questions with known answers.",
    "export": "Print the graph's edges or entities, one JSON line each.",
    "record": "Record scenarios: every call to a store or a model, and the result.",
    "replay": "Replay recorded scenarios, as they were or with something changed.",
    "why": "Say which stage kept or dropped an observation of a result.",
    "serve": "Serve editors and their agents over MCP.",
    "doctor": "Check the data folder, the models and the stores.",
}
_USER = 2
_UNAVAILABLE = 3
_NOT_WRITTEN = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF})
"""What is wrong with where the output goes, in an error that names no file."""
_INTERRUPTED = 130
_SHORT = ("ask", "doctor", "evidence")
"""Commands that end before garbage counts."""
_LIMIT_SIGNS = ("can't start new thread", "failed to map segment", "Cannot allocate memory")
"""What Python and the loader of libraries say of it in errors of no type of their own."""
_READER_GONE = 0  # `| head` has seen enough: no failure


class _LazyGroup(click.Group):
    """Knows the commands' names; imports one only when it is run."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"{__package__}.{cmd_name}").command
        if cmd_name not in _SHORT:
            gc.enable()
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


def main(arguments: Sequence[str] | None = None, leave: Callable[[int], object] = os._exit) -> None:
    """Run the command line and leave with its exit code; the process's entry point.

    `os._exit`, since a worker thread that was abandoned at a deadline must not keep the process alive: see
    docs/design.md#the-run.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy's threads spin while the rest is imported
    if sys.stdin is None:  # closed: a socket would get its number, which a child's own input takes
        sys.stdin = Path(os.devnull).open()  # noqa: SIM115 - for as long as the process lives
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115 - for as long as the process lives
    if sys.stdout is None:  # the interpreter's way to say that it is closed
        leave(_unwritten("it is closed"))
        return
    if sys.stdout.encoding.casefold() != "utf-8":
        from memory.text.output import escape_unencodable  # noqa: PLC0415 - `--help` needs none of it

        escape_unencodable(sys.stdout, sys.stderr)
    try:
        Path.cwd()
    except FileNotFoundError:
        click.echo("The folder you are in was removed. Change to one that is there.", err=True)
        leave(_USER)
        return
    gc.disable()  # an eighth of a cold answer is the collector looking for garbage that starting up does not make
    try:
        code = run(list(sys.argv[1:] if arguments is None else arguments))
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        code = _READER_GONE
    except OSError as error:
        if error.errno not in _NOT_WRITTEN or error.filename is not None:
            raise
        code = _unwritten(error.strerror or type(error).__name__)
    leave(code)


def _unwritten(reason: str) -> int:
    with contextlib.suppress(OSError):  # standard error may be the same file
        click.echo(f"The output can't be written: {reason}.", err=True)
    return _UNAVAILABLE


def run(arguments: list[str], program: click.Command = cli) -> int:  # noqa: PLR0911 - one a kind of end
    """Run one command line; returns the exit code. Every error becomes a message, never a stack trace."""
    try:
        code = program.main(arguments, prog_name="hybrid-retrieval", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return _USER
    except click.ClickException as error:
        from memory.errors import InvalidInputError  # noqa: PLC0415 - `--help` needs none of it

        _say(arguments, InvalidInputError.code, error.format_message(), "See `hybrid-retrieval --help`.")
        return _USER
    except _explained() as error:
        _say(arguments, error.code, error.message, error.hint)
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        _say(arguments, "interrupted", "Interrupted.", "")
        return _INTERRUPTED
    except (OSError, MemoryError, RuntimeError, ImportError, ExceptionGroup) as error:
        if (limit := _limit_met(error)) is None:
            raise
        _say(arguments, "limit", *limit)
        return _UNAVAILABLE
    except SystemExit:  # the one case in which click leaves by itself: whoever read our output has gone
        return _READER_GONE


def _limit_met(error: Exception) -> tuple[str, str] | None:
    """What the system did not allow, and what to do; None where it is no limit of the system's."""
    from memory.errors import HIGHER_LIMITS  # noqa: PLC0415 - `--help` needs none of it

    if isinstance(error, ExceptionGroup):
        limits = (_limit_met(one) for one in error.exceptions)
        return next((limit for limit in limits if limit is not None), None)
    number = error.errno if isinstance(error, OSError) else None
    if number in {errno.EMFILE, errno.ENFILE}:
        return "Too many files are open.", "Allow more: `ulimit -n 256`, or the system's own limit."
    is_short = number in {errno.ENOMEM, errno.EAGAIN} or isinstance(error, MemoryError)
    if is_short or any(sign in str(error) for sign in _LIMIT_SIGNS):
        return "There is too little memory, or there are too many threads.", HIGHER_LIMITS
    return None


def _explained() -> type[HybridRetrievalError]:
    """The errors that explain themselves; only looked up when one was raised."""
    from memory.errors import HybridRetrievalError  # noqa: PLC0415 - `--help` needs none of it

    return HybridRetrievalError


def _say(arguments: list[str], code: str, message: str, hint: str) -> None:
    """The error as one JSON document where that was asked for, and for people on standard error."""
    from memory.text.output import json_line, printable  # noqa: PLC0415 - `--help` needs none of it

    message, hint = printable(message), printable(hint)
    if "--json" in arguments:
        click.echo(json_line({"schema_version": "1", "error": {"code": code, "message": message, "hint": hint}}))
    click.echo(f"{message} {hint}".strip(), err=True)
