"""Voyage: the account that its models share, and its embedding models: `voyage-context-…` in the context of the
document, the others text by text.

Limits of one request as documented (docs.voyageai.com, text and contextualized chunk embeddings): 1,000 texts and
120,000 tokens; of a contextualized one 32,000. Half is used, since Voyage's tokenizer is not here to count with.

The client (voyageai 0.5) takes two seconds to import, opens a connection a request unless it is given a session, and
prints on standard error when an answer breaks off while it reads; so it reads answers that are whole already.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Literal, TypeVar

from configs.settings import HostedSettings
from memory.clock import Clock
from memory.embedders.hosted import ConnectedModel, HostedDense, RequestLimits
from memory.errors import ModelError
from memory.hosted import HostedConnection, HostedFailure, LoopConnections
from memory.imports import brought_by

if TYPE_CHECKING:
    from aiohttp import ClientHandlerType, ClientRequest, ClientResponse, ClientSession
    from voyageai.client_async import AsyncClient
    from voyageai.error import VoyageError

T = TypeVar("T")

_VARIABLE: Final = "VOYAGE_API_KEY"
_REFUSED: Final = 400

_PLAIN: Final = RequestLimits(texts=128, tokens=60_000)
_IN_CONTEXT: Final = RequestLimits(texts=128, tokens=16_000, document_tokens=16_000)


class VoyageConnection(HostedConnection["AsyncClient"]):
    """Calls to Voyage with one key, one rate and connections that are kept. `settings.base_url` includes `/v1`."""

    def __init__(
        self, settings: HostedSettings, *, environ: Mapping[str, str] | None = None, clock: Clock | None = None
    ) -> None:
        super().__init__("Voyage", _VARIABLE, settings, environ=environ, clock=clock)
        self._connections = LoopConnections(_session, lambda session: session.close())
        self.close = self._connections.close

    async def _attempt(self, ask: Callable[[AsyncClient], Awaitable[T]]) -> T:
        import voyageai  # noqa: PLC0415 - two seconds, only for who asks Voyage
        from voyageai.client_async import AsyncClient  # noqa: PLC0415 - as above
        from voyageai.error import VoyageError  # noqa: PLC0415 - comes with the client

        seconds = self._settings.timeout_ms / 1000 + 1  # HostedCalls' deadline is the shorter one
        client = AsyncClient(self._key, timeout=seconds, base_url=self._settings.base_url)
        given = voyageai.aiosession.set(self._connections.client())
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
        """Import the client. Its debug lines hold what is asked: left out unless somebody set its logger's level."""
        with brought_by("voyage", "Asking Voyage AI", ModelError):
            import voyageai  # noqa: F401, PLC0415 - so that the first call need not

        logger = logging.getLogger("voyage")
        if logger.level == logging.NOTSET:
            logger.setLevel(logging.INFO)


def _session() -> ClientSession:
    import aiohttp  # noqa: PLC0415 - comes with the client

    return aiohttp.ClientSession(middlewares=(_read_whole,))


async def _read_whole(request: ClientRequest, handler: ClientHandlerType) -> ClientResponse:
    """An aiohttp middleware: an answer that breaks off is a broken connection."""
    response = await handler(request)
    await response.read()
    return response


def _failure(error: VoyageError) -> HostedFailure:
    """The client makes an error of what is no JSON too, under its status. Without an answer the system says why."""
    status: int | None = error.http_status
    if status is None:
        return HostedFailure(str(error.__cause__ or "") or str(error))
    if status < _REFUSED:
        return HostedFailure("its answer is no JSON")
    return HostedFailure(str(error), status=status, retry_after=error.headers.get("Retry-After", ""))


class VoyageModel(ConnectedModel):
    """Voyage shortens a text that is too long for the model."""

    def __init__(self, connection: VoyageConnection, model: str, dimension: int) -> None:
        super().__init__(connection, model, dimension)
        self.in_context = model.startswith("voyage-context")
        self.limits = _IN_CONTEXT if self.in_context else _PLAIN
        self._connection = connection

    async def embed(self, documents: Sequence[Sequence[str]], *, asked: bool) -> list[list[float]]:
        """One vector a text, document after document. Raises ModelError."""
        input_type: Literal["query", "document"] = "query" if asked else "document"

        async def ask(client: AsyncClient) -> list[list[float]]:
            if self.in_context:
                together = await client.contextualized_embed(
                    [list(document) for document in documents],
                    self.model,
                    input_type=input_type,
                    output_dimension=self.dimension,
                )
                return [list(vector) for result in together.results for vector in result.embeddings]
            alone = await client.embed(
                [text for document in documents for text in document],
                self.model,
                input_type=input_type,
                output_dimension=self.dimension,
            )
            return [list(vector) for vector in alone.embeddings]

        return await self._connection.call("embed", ask)


class VoyageDense(HostedDense):
    """A dense embedder at Voyage. batch_size: the most texts of one request, 0 for what Voyage takes."""

    def __init__(self, connection: VoyageConnection, model: str, *, dimension: int, batch_size: int = 0) -> None:
        super().__init__(VoyageModel(connection, model, dimension), batch_size=batch_size)
