"""Typed settings and the profiles that ship with them. Imports no other folder."""

from configs.loading import load_config, profiles
from configs.settings import (
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
    SynthesisSettings,
    VectorSettings,
)

__all__ = [
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
    "SynthesisSettings",
    "VectorSettings",
    "load_config",
    "profiles",
]
