"""`LoopConnections`: an httpx client that is kept, for the event loop that asks: connections belong to the loop they were made in."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import anyio

if TYPE_CHECKING:
    import httpx

__all__ = ["LoopConnections"]


class LoopConnections:
    """timeout_ms: of a request; who asks has a deadline of its own, which is to be the shorter one."""

    def __init__(self, timeout_ms: int) -> None:
        self._seconds = timeout_ms / 1000 + 1
        self._http: httpx.AsyncClient | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def client(self) -> httpx.AsyncClient:
        """That of this event loop."""
        import httpx  # noqa: PLC0415 - only for who asks a hosted model

        if self._http is None or self._loop is not asyncio.get_running_loop():
            self._http, self._loop = httpx.AsyncClient(timeout=self._seconds), asyncio.get_running_loop()
        return self._http

    async def close(self) -> None:
        """Let go of them; a later call opens others."""
        http, self._http = self._http, None
        if http is not None and self._loop is asyncio.get_running_loop():
            with anyio.CancelScope(shield=True):
                await http.aclose()
