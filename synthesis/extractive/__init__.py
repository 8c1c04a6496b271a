"""The answerer that needs no language model."""

from __future__ import annotations

from synthesis.extractive.answerer import ExtractiveAnswerer

__all__ = ["ExtractiveAnswerer"]
