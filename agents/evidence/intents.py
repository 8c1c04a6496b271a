"""What a question wants: nine intents and the ordered rules that read one from a question (000 §3)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from agents.evidence.paths import path_tokens

__all__ = ["RULES", "Intent", "IntentRule", "classify_intent", "parse_intent"]


class Intent(StrEnum):
    """000 §3.1, exactly these values."""

    HOW_TO_IMPLEMENT = "HOW_TO_IMPLEMENT"
    API_LOOKUP = "API_LOOKUP"
    CODE_EXAMPLE = "CODE_EXAMPLE"
    DEBUG_ERROR = "DEBUG_ERROR"
    CONCEPTUAL = "CONCEPTUAL"
    MIGRATION_OR_VERSION = "MIGRATION_OR_VERSION"
    TARGETED_FILE = "TARGETED_FILE"
    CODE_ONLY = "CODE_ONLY"
    DOCS_ONLY = "DOCS_ONLY"


@dataclass(frozen=True, slots=True)
class IntentRule:
    """A question with one of these words has this intent. A word may go on (`parameters`) but not begin elsewhere."""

    intent: Intent
    pattern: re.Pattern[str]


def _words(*words: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(words)})", re.IGNORECASE)


RULES: Final = (
    IntentRule(Intent.DEBUG_ERROR, re.compile(r"Traceback|Exception|Error:")),  # as interpreters write them
    IntentRule(Intent.API_LOOKUP, _words("parameter", "signature", "return type", r"what does .{1,80} do\b")),
    IntentRule(Intent.CODE_EXAMPLE, _words("example", "sample", "where is", "used in")),
    IntentRule(
        Intent.HOW_TO_IMPLEMENT,
        _words("implement", "build", "create (?:an? |the )?(?:new )?agent", "multi-agent workflow"),
    ),
    IntentRule(Intent.CONCEPTUAL, _words("concept", "overview", "difference between", "when to use")),
    IntentRule(Intent.MIGRATION_OR_VERSION, _words("deprecated", "changed", "version", "release")),
)
"""In the order of 000 §3.2, the first that matches counts; the seventh is a path in the question."""


def parse_intent(given: str | None) -> Intent | None:
    """The intent of this name in any case; None for anything else."""
    name = (given or "").strip().upper()
    return Intent(name) if name in Intent.__members__ else None


def classify_intent(query: str) -> tuple[Intent, str]:
    """The intent of the first rule that matches, and the words that matched; HOW_TO_IMPLEMENT and '' without one."""
    for rule in RULES:
        if found := rule.pattern.search(query):
            return rule.intent, found[0]
    tokens = path_tokens(query)
    return (Intent.TARGETED_FILE, tokens[0]) if tokens else (Intent.HOW_TO_IMPLEMENT, "")
