"""Extraction rules: one file a format or framework, and one row in `registry` (docs/design.md#extraction)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from indexing.rules.packages import normal_name
from indexing.rules.port import Findings, Rule, Source

if TYPE_CHECKING:
    from indexing.rules.registry import RULES

__all__ = ["RULES", "Findings", "Rule", "Source", "normal_name"]


def __getattr__(name: str) -> Any:
    """`RULES` when it is asked for (PEP 562)."""
    if name != "RULES":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from indexing.rules.registry import RULES  # noqa: PLC0415 - see there

    return RULES
