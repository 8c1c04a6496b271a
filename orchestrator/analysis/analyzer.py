"""`QueryAnalyzer`: a question's types, the entities it names, and the paths it takes (001 §3, §7.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from memory.query import QueryClassification
from memory.question import read_question
from orchestrator.analysis.routing import Unplanned, otherwise, priority, route

if TYPE_CHECKING:
    from memory.query import RetrievalPath, TaskContext

__all__ = ["QueryAnalyzer", "classify_query"]

_LIKELY: Final = 0.5
"""A type counts beside the leading one from this share of its vote on."""


class QueryAnalyzer:
    """Reads a question once: types by the nearest example questions, the matrix in `routing.yaml`. No model, no store.

    unplanned: whether agents the matrix skips may join all the same (`may`), or are left out (`never`).
    """

    def __init__(self, *, unplanned: Unplanned = "may") -> None:
        self._unplanned: Unplanned = unplanned

    def classify(self, query: str) -> QueryClassification:
        """The likely types, the likeliest first; the union of their paths; why, in plain words."""
        question = read_question(query)
        likely = [vote for vote in question.types if vote.share >= _LIKELY * question.types[0].share]
        likely.sort(key=lambda vote: (-round(vote.share, 1), priority(vote.query_type)))
        types = tuple(vote.query_type for vote in likely) or (otherwise(),)
        routed = route(types, self._unplanned)
        reasons = [f"{vote.query_type.value}: like {vote.example!r} ({vote.share:.0%})" for vote in likely]
        return QueryClassification(
            query=query,
            query_types=types,
            paths=routed.paths,
            roles=routed.roles,
            entities=question.mentions,
            graph_scopes_vector=routed.graph_scopes_vector,
            reasons=tuple(reasons) or (f"{types[0].value}: like no example, so every agent looks",),
            question=question,
        )

    def extract_entities(self, query: str) -> list[str]:
        """What the question names: identifiers, quoted phrases, capitalised words inside a sentence."""
        return list(read_question(query).mentions)

    def determine_paths(self, classification: QueryClassification) -> list[RetrievalPath]:
        """The planned paths of a classification's types, in the order local, graph, vector."""
        return list(route(classification.query_types, self._unplanned).paths)


def classify_query(query: str, context: Mapping[str, Any] | TaskContext | None = None) -> QueryClassification:  # noqa: ARG001 - 001 §3.3's signature; the wording alone decides
    """001 §3.3's function: `QueryAnalyzer().classify(query)`."""
    return QueryAnalyzer().classify(query)
