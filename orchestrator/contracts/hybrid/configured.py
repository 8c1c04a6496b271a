"""The settings of 003's face where the caller gives none: those the environment names, with profile `fastembed`."""

from __future__ import annotations

import os

from configs import HybridRetrievalConfig, load_config
from memory.errors import ConfigError

__all__ = ["configured"]


def configured(profile: str | None = None) -> HybridRetrievalConfig:
    """`profile`, else HYBRID_RETRIEVAL_PROFILE, else `fastembed`, with the environment's settings over it.

    Raises ConfigError.
    """
    chosen = profile or os.environ.get("HYBRID_RETRIEVAL_PROFILE") or "fastembed"
    return load_config(chosen, env=os.environ, error=ConfigError)
