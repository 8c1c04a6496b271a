"""`VoyageConnection`: the account at Voyage that its embedders and its reranker share (API reference:
docs.voyageai.com).

The client (voyageai 0.5) takes two seconds to import, opens a connection a request unless it is given a session, and
prints on standard error when an answer breaks off while it reads; so it reads answers that are whole already.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Final, TypeVar

import anyio

from configs.settings import HostedSettings
from memory.clock import Clock
from memory.errors import ModelError
from memory.extras import brought_by
from memory.hosted.calls import HostedConnection, HostedFailure

if TYPE_CHECKING:
    from aiohttp import ClientHandlerType, ClientRequest, ClientResponse, ClientSession
    from voyageai.client_async import AsyncClient
    from voyageai.error import VoyageError

__all__ = ["VoyageConnection"]

T = TypeVar("T")

_VARIABLE: Final = "VOYAGE_API_KEY"
_REFUSED: Final = 400


class VoyageConnection(HostedConnection["AsyncClient"]):
    """Calls to Voyage with one key, one rate and connections that are kept. `settings.base_url` includes `/v1`."""

    def __init__(
        self, settings: HostedSettings, *, environ: Mapping[str, str] | None = None, clock: Clock | None = None
    ) -> None:
        super().__init__("Voyage", _VARIABLE, settings, environ=environ, clock=clock)
        self._session: ClientSession | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def close(self) -> None:
        """Let go of the connections; a later call opens others."""
        session, self._session = self._session, None
        if session is not None and self._loop is asyncio.get_running_loop():
            with anyio.CancelScope(shield=True):
                await session.close()

    async def _attempt(self, ask: Callable[[AsyncClient], Awaitable[T]]) -> T:
        import voyageai  # noqa: PLC0415 - two seconds, only for who asks Voyage
        from voyageai.client_async import AsyncClient  # noqa: PLC0415 - as above
        from voyageai.error import VoyageError  # noqa: PLC0415 - comes with the client

        seconds = self._settings.timeout_ms / 1000 + 1  # HostedCalls' deadline is the shorter one
        client = AsyncClient(self._key, timeout=seconds, base_url=self._settings.base_url)
        given = voyageai.aiosession.set(self._connections())
        try:
            return await ask(client)
        except VoyageError as error:
            raise _failure(error) from error
        except (AttributeError, KeyError, TypeError, ValueError) as error:  # the client does not check what it reads
            raise HostedFailure("its answer is not what its documentation says") from error
        finally:
            voyageai.aiosession.reset(given)

    @staticmethod
    def _load() -> None:
        """Import the client. Its debug lines hold what is asked,
        so they are left out unless somebody set its logger's level.
        """
        with brought_by("voyage", "Asking Voyage AI", ModelError):
            import voyageai  # noqa: F401, PLC0415 - so that the first call need not

        logger = logging.getLogger("voyage")
        if logger.level == logging.NOTSET:
            logger.setLevel(logging.INFO)

    def _connections(self) -> ClientSession:
        """Those of this event loop: they belong to the loop that they were made in."""
        import aiohttp  # noqa: PLC0415 - comes with the client

        if self._session is None or self._loop is not asyncio.get_running_loop():
            self._session, self._loop = aiohttp.ClientSession(middlewares=(_read_whole,)), asyncio.get_running_loop()
        return self._session


async def _read_whole(request: ClientRequest, handler: ClientHandlerType) -> ClientResponse:
    """An aiohttp middleware: an answer that breaks off is a broken connection."""
    response = await handler(request)
    await response.read()
    return response


def _failure(error: VoyageError) -> HostedFailure:
    """The client makes an error of what is no JSON too, under the status that came.
    Without an answer the system's words say why.
    """
    status: int | None = error.http_status
    if status is None:
        return HostedFailure(str(error.__cause__ or "") or str(error))
    if status < _REFUSED:
        return HostedFailure("its answer is no JSON")
    return HostedFailure(str(error), status=status, retry_after=error.headers.get("Retry-After", ""))
