"""Who writes the answer, as the settings name it (001 §6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synthesis import SynthesisAgent

if TYPE_CHECKING:
    from configs import SynthesisSettings
    from synthesis.language_model import LanguageModel

__all__ = ["open_language_model", "open_synthesis"]


def open_synthesis(settings: SynthesisSettings) -> SynthesisAgent:
    """The synthesis with the language model that is set, or without one. Raises ConfigError for a model nobody knows."""
    return SynthesisAgent(
        open_language_model(settings), model_timeout=settings.model_timeout_ms / 1000, repair=settings.repair
    )


def open_language_model(settings: SynthesisSettings) -> LanguageModel | None:
    """The language model that is set, if one is. Raises ConfigError for a model nobody knows."""
    if settings.model is None:
        return None
    from orchestrator.adk.language_model import AdkLanguageModel, named_llm  # noqa: PLC0415 - takes a second

    return AdkLanguageModel(named_llm(settings.model))
