"""Which model an app's answering agent asks (docs/design.md#the-doors)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from interfaces.adk.extractive_llm import ExtractiveLlm
from wiring.adk_language_model import AdkLanguageModel, named_llm
from wiring.environment import environment_config

if TYPE_CHECKING:
    from google.adk.models.base_llm import BaseLlm

__all__ = ["GEMINI", "AdkLanguageModel", "model_of_environment"]

GEMINI: Final = "gemini-2.5-flash"


def model_of_environment() -> BaseLlm:
    """The model that the settings name (HYBRID_RETRIEVAL_SYNTHESIS__MODEL), Gemini where there is a GOOGLE_API_KEY, and
    without either the extractive answerer.
    """
    name = environment_config()[1].synthesis.model
    if name is None:
        name = GEMINI if os.environ.get("GOOGLE_API_KEY") else None
    return named_llm(name) if name else ExtractiveLlm()
