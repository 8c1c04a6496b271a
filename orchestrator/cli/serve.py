"""`hybrid-retrieval serve`: the MCP server for editors, on standard input and output."""

from __future__ import annotations

import logging
import os
import signal
import sys

import anyio
import click

from memory.errors import DataFolderError, InvalidInputError, UnknownProjectError
from memory.generation import DataFolder
from orchestrator.cli.options import Door, allow_option, common_options
from orchestrator.logbook import log_warning

__all__ = ["command"]

_INTERRUPTED = 130


@click.command("serve")
@common_options
@click.option("--project", metavar="NAME", help="The project in hand; default: the indexed one around this folder.")
@allow_option
def command(door: Door, *, project: str | None, allow: tuple[str, ...]) -> int:
    """Serve editors and their agents over the Model Context Protocol (stdio). The editor starts it (docs/mcp.md)."""
    try:
        from orchestrator.mcp.server import serve  # noqa: PLC0415 - a second, and only this command needs it
    except ModuleNotFoundError as error:
        if error.name != "mcp":
            raise
        raise InvalidInputError(
            "The MCP server needs a package that is not installed.", "Install it: pip install 'hybrid-retrieval[mcp]'."
        ) from error
    allowed = frozenset(allow) or None
    _check_names(door, allowed, project)
    if sys.stdin.isatty():
        click.echo("Waiting for an MCP client on standard input; an editor starts this command itself.", err=True)
    logging.basicConfig(level=logging.WARNING, handlers=[_ToStructlog()])
    signal.signal(
        signal.SIGINT, lambda *_: os._exit(_INTERRUPTED)
    )  # a thread waits for input and would hold up the end

    async def run() -> None:
        await serve(door.data_dir, door.profile, door.config, allowed=allowed, project=project)

    anyio.run(run)
    return 0


def _check_names(door: Door, allowed: frozenset[str] | None, project: str | None) -> None:
    """Raises UnknownProjectError for a name that is not indexed. Without an index yet nothing is known: each call says so."""
    try:
        with DataFolder.open(door.data_dir).reading() as generation:
            indexed = generation.manifest.names
    except DataFolderError as error:
        click.echo(str(error), err=True)
        return
    visible = indexed if allowed is None else allowed & indexed
    for name in (*sorted(allowed or ()), *((project,) if project else ())):
        if name not in visible:
            raise UnknownProjectError(name, visible)


class _ToStructlog(logging.Handler):
    """What libraries log, to where we log."""

    def emit(self, record: logging.LogRecord) -> None:
        log_warning(record.getMessage(), logger=record.name)
