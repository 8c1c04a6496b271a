"""001 §3.3's classification, which is filled step by step, and the way of such a function into the orchestrator."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from memory import query as ours
from memory.query import PathRole, QueryType, RetrievalPath
from memory.question import read_question
from orchestrator.analysis import QueryAnalyzer, otherwise

__all__ = ["QueryClassification", "SpecifiedAnalyzer", "classify_query", "extract_entity_mentions"]


@dataclass(slots=True)
class QueryClassification:
    """What a question is, as far as it has been read."""

    query: str
    query_type: QueryType | None = None
    detected_entities: list[str] = field(default_factory=list)
    paths: list[RetrievalPath] = field(default_factory=list)
    graph_scopes_vector: bool = False

    @classmethod
    def of(cls, read: ours.QueryClassification) -> QueryClassification:
        """What the analyzer read, open to changes."""
        return cls(read.query, read.query_type, list(read.entities), list(read.paths), read.graph_scopes_vector)

    def add_path(self, path: RetrievalPath) -> None:
        """Plan a path; one that is planned already stays where it is."""
        if path not in self.paths:
            self.paths.append(path)

    def settled(self) -> ours.QueryClassification:
        """The same for the orchestrator: every path that is planned is waited for, others are not started."""
        return ours.QueryClassification(
            query=self.query,
            query_types=(self.query_type or otherwise(),),
            paths=tuple(self.paths),
            roles=dict.fromkeys(self.paths, PathRole.MUST),
            entities=tuple(self.detected_entities),
            graph_scopes_vector=self.graph_scopes_vector,
            question=read_question(self.query),
        )


_Classify: TypeAlias = Callable[[str, dict[str, Any]], QueryClassification]


@dataclass(frozen=True, slots=True)
class SpecifiedAnalyzer:
    """An analyzer for `HybridRetrievalOrchestrator` out of a function like the document's `classify_query`."""

    function: _Classify

    def classify(self, query: str) -> ours.QueryClassification:
        """What the function makes of a question."""
        return self.function(query, {}).settled()


def classify_query(query: str, context: Mapping[str, Any] | None = None) -> QueryClassification:  # noqa: ARG001 - 001 §3.3's signature; the wording alone decides
    """The product's own classification of a question, in the document's form."""
    return QueryClassification.of(QueryAnalyzer().classify(query))


def extract_entity_mentions(query: str) -> list[str]:
    """What a question names."""
    return QueryAnalyzer().extract_entities(query)
