"""`hybrid-retrieval serve`: the MCP server, on standard input and output for an editor, or over HTTP for a team."""

from __future__ import annotations

import gc
import logging
import os
import signal
import socket
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import anyio
import click

from interfaces.cli.options import Door, allow_option, common_options
from memory.errors import DataFolderError, InvalidInputError, UnknownProjectError
from memory.generation import DataFolder
from memory.imports import brought_by
from orchestrator.logbook import log_warning, make_ready
from wiring.catalogue import permitted

if TYPE_CHECKING:
    from interfaces.mcp.policy import Principal

_INTERRUPTED: Final = 130
_HOST: Final = "127.0.0.1"
_PORT: Final = 8000
_YOUNG: Final = 20_000
"""How many objects more than there were before the collector looks for garbage. A question holds some thousands while
it is answered and leaves a hundred: to look every 700, as is usual, took a sixth of its time.
"""


@click.command("serve")
@common_options
@click.option("--project", metavar="NAME", help="The project in hand; default: the indexed one around this folder.")
@allow_option
@click.option("--http", "over_http", is_flag=True, help="Over HTTP, for several people (docs/mcp.md).")
@click.option("--host", metavar="HOST", help="With --http: where to listen; default: this machine alone.")
@click.option("--port", metavar="PORT", type=click.IntRange(0, 65_535), help="With --http; default: 8000.")
@click.option("--policy", metavar="FILE", help="With --http: who may ask, and which projects each of them sees.")
@click.option("--workers", metavar="N", type=click.IntRange(1, 64), help="With --http: so many processes; default: 1.")
@click.option("--follow", is_flag=True, help="With --http: read what is announced in Qdrant (docs/scaling.md).")
@click.option("--socket", "socket_number", type=int, hidden=True)  # of a worker: what it was given to listen at
def command(
    door: Door,
    *,
    project: str | None,
    allow: tuple[str, ...],
    over_http: bool,
    host: str | None,
    port: int | None,
    policy: str | None,
    workers: int | None,
    follow: bool,
    socket_number: int | None,
) -> int:
    """Serve editors and their agents over the Model Context Protocol: on standard input and output, or over HTTP."""
    if not over_http and (host, port, policy, workers, follow) != (None, None, None, None, False):
        message = "--host, --port, --policy, --workers and --follow are of a server over HTTP."
        raise InvalidInputError(message, "Give --http too.")
    if follow and not (door.config.vector.store == "qdrant" and door.config.vector.qdrant.followers_s):
        raise InvalidInputError(
            "--follow reads what is announced in Qdrant, and the settings do not say so.",
            "Set vector.store to qdrant, and vector.qdrant.followers_s here and where you index (docs/scaling.md).",
        )
    with brought_by("mcp", "The MCP server"):
        from interfaces.mcp import server  # noqa: PLC0415 - a second, and only this command needs it
    allowed = frozenset(allow) or None
    gc.set_threshold(_YOUNG)
    logging.basicConfig(level=logging.WARNING, handlers=[_ToStructlog()])
    if socket_number is not None:
        from interfaces.mcp.policy import from_json  # noqa: PLC0415 - only a worker is told
        from interfaces.mcp.workers import given_by_parent  # noqa: PLC0415 - as above

        listener, principals = socket.socket(fileno=socket_number), from_json(given_by_parent())
        _serve_at(door, listener, principals, allowed, project, follow=follow, is_worker=True)
        return 0
    indexed = None if follow else _indexed(door)
    if indexed is not None:
        visible = permitted(allowed, indexed)
        if project and project not in visible:
            raise UnknownProjectError(project, visible)
    if over_http:
        place = (host or _HOST, _PORT if port is None else port)
        _over_http(door, place, policy, indexed, allowed, project, workers or 1, follow=follow)
        return 0
    if sys.stdin.isatty():
        click.echo("Waiting for an MCP client on standard input; an editor starts this command itself.", err=True)
    signal.signal(
        signal.SIGINT, lambda *_: os._exit(_INTERRUPTED)
    )  # a thread waits for input and would hold up the end

    async def run() -> None:
        await server.serve(door.data_dir, door.profile, door.config, allowed=allowed, project=project)

    anyio.run(run)
    return 0


def _over_http(
    door: Door,
    place: tuple[str, int],
    policy: str | None,
    indexed: frozenset[str] | None,
    allowed: frozenset[str] | None,
    project: str | None,
    workers: int,
    *,
    follow: bool,
) -> None:
    host, port = place
    from interfaces.mcp.connections import check_place, listen  # noqa: PLC0415 - only this way of serving needs it
    from interfaces.mcp.policy import read_policy, to_json  # noqa: PLC0415 - as above
    from interfaces.mcp.workers import check_workers, serve_with_workers  # noqa: PLC0415 - as above

    check_place(host, has_policy=policy is not None)
    principals = read_policy(Path(policy)) if policy is not None else ()
    for one in principals:
        missing = frozenset() if one.projects is None or indexed is None else one.projects - indexed
        for name in sorted(missing):
            click.echo(f"{policy}: {one.name} may see {name}, which is not indexed.", err=True)
    if workers > 1:
        check_workers()
    with listen(host, port) as listener:
        _say_where(host, listener)
        if workers == 1:
            _serve_at(door, listener, principals, allowed, project, follow=follow)
            return
        itself = [sys.executable, *sys.orig_argv[1:]]
        serve = partial(serve_with_workers, given=to_json(principals))
        anyio.run(serve, itself, listener, workers, door.config.mcp.shutdown_timeout_ms)


def _say_where(host: str, listener: socket.socket) -> None:
    shown = f"[{host}]" if ":" in host else host
    click.echo(f"Serving on http://{shown}:{listener.getsockname()[1]}/mcp", err=True)


def _serve_at(
    door: Door,
    listener: socket.socket,
    principals: tuple[Principal, ...],
    allowed: frozenset[str] | None,
    project: str | None,
    *,
    follow: bool,
    is_worker: bool = False,
) -> None:
    from interfaces.mcp.http import serve_http  # noqa: PLC0415 - only this way of serving needs it
    from interfaces.mcp.workers import end_with_parent  # noqa: PLC0415 - as above

    make_ready()

    async def run() -> None:
        async with anyio.create_task_group() as group:
            if is_worker:
                group.start_soon(end_with_parent)
            await serve_http(
                door.data_dir,
                door.profile,
                door.config,
                listener,
                principals=principals,
                allowed=allowed,
                project=project,
                following=follow,
                is_worker=is_worker,
            )
            group.cancel_scope.cancel()

    anyio.run(run)


def _indexed(door: Door) -> frozenset[str] | None:
    """The projects' names; None without an index yet, which is reported here and by each call."""
    try:
        with DataFolder.open(door.data_dir).reading() as generation:
            return generation.manifest.names
    except DataFolderError as error:
        click.echo(str(error), err=True)
        return None


class _ToStructlog(logging.Handler):
    """What libraries log, to where we log."""

    def emit(self, record: logging.LogRecord) -> None:
        log_warning(record.getMessage(), logger=record.name)
