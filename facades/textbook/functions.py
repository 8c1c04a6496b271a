"""002's functions on the one `Textbook` that a program uses: the environment's, or the one it said (002 §1, §2, §4)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from configs import HybridRetrievalConfig
from facades.environment import read_environment
from facades.errors import InvalidRequestError
from facades.portal import wait_for
from facades.textbook.pipeline import Textbook
from facades.textbook.requests import wrong_query, wrong_request
from facades.textbook.responses import EMBEDDING_DOWN, failure
from memory.attempt import attempt
from memory.clock import SystemClock
from memory.errors import ConfigError

if TYPE_CHECKING:
    from qdrant_client.models import ScoredPoint

    from facades.textbook.responses import ErrorResponse, QueryResponse

__all__ = [
    "aembed_query",
    "aretrieve",
    "asearch_qdrant",
    "current",
    "embed_query",
    "retrieve",
    "search_qdrant",
    "use",
]

_in_use: list[Textbook] = []


def use(textbook: Textbook | None) -> None:
    """What these functions work on from now on; None: what the environment says."""
    _in_use[:] = [] if textbook is None else [textbook]


def current() -> Textbook:
    """What these functions work on. Raises ConfigError, naming the variable, where a key is missing."""
    if not _in_use:
        _in_use.append(Textbook(environ=read_environment()))
    return _in_use[0]


def embed_query(query: str) -> list[float]:
    """Generate a vector embedding for a search query (002 §1); see `Textbook.embed_query`."""
    return wait_for(partial(aembed_query, query), twin="aembed_query")


def search_qdrant(query_embedding: Sequence[float], k: int = 5) -> list[ScoredPoint]:
    """Perform Top-K similarity search (002 §2); see `Textbook.search_qdrant`."""
    return current().search_qdrant(query_embedding, k)


def retrieve(query: str, k: int = 5) -> QueryResponse | ErrorResponse:
    """Execute the complete pipeline (002 §4); see `Textbook.retrieve`. A missing key is an error response too."""
    return wait_for(partial(aretrieve, query, k), twin="aretrieve")


async def aembed_query(query: str) -> list[float]:
    """`embed_query` for a running event loop."""
    try:
        textbook = current()
    except ConfigError:
        wrong = wrong_query(query, HybridRetrievalConfig().max_query_chars)
        if wrong is None:
            raise
        raise InvalidRequestError(wrong.message) from None  # the question's fault comes before the key's
    return await textbook.aembed_query(query)


async def asearch_qdrant(query_embedding: Sequence[float], k: int = 5) -> list[ScoredPoint]:
    """`search_qdrant` for a running event loop."""
    return await current().asearch_qdrant(query_embedding, k)


async def aretrieve(query: str, k: int = 5) -> QueryResponse | ErrorResponse:
    """`retrieve` for a running event loop."""
    ready = await attempt(current)
    if ready.status == "ok":
        textbook: Textbook = ready.value
        return await textbook.aretrieve(query, k)
    now = SystemClock().now()
    wrong = wrong_request(query, k, HybridRetrievalConfig().max_query_chars)
    return failure(ready, EMBEDDING_DOWN, now) if wrong is None else wrong.response(now)
