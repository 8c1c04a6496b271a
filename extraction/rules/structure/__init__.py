"""Rules as data: a structural pattern with metavariables, and what a match of it states (docs/rules.md)."""

from __future__ import annotations

from extraction.rules.structure.family import Family
from extraction.rules.structure.reading import family_of

__all__ = ["Family", "family_of"]
