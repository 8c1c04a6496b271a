"""From settings to open stores, models and the projects' files; here the data folder and the settings themselves, where
a caller names none: those of the environment.
"""

from __future__ import annotations

import os
from pathlib import Path

from configs import HybridRetrievalConfig, load_config
from memory.errors import ConfigError


def data_folder(given: str | Path | None) -> Path:
    """The folder given, else HYBRID_RETRIEVAL_DATA_DIR, else the platform's user data folder."""
    chosen = given or os.environ.get("HYBRID_RETRIEVAL_DATA_DIR")
    if chosen:
        return Path(chosen).expanduser()
    import platformdirs  # noqa: PLC0415 - only where none is named

    return Path(platformdirs.user_data_dir("hybrid-retrieval"))


def environment_config(profile: str | None = None, default: str = "embedded") -> tuple[str, HybridRetrievalConfig]:
    """Profile (given, else HYBRID_RETRIEVAL_PROFILE, else the default) and its settings under the environment's."""
    chosen = profile or os.environ.get("HYBRID_RETRIEVAL_PROFILE") or default
    return chosen, load_config(chosen, env=os.environ, error=ConfigError)
