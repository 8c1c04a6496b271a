"""`CohereConnection`: the account at Cohere that its models share (API reference: docs.cohere.com/v2/reference/embed).

The client (cohere 7.3) does not check what it reads: an answer that lacks a field is an object that lacks it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from json import JSONDecodeError
from typing import TYPE_CHECKING, Final, TypeVar

from configs.settings import HostedSettings
from memory.clock import Clock
from memory.errors import ModelError
from memory.extras import brought_by
from memory.hosted.calls import HostedConnection, HostedFailure, LoopConnections

if TYPE_CHECKING:
    from cohere import AsyncClientV2
    from cohere.core.api_error import ApiError

__all__ = ["CohereConnection"]

T = TypeVar("T")

_VARIABLE: Final = "COHERE_API_KEY"
_REFUSED: Final = 400


class CohereConnection(HostedConnection["AsyncClientV2"]):
    """Calls to Cohere with one key, one rate and connections that are kept. `settings.base_url` is without `/v2`."""

    def __init__(
        self, settings: HostedSettings, *, environ: Mapping[str, str] | None = None, clock: Clock | None = None
    ) -> None:
        super().__init__("Cohere", _VARIABLE, settings, environ=environ, clock=clock)
        self._connections = LoopConnections(settings.timeout_ms)
        self.close = self._connections.close

    async def _attempt(self, ask: Callable[[AsyncClientV2], Awaitable[T]]) -> T:
        import httpx  # noqa: PLC0415 - comes with the client
        from cohere import AsyncClientV2  # noqa: PLC0415 - half a second, only for who asks Cohere
        from cohere.core.api_error import ApiError  # noqa: PLC0415 - comes with the client

        client = AsyncClientV2(
            self._key, base_url=self._settings.base_url, httpx_client=self._connections.client(), max_retries=0
        )
        try:
            return await ask(client)
        except ApiError as error:
            raise _failure(error) from error
        except httpx.HTTPError as error:
            raise HostedFailure(str(error) or type(error).__name__) from error
        except (AttributeError, JSONDecodeError, TypeError) as error:
            raise HostedFailure("its answer is not what its documentation says") from error

    @staticmethod
    def _load() -> None:
        with brought_by("cohere", "Asking Cohere", ModelError):
            import cohere  # noqa: F401, PLC0415 - so that the first call need not


def _failure(error: ApiError) -> HostedFailure:
    """The client makes an ApiError of what is no JSON too, under the status that came."""
    body, status = error.body, error.status_code
    reason = str(body["message"]) if isinstance(body, dict) and "message" in body else str(body or "no reason given")
    if status is None or status < _REFUSED:
        return HostedFailure("its answer is no JSON")
    headers = {name.lower(): value for name, value in (error.headers or {}).items()}
    return HostedFailure(reason, status=status, retry_after=headers.get("retry-after", ""))
