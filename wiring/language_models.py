"""The language models that the settings name, and the synthesis that writes with one (001 §6)."""

from __future__ import annotations

from configs import SynthesisSettings
from memory.extras import brought_by
from synthesis import SynthesisAgent
from synthesis.language_model import LanguageModel

__all__ = ["open_language_model", "open_synthesis"]


def open_synthesis(settings: SynthesisSettings) -> SynthesisAgent:
    """The synthesis with the language model that is set, or without one. Raises ConfigError for an unknown model."""
    return SynthesisAgent(
        open_language_model(settings.model), model_timeout=settings.model_timeout_ms / 1000, repair=settings.repair
    )


def open_language_model(model: str | None, setting: str = "synthesis.model") -> LanguageModel | None:
    """The language model of this name, if there is one; `setting` named it. Raises ConfigError for an unknown model."""
    if model is None:
        return None
    with brought_by("adk", f"A language model ({setting})"):
        from wiring.adk_language_model import AdkLanguageModel, named_llm  # noqa: PLC0415 - takes a second

    return AdkLanguageModel(named_llm(model, setting))
