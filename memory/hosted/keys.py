"""The key of a hosted model, out of an environment variable, looked for before anything is asked."""

from __future__ import annotations

import os
from collections.abc import Mapping

from configs.settings import HostedSettings
from memory.errors import ConfigError

__all__ = ["api_key", "key_variable"]


def key_variable(settings: HostedSettings, usual: str) -> str:
    """The variable that holds the key: the one the settings name, else the provider's usual one."""
    return settings.api_key_env or usual


def api_key(provider: str, settings: HostedSettings, usual: str, environ: Mapping[str, str] | None = None) -> str:
    """The key. Raises ConfigError, naming the variable, where it is not set."""
    variable = key_variable(settings, usual)
    key = (os.environ if environ is None else environ).get(variable, "").strip()
    if not key:
        raise ConfigError(
            "hosted.api_key_env",
            "environment",
            f"{variable} is not set.",
            f"Put your {provider} API key there, or choose a profile whose models run on this machine.",
        )
    return key
