"""Extraction rules: one file a format or framework, and one row in `registry` (docs/design.md#extraction)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from extraction.rules.clues import normal_name
from extraction.rules.port import Findings, Rule, Source
from memory.imports import lazy_names

if TYPE_CHECKING:
    from extraction.rules.registry import RULES

__all__ = ["RULES", "Findings", "Rule", "Source", "normal_name"]

# To import them all takes a quarter of a second.
__getattr__ = lazy_names(__name__, {"RULES": "registry"})
