"""One call to a hosted model: its key, its rate, its deadline, its retries, and what went wrong in words of ours.

Tried again, with exponential backoff, are 408, 429, 5xx, broken connections and answers that do not come or cannot be
read; a `Retry-After` in seconds is kept to, up to a minute. What would not be over before the caller's deadline is not
waited for.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

import anyio
import anyio.to_thread

from configs.settings import HostedSettings
from memory.clock import Clock, SystemClock
from memory.errors import ModelError, key_in
from memory.together import PerLoop

if TYPE_CHECKING:
    import httpx

_MINUTE_S = 60.0

T = TypeVar("T")
ClientT = TypeVar("ClientT")
_TOO_MANY: Final = 429
_PASSING: Final = (408, _TOO_MANY)
_SERVER: Final = 500
_REFUSED: Final = (401, 403)
_LONGEST_S: Final = 60.0


class RequestRate:
    """A sliding window: a request waits until fewer than `per_minute` were let through in the last 60 s. 0: no limit.

    They are let through in the order they came. One who stops waiting takes no place.
    """

    def __init__(self, per_minute: int, clock: Clock) -> None:
        self._per_minute = per_minute
        self._clock = clock
        self._turn = anyio.Lock()
        self._let_through: deque[float] = deque(maxlen=max(1, per_minute))

    async def wait(self) -> None:
        """Until the next request may be made; it counts as made."""
        if self._per_minute < 1:
            return
        async with self._turn:
            if len(self._let_through) == self._per_minute:
                left = self._let_through[0] + _MINUTE_S - self._clock.monotonic()
                if left > 0:
                    await self._clock.sleep(left)
            self._let_through.append(self._clock.monotonic())


class HostedFailure(Exception):  # noqa: N818 - it is an attempt's end, HostedCalls makes the error of it
    """How an adapter tells that one attempt failed. status: HTTP's, None where there was no answer that could be read;
    retry_after: the header's text; proxy: the variable of the proxy that was on the way, '' for none.
    """

    def __init__(self, reason: str, *, status: int | None = None, retry_after: str = "", proxy: str = "") -> None:
        super().__init__(reason)
        self.reason = " ".join(reason.split())[:300].rstrip(".")
        self.status = status
        self.proxy = proxy
        is_number = retry_after.replace(".", "", 1).isdecimal()
        self.wait_s = float(retry_after) if is_number else 0.0  # a date is not kept to

    @property
    def passes(self) -> bool:
        """Whether another attempt may succeed."""
        return self.status is None or self.status in _PASSING or self.status >= _SERVER


class HostedCalls:
    """Makes calls within the settings' limits; one for all models of an account, since they share its rate.

    provider: its name in messages; variable: where its key came from, None where none is sent. Raises ModelError.
    """

    def __init__(
        self, provider: str, settings: HostedSettings, variable: str | None, clock: Clock | None = None
    ) -> None:
        self._provider = provider
        self._settings = settings
        self._variable = variable
        self._clock = clock or SystemClock()
        self._rate = RequestRate(settings.requests_per_minute, self._clock)

    async def __call__(self, doing: str, attempt: Callable[[], Awaitable[T]]) -> T:
        """The answer of an attempt, which raises HostedFailure. doing: a verb for the error (embed, rerank)."""
        number = 0
        while True:
            await self._rate.wait()
            try:
                return await self._within_limit(attempt)
            except HostedFailure as failure:
                pause = max(self._settings.backoff_ms / 1000 * 2**number, failure.wait_s)
                left = min(_LONGEST_S, anyio.current_effective_deadline() - anyio.current_time())
                if not failure.passes or number >= self._settings.retries or pause > left:
                    raise self._error(doing, failure) from failure
            await self._clock.sleep(pause)
            number += 1

    async def _within_limit(self, attempt: Callable[[], Awaitable[T]]) -> T:
        with anyio.move_on_after(self._settings.timeout_ms / 1000):
            return await attempt()
        raise HostedFailure(f"no answer within {self._settings.timeout_ms} ms")

    def _error(self, doing: str, failure: HostedFailure) -> ModelError:
        at = self._settings.base_url
        where = f"{self._provider} at {at}" if at else self._provider
        if failure.status in _REFUSED and self._variable is None:
            return ModelError(
                f"{where} wants a key: {failure.reason} ({failure.status}).",
                "Put it into an environment variable, and name that in hosted.api_key_env.",
            )
        if failure.status in _REFUSED:
            return ModelError(
                f"{where} refuses the key in {self._variable} ({failure.status}): {failure.reason}.",
                f"Correct {self._variable}.",
            )
        status = f" ({failure.status})" if failure.status else ""
        hint = "Try again later." if failure.passes else "Check the models and section hosted of the settings."
        if failure.status == _TOO_MANY:
            hint = "Try again later, or set hosted.requests_per_minute to what your account may ask."
        elif failure.status is None and (suspects := [*filter(None, (at and "hosted.base_url", failure.proxy))]):
            hint = " ".join([*(f"Is {name} right?" for name in suspects), "Or try again later."])
        return ModelError(f"{where} could not {doing}: {failure.reason}{status}.", hint)


class HostedConnection(ABC, Generic[ClientT]):
    """An account that its models share: one key, one rate. A vendor's class says how its client is imported and asked
    once.

    variable: the provider's usual one for its key, None where no key is sent. Raises ConfigError, naming the variable,
    where it is not set; nothing is sent yet. close: lets go of its connections.
    """

    close: Callable[[], Coroutine[Any, Any, None]]

    def __init__(
        self,
        provider: str,
        variable: str | None,
        settings: HostedSettings,
        *,
        environ: Mapping[str, str] | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._settings = settings
        variable = variable and (settings.api_key_env or variable)
        hint = f"Put your {provider} API key there, or choose a profile whose models run on this machine."
        self._key = key_in(environ, variable, "hosted.api_key_env", hint) if variable else None
        self._calls = HostedCalls(provider, settings, variable, clock)

    def load_ahead(self) -> None:
        """Begin to import the client in a thread, while the caller opens something else."""
        threading.Thread(target=self._try_loading, daemon=True).start()

    async def warm_up(self) -> None:
        """Import the client, before the clock starts. Raises ModelError where it is not installed."""
        await anyio.to_thread.run_sync(self._load, abandon_on_cancel=True)

    async def call(self, doing: str, ask: Callable[[ClientT], Awaitable[T]]) -> T:
        """The answer to what `ask` sends with the client. Raises ModelError."""
        await self.warm_up()
        return await self._calls(doing, lambda: self._attempt(ask))

    def _try_loading(self) -> None:
        with suppress(ModelError):  # met by who needs it
            self._load()

    @staticmethod
    @abstractmethod
    def _load() -> None: ...

    @abstractmethod
    async def _attempt(self, ask: Callable[[ClientT], Awaitable[T]]) -> T:
        """One attempt. Raises HostedFailure."""


class LoopConnections(Generic[ClientT]):
    """Connections that are kept, of each event loop its own. make: opens them; end: closes them."""

    def __init__(self, make: Callable[[], ClientT], end: Callable[[ClientT], Awaitable[None]]) -> None:
        self._clients = PerLoop(make)
        self._end = end

    def client(self) -> ClientT:
        """Those of this event loop."""
        return self._clients.get()

    async def close(self) -> None:
        """Let go of those of this event loop; a later call opens others."""
        client = self._clients.take()
        if client is not None:
            with anyio.CancelScope(shield=True):
                await self._end(client)


def without_answer(error: Exception) -> HostedFailure:
    """What httpx raised for a request, with the proxy that the environment names for it where none was reached."""
    from urllib.request import getproxies, proxy_bypass  # noqa: PLC0415 - as httpx reads the environment

    import httpx  # noqa: PLC0415 - only for who asks a hosted model

    proxy = ""
    if isinstance(error, httpx.ConnectError | httpx.ProxyError):
        url, proxies = error.request.url, getproxies()
        scheme = next((scheme for scheme in (url.scheme, "all") if proxies.get(scheme)), "")
        proxy = f"{scheme.upper()}_PROXY" if scheme and not proxy_bypass(url.host) else ""
    return HostedFailure(str(error) or type(error).__name__, proxy=proxy)


def http_connections(timeout_ms: int) -> LoopConnections[httpx.AsyncClient]:
    """timeout_ms: of a request; who asks has a deadline of its own, which is to be the shorter one.

    The first call raises ModelError where the environment names a proxy or a certificate file that cannot be used.
    """

    def make() -> httpx.AsyncClient:
        import httpx  # noqa: PLC0415 - only for who asks a hosted model

        try:
            return httpx.AsyncClient(timeout=timeout_ms / 1000 + 1)
        except (httpx.InvalidURL, ImportError, OSError, ValueError) as error:  # it reads the environment
            raise ModelError(
                f"No connection can be made: {str(error).rstrip('.')}.",
                "Correct the proxies and the certificate file of the environment (ALL_PROXY, SSL_CERT_FILE).",
            ) from error

    return LoopConnections(make, lambda client: client.aclose())
