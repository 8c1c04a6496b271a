"""`Textbook`: 002's functions on one library, and on the one that a program uses, the environment's or its own.

Each has an async twin that does the work. `test_retrieval` is 002's integration test (§5), on the collection in use.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final

from configs import HybridRetrievalConfig, load_config
from facades.library import InvalidRequestError, Library, pointed, read_environment
from facades.portal import wait_for
from facades.textbook.responses import (
    DATABASE_DOWN,
    EMBEDDING_DOWN,
    UNEXPECTED,
    ErrorResponse,
    QueryResponse,
    check_search,
    chunk_id,
    failure,
    format_results,
    wrong_query,
    wrong_request,
)
from memory.attempt import attempt
from memory.clock import Clock, SystemClock
from memory.embedders import DenseEmbedder
from memory.errors import ConfigError
from memory.imports import brought_by
from memory.question import clean_query
from memory.vector import FakeVectorStore, Hit, VectorStore

if TYPE_CHECKING:
    from qdrant_client.models import ScoredPoint

    from facades.textbook.responses import ResultRow

PROFILE: Final = "cohere-textbook"
_QUESTION: Final = "What is a digital twin?"
_NONSENSE: Final = "xyzzy frobozz magic word"
_WORDS: Final = 100


class Textbook:
    """Questions to a collection of pages. The store's and the model's own limits hold for every call.

    config: by default profile `cohere-textbook`, with QDRANT_URL, QDRANT_API_KEY and HYBRID_RETRIEVAL_* of `environ`
    (default: the process's) over it. embedder, store: in place of those that the settings name. Raises ConfigError,
    naming the variable, where a key is missing.
    """

    def __init__(
        self,
        config: HybridRetrievalConfig | None = None,
        environ: Mapping[str, str] | None = None,
        *,
        embedder: DenseEmbedder | None = None,
        store: VectorStore | None = None,
        clock: Clock | None = None,
    ) -> None:
        environ = os.environ if environ is None else environ
        config = config or pointed(load_config(PROFILE, env=environ, error=ConfigError), environ)
        self._config = config
        self._environ = environ
        self._clock = clock or SystemClock()
        self._library = Library(config, environ, embedder=embedder, store=store, clock=self._clock)

    @property
    def max_query_chars(self) -> int:
        """How long a question may be."""
        return self._config.max_query_chars

    def on(self, store: VectorStore) -> Textbook:
        """The same over another store, with this one's embedder."""
        embedder = self._library.embedder
        return Textbook(self._config, self._environ, embedder=embedder, store=store, clock=self._clock)

    async def aembed_query(self, query: str) -> list[float]:
        """The question's vector (002 §1). Raises InvalidRequestError, a ValueError; ModelError after the retries."""
        wrong = wrong_query(query, self.max_query_chars)
        if wrong is not None:
            raise InvalidRequestError(wrong.message)
        return await self._library.embed(clean_query(query, self.max_query_chars))

    async def asearch_qdrant(self, query_embedding: Sequence[float], k: int = 5) -> list[ScoredPoint]:
        """The nearest points, best first, at most k, with their payload (002 §2).

        Raises InvalidRequestError, a ValueError, for k or the dimension; StoreError, DataFolderError and ConfigError.
        """
        numbers = check_search(query_embedding, k, self._library.dimension)
        return [self._point(hit) for hit in await self._library.nearest(numbers, k)]

    async def aretrieve(self, query: str, k: int = 5) -> QueryResponse | ErrorResponse:
        """Embed, search, format (002 §4). Raises nothing."""
        wrong = wrong_request(query, k, self.max_query_chars)
        if wrong is not None:
            return wrong.response(self._clock.now())
        embedded = await attempt(partial(self._library.embed, clean_query(query, self.max_query_chars)))
        if embedded.status != "ok":
            return failure(embedded, EMBEDDING_DOWN, self._clock.now(), log_content=self._config.log_content)
        answered = await attempt(partial(self._answer, embedded.value, query, k))
        if answered.status != "ok":
            return failure(answered, DATABASE_DOWN, self._clock.now(), log_content=self._config.log_content)
        response: QueryResponse = answered.value
        return response

    async def aclose(self) -> None:
        """Let go of connections; a later call opens others."""
        await self._library.close()

    async def _answer(self, vector: Sequence[float], query: str, k: int) -> QueryResponse:
        return format_results(await self.asearch_qdrant(vector, k), query, k, now=self._clock.now())

    def _point(self, hit: Hit) -> ScoredPoint:
        with brought_by("qdrant", "A result as Qdrant's client has it"):
            from qdrant_client.models import ScoredPoint  # noqa: PLC0415 - a second that a wrong question need not cost

            from memory.vector.qdrant_points import point_id  # noqa: PLC0415 - the same

        return ScoredPoint(id=point_id(hit.chunk.id), version=0, score=hit.score, payload=self._library.payload(hit))


_in_use: list[Textbook] = []


def use(textbook: Textbook | None) -> None:
    """What these functions work on from now on; None: what the environment says."""
    _in_use[:] = [] if textbook is None else [textbook]


def current() -> Textbook:
    """What these functions work on. Raises ConfigError, naming the variable, where a key is missing."""
    if not _in_use:
        _in_use.append(Textbook(environ=read_environment()))
    return _in_use[0]


def _settings() -> HybridRetrievalConfig:
    """What bounds a request where there is no textbook: the environment's settings, or the profile's where those can't
    be read.
    """
    with suppress(ConfigError, OSError):
        return load_config(PROFILE, env=read_environment(), error=ConfigError)
    return load_config(PROFILE)


def embed_query(query: str) -> list[float]:
    """Generate a vector embedding for a search query (002 §1); see `Textbook.aembed_query`."""
    return wait_for(partial(aembed_query, query), twin="aembed_query")


def search_qdrant(query_embedding: Sequence[float], k: int = 5) -> list[ScoredPoint]:
    """Perform Top-K similarity search (002 §2); see `Textbook.asearch_qdrant`."""
    return wait_for(partial(asearch_qdrant, query_embedding, k), twin="asearch_qdrant")


def retrieve(query: str, k: int = 5) -> QueryResponse | ErrorResponse:
    """Execute the complete pipeline (002 §4); see `Textbook.aretrieve`. A missing key is an error response too."""
    return wait_for(partial(aretrieve, query, k), twin="aretrieve")


async def aembed_query(query: str) -> list[float]:
    try:
        textbook = current()
    except ConfigError:
        wrong = wrong_query(query, _settings().max_query_chars)
        if wrong is None:
            raise
        raise InvalidRequestError(wrong.message) from None  # the question's fault comes before the key's
    return await textbook.aembed_query(query)


async def asearch_qdrant(query_embedding: Sequence[float], k: int = 5) -> list[ScoredPoint]:
    try:
        textbook = current()
    except ConfigError:
        check_search(query_embedding, k, _settings().vector.dimension)
        raise
    return await textbook.asearch_qdrant(query_embedding, k)


async def aretrieve(query: str, k: int = 5) -> QueryResponse | ErrorResponse:
    ready = await attempt(current)
    if ready.status == "ok":
        textbook: Textbook = ready.value
        return await textbook.aretrieve(query, k)
    now = SystemClock().now()
    wrong = wrong_request(query, k, _settings().max_query_chars)
    if wrong is not None:
        return wrong.response(now)
    lacks_key = isinstance(ready.error, ConfigError) and ready.error.key == "hosted.api_key_env"
    return failure(ready, EMBEDDING_DOWN if lacks_key else UNEXPECTED, now, log_content=False)


def test_retrieval() -> None:
    """Run the specification's six checks. Raises AssertionError that says which failed, and how."""

    async def check() -> None:
        await check_retrieval(current())

    wait_for(check, twin="check_retrieval")


async def check_retrieval(textbook: Textbook) -> None:
    """`test_retrieval` on this textbook, for a running event loop."""
    points = await textbook.asearch_qdrant(await textbook.aembed_query(_QUESTION), 5)
    response = await textbook.aretrieve(_QUESTION, 5)
    rows = _rows(response)
    _check(bool(rows) and len(rows) == len(points), "1 happy path", f"{_QUESTION!r} gave {response}")

    empty = await textbook.aretrieve("")
    _check(empty.get("code") == "INVALID_INPUT", "2 empty query", f"it gave {empty}")

    nothing = await textbook.on(FakeVectorStore()).aretrieve(_NONSENSE)
    _check(nothing.get("total_results") == 0, "3 no matches", f"an empty collection gave {nothing}")

    known = rows[0]
    again = await textbook.aretrieve(" ".join(known["chunk_text"].split()[:_WORDS])[: textbook.max_query_chars])
    found = [row["chunk_id"] for row in _rows(again)]
    _check(known["chunk_id"] in found, "4 known query", f"the words of {known['chunk_id']} gave {found}")

    stored = [point.payload or {} for point in points]
    places = [(payload.get("source_url"), chunk_id(point)) for payload, point in zip(stored, points, strict=True)]
    shown = [(row["url"], row["chunk_id"]) for row in rows]
    _check(shown == places, "5 metadata accuracy", f"{shown} is not {places}")

    texts = [payload.get("text_content") for payload in stored]
    _check([row["chunk_text"] for row in rows] == texts, "6 text integrity", "a text is not the stored one")


def _rows(response: QueryResponse | ErrorResponse) -> list[ResultRow]:
    if "error" in response:
        return []
    return response["results"]


def _check(passed: bool, name: str, otherwise: str) -> None:  # noqa: FBT001 - reads as the sentence it is
    if not passed:
        raise AssertionError(f"{name}: {otherwise}")
