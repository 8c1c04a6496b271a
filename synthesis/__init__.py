"""From ranked observations to an answer whose every citation is checked."""

from __future__ import annotations

from synthesis.agent import SynthesisAgent
from synthesis.answer import EXTRACTIVE, UNSAID, Answer, Citation, Marker, parse_markers, parse_place
from synthesis.citing import checked_answer, checked_text, cite
from synthesis.extractive import ExtractiveAnswerer
from synthesis.language_model import (
    SYNTHESIS_PROMPT,
    LanguageModel,
    ScriptedLanguageModel,
    TextDelta,
    build_synthesis_context,
    format_observation,
    synthesis_prompt,
)
from synthesis.verification import verify, verify_all

__all__ = [
    "EXTRACTIVE",
    "SYNTHESIS_PROMPT",
    "UNSAID",
    "Answer",
    "Citation",
    "ExtractiveAnswerer",
    "LanguageModel",
    "Marker",
    "ScriptedLanguageModel",
    "SynthesisAgent",
    "TextDelta",
    "build_synthesis_context",
    "checked_answer",
    "checked_text",
    "cite",
    "format_observation",
    "parse_markers",
    "parse_place",
    "synthesis_prompt",
    "verify",
    "verify_all",
]
