"""One call to a Qdrant server: its deadline, its retries, and what went wrong in words of ours.

Tried again, with exponential backoff, are 429, 502, 503, 504 and broken connections; a `Retry-After` in seconds is kept
to. What would not be over before the deadline is not waited for. All our calls may be repeated without harm.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from itertools import count
from json import JSONDecodeError
from typing import TYPE_CHECKING, TypeVar

import anyio
import httpx
from qdrant_client.common.client_exceptions import QdrantException, ResourceExhaustedResponse
from qdrant_client.http.exceptions import ApiException, ResponseHandlingException, UnexpectedResponse

from configs.settings import QdrantSettings
from memory.clock import Clock, SystemClock
from memory.errors import ConfigError, HybridRetrievalError, StoreError, key_in
from memory.text.output import without_credentials

if TYPE_CHECKING:
    from qdrant_client import AsyncQdrantClient

_QUERY, _RRF_K, _RRF_WEIGHTS, _IDF_CORPUS = (1, 10), (1, 16), (1, 17), (1, 19)

T = TypeVar("T")
_PASSING = (429, 502, 503, 504)
_REFUSED = (401, 403)
_WRONG = (400, 404, 409, 413, 422)


@dataclass(frozen=True, slots=True)
class ServerVersion:
    """A version as the server tells it, such as 1.19.2."""

    text: str

    @property
    def number(self) -> tuple[int, int]:
        """Major and minor; (0, 0) for what is no version."""
        found = re.match(r"v?(\d+)\.(\d+)", self.text)
        return (int(found[1]), int(found[2])) if found else (0, 0)

    @property
    def answers_queries(self) -> bool:
        """Whether it has the Query API, without which nothing works."""
        return self.number >= _QUERY

    @property
    def idf_corpus(self) -> bool:
        """Whether IDF can be taken over the permission."""
        return self.number >= _IDF_CORPUS

    def fuses(self, k: int, *, weighted: bool) -> bool:
        """Whether its own fusion can have this k, and weights."""
        return self.number >= (_RRF_WEIGHTS if weighted else _RRF_K) or (k == 2 and not weighted)  # its fixed k

    @property
    def lacks(self) -> list[str]:
        """What an older version has not, and what that means here."""
        known = (
            (_RRF_K, "k of its reciprocal rank fusion (1.16): lists are fused here"),
            (_RRF_WEIGHTS, "weights of it (1.17): lists are fused here"),
            (_IDF_CORPUS, "IDF over the permission (1.19): word scores depend on all projects of the collection"),
        )
        return [text for since, text in known if self.number < since]


def api_key(settings: QdrantSettings, environ: Mapping[str, str] | None = None) -> str | None:
    """The key in the variable that the settings name. Raises ConfigError, naming it, where it is not set."""
    if not settings.api_key_env:
        return None
    hint = f"Put the API key of {without_credentials(settings.url)} there, or set vector.qdrant.api_key_env to null."
    return key_in(environ, settings.api_key_env, "vector.qdrant.api_key_env", hint)


def connect(settings: QdrantSettings, environ: Mapping[str, str] | None = None) -> AsyncQdrantClient:
    """A client; nothing is sent yet.

    Raises ConfigError for an address that is none, a missing key, and a proxy or a certificate file of the environment
    that cannot be used.
    """
    key = api_key(settings, environ)
    from qdrant_client import AsyncQdrantClient  # noqa: PLC0415 - 1.2 s that a wrong setting need not cost

    seconds = -(-max(settings.timeout_ms, settings.write_timeout_ms) // 1000)  # our own deadline is the shorter one
    try:
        _ = httpx.URL(settings.url).host  # which the client reads with its first call
        # As a header: given as api_key, the client warns on standard error wherever the address is plain http.
        return AsyncQdrantClient(
            url=settings.url,
            headers={"api-key": key} if key else None,
            timeout=seconds,
            check_compatibility=False,
            cloud_inference=True,  # only spares looking for texts to embed in every request
        )
    except (httpx.InvalidURL, ImportError, OSError, ValueError) as error:
        problem = f"no connection to {without_credentials(settings.url)!r} can be made: {str(error).rstrip('.')}."
        hint = "Correct it, or the proxies and the certificate file of the environment (ALL_PROXY, SSL_CERT_FILE)."
        raise ConfigError("vector.qdrant.url", "settings", problem, hint) from None


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
                except (ApiException, QdrantException, JSONDecodeError, AssertionError, RecursionError) as error:
                    pause = max(self._settings.backoff_ms / 1000 * 2**attempt, _retry_after(error))
                    left = limit_ms / 1000 - (self._clock.monotonic() - start)
                    if not _passes(error) or attempt >= self._settings.retries or pause >= left:
                        raise self._translated(doing, error) from error
                    await self._clock.sleep(pause)
        raise StoreError(
            f"Qdrant at {without_credentials(self._settings.url)} did not {doing} within {limit_ms} ms.",
            "Try again, or give it longer: vector.qdrant.timeout_ms, write_timeout_ms.",
        )

    def _translated(self, doing: str, error: Exception) -> HybridRetrievalError:
        url, collection = without_credentials(self._settings.url), self._settings.collection
        if isinstance(error, UnexpectedResponse) and error.status_code in _REFUSED:
            variable = self._settings.api_key_env
            asked = f"refuses the key in {variable}." if variable else "wants an API key, and the settings name none."
            where = f"Qdrant at {url}"
            hint = f"Correct {variable}." if variable else "Say which environment variable holds it."
            return ConfigError("vector.qdrant.api_key_env", where, f"it {asked}", hint)
        message = _reason(error)
        if isinstance(error, UnexpectedResponse) and error.status_code == 404 and "ollection" in message:
            return StoreError(
                f"There is no collection {collection!r} on {url}.",
                "Index your projects into it first, or name another: vector.qdrant.collection.",
            )
        hint = "Is it running, and is vector.qdrant.url right?" if _unreachable(error) else "Try again."
        if isinstance(error, UnexpectedResponse) and error.status_code in _WRONG:
            hint = "It will not take this the next time either: was the collection made for these settings?"
        return StoreError(f"Qdrant at {url} could not {doing}: {message}", hint)


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


def _reason(error: Exception) -> str:
    """What the server says is wrong, on one line."""
    if isinstance(error, UnexpectedResponse):
        try:
            message = str(error.structured()["status"]["error"])
        except (ValueError, KeyError, TypeError, RecursionError):
            message = error.reason_phrase or "no reason given"
        return f"{' '.join(message.split())[:300]} ({error.status_code})."
    if isinstance(error, ResponseHandlingException):
        text = " ".join(str(error.source).split())[:200].rstrip(".")
        return f"{text or type(error.source).__name__}."
    if isinstance(error, JSONDecodeError | RecursionError):
        return "its answer is no JSON."
    if isinstance(error, AssertionError):  # how the client says so
        return "its answer has no result."
    return f"{' '.join(str(error).split())[:300]}."
