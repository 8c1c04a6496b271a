"""Typed settings and the profiles that ship with them. Imports no other folder."""

from configs.loading import load_config, profiles, reaching
from configs.settings import (
    AGENTS,
    AnalysisSettings,
    GraphSettings,
    HybridRetrievalConfig,
    IndexingSettings,
    McpSettings,
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
    "AnalysisSettings",
    "GraphSettings",
    "HybridRetrievalConfig",
    "IndexingSettings",
    "McpSettings",
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
