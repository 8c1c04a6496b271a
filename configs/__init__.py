"""Typed settings and the profiles that ship with them. Knows nobody."""

from configs.loading import load_config, profiles
from configs.settings import (
    EvidenceSettings,
    GraphSettings,
    HybridRetrievalConfig,
    IndexingSettings,
    QdrantSettings,
    RankingSettings,
    ScopeSettings,
    VectorSettings,
)

__all__ = [
    "EvidenceSettings",
    "GraphSettings",
    "HybridRetrievalConfig",
    "IndexingSettings",
    "QdrantSettings",
    "RankingSettings",
    "ScopeSettings",
    "VectorSettings",
    "load_config",
    "profiles",
]
