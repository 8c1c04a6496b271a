"""Specification 002, the retrieval pipeline: its four functions and its integration test, under its own names.

    from hybrid_retrieval.facades.textbook import retrieve
    response = retrieve("What is reinforcement learning?", k=3)

They work on the collection and the model of profile `cohere-textbook`, with COHERE_API_KEY, QDRANT_URL and
QDRANT_API_KEY out of the environment or a `.env` file, until `use` is given a `Textbook` of one's own. Synchronous, as
the specification has them; in a running event loop await `aembed_query`, `asearch_qdrant`, `aretrieve`, and
`check_retrieval` with a `Textbook` for `test_retrieval`.
"""

from __future__ import annotations

from facades.textbook.pipeline import (
    Textbook,
    aembed_query,
    aretrieve,
    asearch_qdrant,
    check_retrieval,
    embed_query,
    retrieve,
    search_qdrant,
    test_retrieval,
    use,
)
from facades.textbook.responses import ErrorResponse, QueryResponse, format_results

__all__ = [
    "ErrorResponse",
    "QueryResponse",
    "Textbook",
    "aembed_query",
    "aretrieve",
    "asearch_qdrant",
    "check_retrieval",
    "embed_query",
    "format_results",
    "retrieve",
    "search_qdrant",
    "test_retrieval",
    "use",
]
