"""Every setting there is, typed and with its default. A class is handed its section, never the whole (design §2)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

__all__ = [
    "GraphSettings",
    "HybridRetrievalConfig",
    "IndexingSettings",
    "RankingSettings",
    "ScopeSettings",
    "VectorSettings",
]


@dataclass(frozen=True, slots=True)
class VectorSettings:
    """The models of the vector store and the fusion of its legs (design §5a, §6)."""

    dense_model: str = "sentence-transformers/all-MiniLM-L6-v2"
    dense_model_path: str | None = None
    dimension: int = 384
    max_tokens: int = 256
    sparse_model: str = "Qdrant/bm25"
    fusion: Literal["convex", "rrf", "dbsf"] = "convex"
    dense_weight: float = 0.7
    rrf_k: int = 60
    candidates: int = 100
    probe_weight: float = 0.5
    evidence_weight: float = 0.65
    evidence_files: int = 20
    test_weight: float = 0.85
    context_lines: int = 3


@dataclass(frozen=True, slots=True)
class GraphSettings:
    """How far the graph agent walks, and what it tells of it (design §4, hops)."""

    max_hops: int = 2
    max_path_hops: int = 4
    max_locations: int = 5
    hop_decay: float = 0.8
    query_timeout_ms: int = 2000


@dataclass(frozen=True, slots=True)
class IndexingSettings:
    """What is read from a project and how it is cut and embedded (design §5a)."""

    max_file_bytes: int = 1_000_000
    chunk_chars: int = 1500
    workers: int = 2


@dataclass(frozen=True, slots=True)
class ScopeSettings:
    """How the graph's scope meets the vector search (001 §2.3, design §8)."""

    mode: Literal["auto", "parallel_research", "sequential", "full_parallel", "none"] = "auto"
    strength: Literal["soft", "strict"] = "soft"
    unplanned: Literal["may", "never"] = "may"
    max_projects: int = 10
    min_confidence: float = 0.2


@dataclass(frozen=True, slots=True)
class RankingSettings:
    """The boosts of 001 §5.3 and the floor under which nothing is an answer (design §4, confidence)."""

    agreement_boost: float = 0.05
    graph_entity_boost: float = 0.05
    local_boost: float = 0.05
    length_penalty: float = 0.1
    confidence_floor: float = 0.25


@dataclass(frozen=True, slots=True)
class HybridRetrievalConfig:
    """001 §8's fields under its names and defaults, the sections of the parts, and what design §4 adds.

    Times are milliseconds. `conflict_strategy` overrides the resolution of a conflict type; `max_per_file` is how many
    observations one file may give before its hits become one.
    """

    enable_local: bool = True
    enable_graph: bool = True
    enable_vector: bool = True
    parallel_execution: bool = True
    graph_scopes_vector: bool = True
    max_observations_per_agent: int = 10
    max_total_observations: int = 25
    max_context_tokens: int = 8000
    similarity_threshold: float = 0.85
    agent_timeout_ms: int = 5000
    total_timeout_ms: int = 10000
    fallback_on_timeout: bool = True
    fallback_order: list[str] = field(default_factory=lambda: ["local", "graph", "vector"])

    may_grace_ms: int = 50
    max_per_file: int = 1
    max_query_chars: int = 8000
    conflict_strategy: dict[str, str] = field(default_factory=dict)
    log_content: bool = False
    vector: VectorSettings = VectorSettings()
    graph: GraphSettings = GraphSettings()
    indexing: IndexingSettings = IndexingSettings()
    scope: ScopeSettings = ScopeSettings()
    ranking: RankingSettings = RankingSettings()

    def with_scope(self, mode: str | None = None, strength: str | None = None) -> HybridRetrievalConfig:
        """These settings with another scope mode or strength, where one is given."""
        changes = {name: value for name, value in (("mode", mode), ("strength", strength)) if value is not None}
        return replace(self, scope=replace(self.scope, **changes)) if changes else self  # type: ignore[arg-type]  # checked by the door
