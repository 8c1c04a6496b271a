"""Typed settings and the profiles that ship with them. Imports no other folder."""

from configs.loading import load_config, profiles, reaching
from configs.settings import (
    AGENTS,
    AgentName,
    AnalysisSettings,
    EvidenceSettings,
    GraphSettings,
    HybridRetrievalConfig,
    IndexingSettings,
    McpSettings,
    QdrantSettings,
    RankingSettings,
    ScopeMode,
    ScopeSettings,
    ScopeStrength,
    SynthesisSettings,
    Unplanned,
    VectorSettings,
)

__all__ = [
    "AGENTS",
    "AgentName",
    "AnalysisSettings",
    "EvidenceSettings",
    "GraphSettings",
    "HybridRetrievalConfig",
    "IndexingSettings",
    "McpSettings",
    "QdrantSettings",
    "RankingSettings",
    "ScopeMode",
    "ScopeSettings",
    "ScopeStrength",
    "SynthesisSettings",
    "Unplanned",
    "VectorSettings",
    "load_config",
    "profiles",
    "reaching",
]
