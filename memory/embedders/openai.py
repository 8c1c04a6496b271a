"""Embedding models behind an endpoint that speaks OpenAI's API (platform.openai.com/docs/api-reference/embeddings):
OpenAI's own, a gateway's, or that of a server of yours such as Ollama, vLLM, llama.cpp or text-embeddings-inference.

Limits of one request as documented by OpenAI: 2,048 texts and 300,000 tokens. A server of one's own may take fewer
texts: `hosted.batch_size`. The API does not tell questions from documents.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final, TypeVar

from configs.settings import HostedSettings
from memory.clock import Clock
from memory.embedders.cache import text_key
from memory.embedders.hosted import ConnectedModel, HostedDense, RequestLimits
from memory.errors import ConfigError, ModelError
from memory.hosted import HostedConnection, HostedFailure, http_connections, without_answer
from memory.imports import brought_by

if TYPE_CHECKING:
    import httpx

T = TypeVar("T")

_URL: Final = "https://api.openai.com/v1"
_VARIABLE: Final = "OPENAI_API_KEY"
_OK: Final = 200


class OpenAIConnection(HostedConnection["httpx.AsyncClient"]):
    """Calls to one endpoint with one rate and connections that are kept. `settings.base_url` includes `/v1`.

    A key is sent to OpenAI; to another endpoint only that of the variable which the settings name. Raises ConfigError
    for a key that is not set, naming the variable, and for an address that is none; nothing is sent yet.
    """

    def __init__(
        self, settings: HostedSettings, *, environ: Mapping[str, str] | None = None, clock: Clock | None = None
    ) -> None:
        self.url = _checked(settings.base_url or _URL)
        provider = "The embedding endpoint" if settings.base_url else "OpenAI"
        has_key = settings.base_url is None or settings.api_key_env is not None
        super().__init__(provider, _VARIABLE if has_key else None, settings, environ=environ, clock=clock)
        self._connections = http_connections(settings.timeout_ms)
        self.close = self._connections.close

    async def embed(self, texts: Sequence[str], model: str, dimension: int | None) -> list[list[float]]:
        """A vector a text, in their order. dimension: what is asked for, where it can be less. Raises ModelError."""
        body: dict[str, object] = {"model": model, "input": list(texts), "encoding_format": "float"}
        if dimension:
            body["dimensions"] = dimension
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}

        async def post(client: httpx.AsyncClient) -> list[list[float]]:
            answer = await client.post(f"{self.url}/embeddings", json=body, headers=headers)
            if answer.status_code != _OK:
                raise HostedFailure(
                    _reason(answer), status=answer.status_code, retry_after=answer.headers.get("retry-after", "")
                )
            return _vectors(answer)

        return await self.call("embed", post)

    @staticmethod
    def _load() -> None:
        with brought_by("openai", "Asking an embedding endpoint", ModelError):
            import httpx  # noqa: F401, PLC0415 - so that the first call need not

    async def _attempt(self, ask: Callable[[httpx.AsyncClient], Awaitable[T]]) -> T:
        import httpx  # noqa: PLC0415 - only for who asks such an endpoint

        try:
            return await ask(self._connections.client())
        except httpx.HTTPError as error:
            raise without_answer(error) from error


def _checked(url: str) -> str:
    """Without a last slash. Raises ConfigError."""
    import httpx  # noqa: PLC0415 - only for who asks such an endpoint

    try:
        parsed = httpx.URL(url)
        host = parsed.host
    except (ValueError, httpx.InvalidURL) as error:
        raise _no_address(str(error)) from error
    if parsed.scheme not in {"http", "https"} or not host:
        raise _no_address("it is no address of the web")
    if parsed.userinfo:
        raise _no_address("it holds a user or a password, which error messages would show")
    return url.rstrip("/")


def _no_address(why: str) -> ConfigError:
    return ConfigError(
        "hosted.base_url",
        "settings",
        f"{why}.",
        "Write it as http://127.0.0.1:8080/v1; a key goes into the variable that hosted.api_key_env names.",
    )


def _vectors(answer: httpx.Response) -> list[list[float]]:
    """Those of the answer by their `index`. Raises HostedFailure for what is no such answer."""
    try:
        found = sorted(answer.json()["data"], key=lambda one: int(one["index"]))
        return [[float(number) for number in one["embedding"]] for one in found]
    except (KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise HostedFailure("its answer is not what OpenAI's documentation says") from error


def _reason(answer: httpx.Response) -> str:
    """The reason, where the servers that speak this API put it."""
    with suppress(ValueError, RecursionError):
        body = answer.json()
        for key in ("error", "message", "detail"):
            if isinstance(body, dict) and key in body:
                body = body[key]
        return str(body or "no reason given")
    return answer.text or "no reason given"


class OpenAIModel(ConnectedModel):
    limits = RequestLimits(texts=128, tokens=60_000)

    def __init__(self, connection: OpenAIConnection, model: str, dimension: int, *, shortened: bool) -> None:
        super().__init__(connection, model, dimension)
        self._connection = connection
        self._asked = dimension if shortened else None

    async def embed(self, documents: Sequence[Sequence[str]], *, asked: bool) -> list[list[float]]:  # noqa: ARG002 - no difference here
        """One vector a text, document after document. Raises ModelError."""
        texts = [text for document in documents for text in document]
        return await self._connection.embed(texts, self.model, self._asked)


class OpenAIDense(HostedDense):
    """A dense embedder behind such an endpoint.

    Args:
        connection: to the endpoint.
        model: as the endpoint names it.
        dimension: of its vectors; others are refused.
        shortened: whether the endpoint is asked for that many numbers, which only some models can give.
        batch_size: the most texts of one request, 0 for what OpenAI takes.
    """

    def __init__(
        self, connection: OpenAIConnection, model: str, *, dimension: int, shortened: bool = False, batch_size: int = 0
    ) -> None:
        super().__init__(OpenAIModel(connection, model, dimension, shortened=shortened), batch_size=batch_size)
        self._where = text_key(connection.url)[:16]

    @property
    def cache_key(self) -> str:
        """With where it is: two servers may call two models by one name."""
        return f"{super().cache_key}:{self._where}"
