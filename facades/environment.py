"""The environment as 002 and 004 read it: a `.env` file below the variables that are set (004, configuration)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from configs import HybridRetrievalConfig
from memory.errors import ConfigError

__all__ = ["pointed", "read_environment"]

_QDRANT_KEY: Final = "QDRANT_API_KEY"


def read_environment(file: str | Path | None = None) -> dict[str, str]:
    """`os.environ` over the file, by default `.env` in the current folder; a file that is not there has nothing.

    Raises ConfigError for a file that was named and cannot be read.
    """
    from dotenv import dotenv_values  # noqa: PLC0415 - only a face that no one configured needs it

    path = Path(".env" if file is None else file)
    if file is not None and not path.is_file():
        raise ConfigError(
            "the environment file", str(path), "there is none.", "Name one that is there, or leave it out."
        )
    values = dotenv_values(path) if path.is_file() else {}
    return {name: value for name, value in values.items() if value is not None} | dict(os.environ)


def pointed(
    config: HybridRetrievalConfig, environ: Mapping[str, str], *, collection: str = "", model: str = ""
) -> HybridRetrievalConfig:
    """The settings at QDRANT_URL, with QDRANT_API_KEY, where these are set, and at another collection or model."""
    url, key = environ.get("QDRANT_URL", "").strip(), environ.get(_QDRANT_KEY, "").strip()
    vector, qdrant = config.vector, config.vector.qdrant
    qdrant = replace(
        qdrant,
        url=url or qdrant.url,
        api_key_env=_QDRANT_KEY if key else qdrant.api_key_env,
        collection=collection or qdrant.collection,
    )
    return replace(config, vector=replace(vector, dense_model=model or vector.dense_model, qdrant=qdrant))
