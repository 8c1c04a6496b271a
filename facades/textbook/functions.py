"""002's functions on the one `Textbook` that a program uses, the environment's or its own (002 §1, §2, §4), and its
integration test on whichever collection is in use (002 §5).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from configs import HybridRetrievalConfig, load_config
from facades.environment import read_environment
from facades.errors import InvalidRequestError
from facades.portal import wait_for
from facades.textbook.pipeline import PROFILE, Textbook
from facades.textbook.responses import EMBEDDING_DOWN, check_search, failure, wrong_query, wrong_request
from memory.attempt import attempt
from memory.clock import SystemClock
from memory.errors import ConfigError
from memory.vector import FakeVectorStore

if TYPE_CHECKING:
    from qdrant_client.models import ScoredPoint

    from facades.textbook.responses import ErrorResponse, QueryResponse, ResultRow

__all__ = [
    "aembed_query",
    "aretrieve",
    "asearch_qdrant",
    "check_retrieval",
    "current",
    "embed_query",
    "retrieve",
    "search_qdrant",
    "test_retrieval",
    "use",
]


_in_use: list[Textbook] = []


_QUESTION: Final = "What is a digital twin?"
_NONSENSE: Final = "xyzzy frobozz magic word"
_WORDS: Final = 100


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
    return wait_for(partial(asearch_qdrant, query_embedding, k), twin="asearch_qdrant")


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
    try:
        textbook = current()
    except ConfigError:
        check_search(query_embedding, k, load_config(PROFILE).vector.dimension)
        raise
    return await textbook.asearch_qdrant(query_embedding, k)


async def aretrieve(query: str, k: int = 5) -> QueryResponse | ErrorResponse:
    """`retrieve` for a running event loop."""
    ready = await attempt(current)
    if ready.status == "ok":
        textbook: Textbook = ready.value
        return await textbook.aretrieve(query, k)
    now = SystemClock().now()
    wrong = wrong_request(query, k, HybridRetrievalConfig().max_query_chars)
    return failure(ready, EMBEDDING_DOWN, now) if wrong is None else wrong.response(now)


def test_retrieval() -> None:
    """Run the specification's six checks. Raises AssertionError that says which failed, and how."""
    wait_for(partial(check_retrieval, current()), twin="check_retrieval")


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
    again = await textbook.aretrieve(" ".join(known["chunk_text"].split()[:_WORDS]))
    found = [row["chunk_id"] for row in _rows(again)]
    _check(known["chunk_id"] in found, "4 known query", f"the words of {known['chunk_id']} gave {found}")

    stored = [(point.payload or {}, point.id) for point in points]
    places = [(payload.get("source_url"), f"{id_}_{payload.get('chunk_index')}") for payload, id_ in stored]
    shown = [(row["url"], row["chunk_id"]) for row in rows]
    _check(shown == places, "5 metadata accuracy", f"{shown} is not {places}")

    texts = [payload.get("text_content") for payload, _ in stored]
    _check([row["chunk_text"] for row in rows] == texts, "6 text integrity", "a text is not the stored one")


def _rows(response: QueryResponse | ErrorResponse) -> list[ResultRow]:
    if "error" in response:
        return []
    return response["results"]


def _check(passed: bool, name: str, otherwise: str) -> None:  # noqa: FBT001 - reads as the sentence it is
    if not passed:
        raise AssertionError(f"{name}: {otherwise}")
