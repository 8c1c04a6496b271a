"""002's integration test, on whichever collection is in use: what it holds is asked for with its own words (002 §5)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from facades.portal import wait_for
from facades.textbook.functions import current
from memory.vector import FakeVectorStore

if TYPE_CHECKING:
    from facades.textbook.pipeline import Textbook
    from facades.textbook.responses import ErrorResponse, QueryResponse, ResultRow

__all__ = ["check_retrieval", "test_retrieval"]

_QUESTION: Final = "What is a digital twin?"
_NONSENSE: Final = "xyzzy frobozz magic word"
_WORDS: Final = 100


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
