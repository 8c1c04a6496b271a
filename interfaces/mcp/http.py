"""The tools over streamable HTTP: one server a principal, all of them on one open index.

A server that shares no data folder with the indexer follows what is announced in Qdrant (record 0084).
"""

from __future__ import annotations

import asyncio
import math
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import anyio
import anyio.to_thread
import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

from configs.settings import QdrantSettings
from interfaces.mcp.connections import BACKLOG, Connection, most_connections
from interfaces.mcp.gate import Gate
from interfaces.mcp.index import ServedIndex, open_served
from interfaces.mcp.policy import ANYBODY, Principal, within
from interfaces.mcp.server import build_server
from interfaces.mcp.tools import Tools
from interfaces.mcp.workers import handed_over, keep_saying
from memory.attempt import attempt
from memory.clock import Clock, SystemClock
from memory.errors import HybridRetrievalError
from memory.generation.announcing import follow
from memory.imports import brought_by
from orchestrator.logbook import log_info, log_warning

if TYPE_CHECKING:
    import socket

    from anyio.abc import TaskStatus
    from starlette.requests import Request
    from starlette.types import ASGIApp

    from configs import HybridRetrievalConfig, McpSettings

_PATH: Final = "/mcp"
_LOOKING: Final = 5.0
"""Seconds in which the index has to say that it is there."""
_KEPT: Final = 75
"""Seconds that a connection without a request stays open: longer than proxies and clients keep theirs, so that it is
they who close it and no request is sent into one that is being closed.
"""
_LAST_S: Final = 0.2
"""Seconds in which what the last connections ask arrives."""
_AT_A_TIME: Final = 16
"""Connections that are accepted before any other work."""
_THIS_MACHINE: Final = ("127.0.0.1:*", "localhost:*", "[::1]:*")


async def serve_http(
    data_dir: Path,
    profile: str,
    config: HybridRetrievalConfig,
    listener: socket.socket,
    *,
    principals: tuple[Principal, ...] = (),
    allowed: frozenset[str] | None = None,
    project: str | None = None,
    following: bool = False,
    is_worker: bool = False,
) -> None:
    """Serve the data folder over HTTP until the process has to end.

    Args:
        listener: a socket that listens, or that a worker's connections come through; it is closed at the end.
        principals: who may ask; where there are none, everybody may and has no token.
        allowed: what anybody may see; None for all.
        project: the one in hand, for those who may see it.
        following: whether the index is made elsewhere, and the data folder holds what is announced of it.
        is_worker: whether another process accepts the connections.
    """
    who = tuple(within(one, allowed) for one in principals or (ANYBODY,))
    async with (
        anyio.create_task_group() as group,
        open_served(data_dir, profile, config, following=following) as index,
        application(index, config.mcp, who, project=project) as app,
    ):
        if following:
            group.start_soon(keep_following, data_dir, config.vector.qdrant)
        await run_until_signalled(app, listener, config.mcp, is_worker=is_worker)
        group.cancel_scope.cancel()


@asynccontextmanager
async def application(
    index: ServedIndex,
    limits: McpSettings,
    principals: tuple[Principal, ...],
    *,
    project: str | None = None,
    clock: Clock | None = None,
) -> AsyncIterator[Starlette]:
    """The ASGI application with its routes, for the time that its servers run.

    Args:
        principals: who may ask, with what they may see; ANYBODY alone where no token is needed.
        project: the one in hand, for those who may see it.
        clock: what allowances refill by; the machine's where none is given.
    """
    async with AsyncExitStack() as stack:
        apps: dict[Principal, ASGIApp] = {}
        for one in principals:
            sees = one.projects is None or project in one.projects
            tools = Tools(index, most_chars=limits.max_chars, allowed=one.projects, project=project if sees else None)
            server = build_server(tools)
            server.streamable_http_app(
                stateless_http=True, max_request_body_size=limits.max_body_bytes, transport_security=_security(one)
            )
            await stack.enter_async_context(server.session_manager.run())
            apps[one] = server.session_manager.handle_request
        yield Starlette(
            routes=[
                Route("/health", _alive),
                Route("/ready", _readiness(index)),
                Route(_PATH, Gate(apps, limits, clock or SystemClock()), methods=["POST"]),
            ]
        )


async def run_until_signalled(
    app: ASGIApp, listener: socket.socket, limits: McpSettings, *, is_worker: bool = False
) -> None:
    """Serve until SIGTERM or SIGINT: then no new request is let in, and those that are in have that long to end."""
    server = _Server(
        uvicorn.Config(
            app,
            http=Connection,
            limit_concurrency=most_connections(limits.max_connections) + 1,  # at its limit uvicorn answers nobody
            backlog=_AT_A_TIME,
            log_config=None,
            access_log=False,
            lifespan="off",
            ws="none",
            server_header=False,
            timeout_keep_alive=_KEPT,
            timeout_graceful_shutdown=math.ceil(limits.shutdown_timeout_ms / 1000),
        )
    )
    async with anyio.create_task_group() as group:
        await group.start(_end_on_signal, server)
        if is_worker:
            group.start_soon(server.take_over, listener)
        await server.serve(sockets=[] if is_worker else [listener])
        group.cancel_scope.cancel()


class _Server(uvicorn.Server):
    """Leaves the signals to us: uvicorn's own handler raises them again at the end, which is a death and no end.

    Takes few connections at a time, that each is counted before the next, while as many as ever may wait.
    """

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._taking = anyio.CancelScope()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for one in sockets or ():
            one.listen(BACKLOG)

    async def take_over(self, channel: socket.socket) -> None:
        """Serve the connections that come through a channel."""
        loop = asyncio.get_running_loop()
        made = partial(Connection, self.config, self.server_state, {})
        with channel, self._taking:
            async with anyio.create_task_group() as beside:
                beside.start_soon(keep_saying, channel)
                with suppress(EOFError):
                    while True:
                        await anyio.wait_readable(channel)
                        for connection in handed_over(channel):
                            with suppress(OSError):  # whoever it was has gone
                                await loop.connect_accepted_socket(made, connection)
                beside.cancel_scope.cancel()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Whoever was given to a worker before it was told to end is answered too."""
        if not sockets:
            await anyio.sleep(_LAST_S)
            self._taking.cancel()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def _end_on_signal(server: uvicorn.Server, *, task_status: TaskStatus[None]) -> None:
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        task_status.started()
        async for _ in signals:
            server.force_exit = server.should_exit  # a second one does not wait
            server.should_exit = True


def _security(principal: Principal) -> TransportSecuritySettings:
    """A page in a browser may have its name lead here. It knows no token; without one, its name is refused."""
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=not principal.digest,
        allowed_hosts=list(_THIS_MACHINE),
        allowed_origins=[f"http://{host}" for host in _THIS_MACHINE],
    )


async def _alive(_: Request) -> JSONResponse:
    return JSONResponse({"status": "ok"})


def _readiness(index: ServedIndex) -> Callable[[Request], object]:
    """Whether there is an index to answer from. It says nothing of the index, since no token is asked for here."""

    async def ready(_: Request) -> JSONResponse:
        with anyio.move_on_after(_LOOKING):
            try:
                await anyio.to_thread.run_sync(index.catalogue, abandon_on_cancel=True)
            except HybridRetrievalError as error:
                return JSONResponse({"status": "not ready", "code": error.code}, status_code=503)
            return JSONResponse({"status": "ready"})
        return JSONResponse({"status": "not ready", "code": "late"}, status_code=503)

    return ready


async def keep_following(data_dir: Path, settings: QdrantSettings, clock: Clock | None = None) -> None:
    """Have each generation in the folder soon after it was announced. What fails is logged, once, and tried again."""
    with brought_by("qdrant", "A server that follows an index"):
        from memory.vector.qdrant_depot import QdrantDepot  # noqa: PLC0415 - its client takes a second to import
    clock, depot, problem = clock or SystemClock(), QdrantDepot.of(settings), ""
    while True:
        done = await attempt(partial(follow, data_dir, depot))
        if done.status == "ok" and done.value:
            log_info("another generation is here")
        if done.status != "ok" and problem != done.reason:
            log_warning("the index can't be followed", reason=done.reason or "")
        problem = done.reason or ""
        await clock.sleep(settings.followers_s)
