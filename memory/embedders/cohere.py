"""Cohere: the account that its models share, and its embedding models, such as those that filled the collections of 002
and 004 (API reference: docs.cohere.com/v2/reference/embed).

One request takes 96 texts. A text that is too long for the model is shortened at its end by Cohere. The client
(cohere 7.3) does not check what it reads: an answer that lacks a field is an object that lacks it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from json import JSONDecodeError
from typing import TYPE_CHECKING, Final, Literal, TypeVar

from configs.settings import HostedSettings
from memory.clock import Clock
from memory.embedders.hosted import ConnectedModel, HostedDense, RequestLimits
from memory.errors import ModelError
from memory.hosted import HostedConnection, HostedFailure, http_connections, without_answer
from memory.imports import brought_by

if TYPE_CHECKING:
    from cohere import AsyncClientV2
    from cohere.core.api_error import ApiError

T = TypeVar("T")

_VARIABLE: Final = "COHERE_API_KEY"
_REFUSED: Final = 400


class CohereConnection(HostedConnection["AsyncClientV2"]):
    """Calls to Cohere with one key, one rate and connections that are kept. `settings.base_url` is without `/v2`."""

    def __init__(
        self, settings: HostedSettings, *, environ: Mapping[str, str] | None = None, clock: Clock | None = None
    ) -> None:
        super().__init__("Cohere", _VARIABLE, settings, environ=environ, clock=clock)
        self._connections = http_connections(settings.timeout_ms)
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
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:  # of an address that cannot be read
            raise without_answer(error) from error
        except (AttributeError, JSONDecodeError, RecursionError, TypeError) as error:
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


class CohereModel(ConnectedModel):
    limits = RequestLimits(texts=96, tokens=48_000)

    def __init__(self, connection: CohereConnection, model: str, dimension: int) -> None:
        super().__init__(connection, model, dimension)
        self._connection = connection

    async def embed(self, documents: Sequence[Sequence[str]], *, asked: bool) -> list[list[float]]:
        """One vector a text, document after document. Raises ModelError."""
        input_type: Literal["search_query", "search_document"] = "search_query" if asked else "search_document"
        texts = [text for document in documents for text in document]

        async def ask(client: AsyncClientV2) -> list[list[float]]:
            answer = await client.embed(model=self.model, input_type=input_type, texts=texts, embedding_types=["float"])
            return [list(vector) for vector in answer.embeddings.float_ or ()]

        return await self._connection.call("embed", ask)


class CohereDense(HostedDense):
    """A dense embedder at Cohere. remembered: of how many questions the vectors are kept, 0 for none; batch_size:
    the most texts of one request, 0 for what Cohere takes.
    """

    def __init__(
        self, connection: CohereConnection, model: str, *, dimension: int, remembered: int = 1024, batch_size: int = 0
    ) -> None:
        super().__init__(CohereModel(connection, model, dimension), remembered=remembered, batch_size=batch_size)
