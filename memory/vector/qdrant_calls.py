"""One call to a Qdrant server: its deadline, its retries, and what went wrong in words of ours.

Tried again, with exponential backoff, are 429, 502, 503, 504 and broken connections; a `Retry-After` in seconds is kept
to. What would not be over before the deadline is not waited for. All our calls may be repeated without harm.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from itertools import count
from json import JSONDecodeError
from typing import TypeVar

import anyio
import httpx
from qdrant_client.common.client_exceptions import QdrantException, ResourceExhaustedResponse
from qdrant_client.http.exceptions import ApiException, ResponseHandlingException, UnexpectedResponse

from configs.settings import QdrantSettings
from memory.clock import Clock, SystemClock
from memory.errors import ConfigError, HybridRetrievalError, StoreError

__all__ = ["QdrantCalls"]

T = TypeVar("T")

_PASSING = (429, 502, 503, 504)
_REFUSED = (401, 403)


class QdrantCalls:
    """Makes calls within the settings' limits. Raises StoreError, or ConfigError where the server wants another key."""

    def __init__(self, settings: QdrantSettings, clock: Clock | None = None) -> None:
        self._settings = settings
        self._clock = clock or SystemClock()

    async def __call__(self, doing: str, call: Callable[[], Awaitable[T]], *, write: bool = False) -> T:
        """The call's answer; `doing` is a verb for the error (search, write)."""
        limit_ms = self._settings.write_timeout_ms if write else self._settings.timeout_ms
        start = self._clock.monotonic()
        with anyio.move_on_after(limit_ms / 1000):
            for attempt in count():
                try:
                    return await call()
                except (ApiException, QdrantException, JSONDecodeError) as error:
                    pause = max(self._settings.backoff_ms / 1000 * 2**attempt, _retry_after(error))
                    left = limit_ms / 1000 - (self._clock.monotonic() - start)
                    if not _passes(error) or attempt >= self._settings.retries or pause >= left:
                        raise self._translated(doing, error) from error
                    await self._clock.sleep(pause)
        raise StoreError(
            f"Qdrant at {self._settings.url} did not {doing} within {limit_ms} ms.",
            "Try again, or give it longer: vector.qdrant.timeout_ms, write_timeout_ms.",
        )

    def _translated(self, doing: str, error: Exception) -> HybridRetrievalError:
        url, collection = self._settings.url, self._settings.collection
        if isinstance(error, UnexpectedResponse) and error.status_code in _REFUSED:
            variable = self._settings.api_key_env
            asked = f"refuses the key in {variable}." if variable else "wants an API key, and the settings name none."
            where = f"Qdrant at {url}"
            hint = f"Correct {variable}." if variable else "Say which environment variable holds it."
            return ConfigError("vector.qdrant.api_key_env", where, f"it {asked}", hint)
        said = _said(error)
        if isinstance(error, UnexpectedResponse) and error.status_code == 404 and "ollection" in said:
            return StoreError(
                f"There is no collection {collection!r} on {url}.",
                "Index your projects into it first, or name another: vector.qdrant.collection.",
            )
        hint = "Is it running, and is vector.qdrant.url right?" if _unreachable(error) else "Try again."
        return StoreError(f"Qdrant at {url} could not {doing}: {said}", hint)


def _passes(error: Exception) -> bool:
    if isinstance(error, UnexpectedResponse):
        return error.status_code in _PASSING
    return isinstance(error, QdrantException) or _unreachable(error)


def _unreachable(error: Exception) -> bool:
    return isinstance(error, ResponseHandlingException) and isinstance(error.source, httpx.TransportError)


def _retry_after(error: Exception) -> float:
    """Seconds the server asks to wait for; 0 where it says none, or a date."""
    if isinstance(error, ResourceExhaustedResponse):
        return float(error.retry_after_s)
    text = error.headers.get("Retry-After", "") if isinstance(error, UnexpectedResponse) else ""
    return float(text) if text.isdecimal() else 0.0


def _said(error: Exception) -> str:
    """What the server says is wrong, on one line."""
    if isinstance(error, UnexpectedResponse):
        try:
            said = str(error.structured()["status"]["error"])
        except (ValueError, KeyError, TypeError):
            said = error.reason_phrase or "no reason given"
        return f"{' '.join(said.split())[:300]} ({error.status_code})."
    if isinstance(error, ResponseHandlingException):
        text = " ".join(str(error.source).split())[:200].rstrip(".")
        return f"{text or type(error.source).__name__}."
    if isinstance(error, JSONDecodeError):
        return "its answer is no JSON."
    return f"{' '.join(str(error).split())[:300]}."
