"""`QueryAnalyzer`: a question's types, the entities it names, and the paths it takes (001 §3, §7.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from memory.query import QueryClassification
from orchestrator.analysis.mentions import find_mentions, without_snippet
from orchestrator.analysis.patterns import match_types
from orchestrator.analysis.routing import Unplanned, by_priority, otherwise, route

if TYPE_CHECKING:
    from memory.query import RetrievalPath, TaskContext

__all__ = ["QueryAnalyzer", "classify_query"]


class QueryAnalyzer:
    """Reads a question by data: wordings in `patterns.yaml`, the matrix in `routing.yaml`. No model, no store.

    unplanned: whether agents the matrix skips may join all the same (`may`), or are left out (`never`).
    """

    def __init__(self, *, unplanned: Unplanned = "may") -> None:
        self._unplanned: Unplanned = unplanned

    def classify(self, query: str) -> QueryClassification:
        """All types that match, the leading one first; the union of their paths; why, in plain words."""
        matches = match_types(without_snippet(query))
        because = {match.query_type: match.because for match in matches}
        types = by_priority(because) or (otherwise(),)
        routed = route(types, self._unplanned)
        reasons = [f"{kind.value}: {because[kind]}" for kind in types if kind in because]
        if not reasons:
            reasons.append(f"{types[0].value}: no known wording, so every agent looks")
        return QueryClassification(
            query=query,
            query_types=types,
            paths=routed.paths,
            roles=routed.roles,
            entities=tuple(self.extract_entities(query)),
            graph_scopes_vector=routed.graph_scopes_vector,
            reasons=tuple(reasons),
        )

    def extract_entities(self, query: str) -> list[str]:
        """What the question names: identifiers, quoted phrases, capitalised words inside a sentence."""
        return [mention.text for mention in find_mentions(query)]

    def determine_paths(self, classification: QueryClassification) -> list[RetrievalPath]:
        """The planned paths of a classification's types, in the order local, graph, vector."""
        return list(route(classification.query_types, self._unplanned).paths)


def classify_query(query: str, context: Mapping[str, Any] | TaskContext | None = None) -> QueryClassification:  # noqa: ARG001 - 001 §3.3's signature; the wording alone decides
    """001 §3.3's function: `QueryAnalyzer().classify(query)`."""
    return QueryAnalyzer().classify(query)
