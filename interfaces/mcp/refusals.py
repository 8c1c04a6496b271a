"""What a request hears that does not get through: an HTTP status, and a JSON-RPC error that a client shows to
people.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from starlette.types import Send

__all__ = ["Refusal"]

_REFUSED: Final = -32_010  # JSON-RPC leaves these numbers to servers; the protocol and its library use others of them


class Refusal(Exception):  # noqa: N818 - carries an answer to the one place that sends it
    """One answer.

    Args:
        status: the HTTP status.
        message: what is wrong and what to do, for people.
        request: the id of the JSON-RPC request, where it is known.
        headers: more headers.
    """

    def __init__(
        self, status: int, message: str, *, request: str | int | None = None, headers: dict[str, str] | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self._request = request
        self._headers = headers or {}

    async def send(self, send: Send) -> None:
        """Answer with it."""
        error = {"code": _REFUSED, "message": self.message}
        body = json.dumps({"jsonrpc": "2.0", "id": self._request, "error": error}).encode()
        headers = {"content-type": "application/json", "content-length": str(len(body)), **self._headers}
        encoded = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": self.status, "headers": encoded})
        await send({"type": "http.response.body", "body": body})
