"""Typed settings and the profiles that ship with them. Knows nobody."""

from configs.loading import load_config, profiles
from configs.settings import (
    GraphSettings,
    HybridRetrievalConfig,
    IndexingSettings,
    RankingSettings,
    ScopeSettings,
    VectorSettings,
)

__all__ = [
    "GraphSettings",
    "HybridRetrievalConfig",
    "IndexingSettings",
    "RankingSettings",
    "ScopeSettings",
    "VectorSettings",
    "load_config",
    "profiles",
]
