"""What a question wants and what it names: nine intents, the rules that read one (000 §3), its paths and its symbol."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final

from memory.question import ParsedQuestion

_SYMBOL = re.compile(r"[A-Za-z_][\w.]*")
_WHAT_DOES = re.compile(
    r"\bwhat does (?:the )?([A-Za-z_][\w.]*)(?:\(\))?(?: (?:class|method|function))? do\b", re.IGNORECASE
)
_NO_NAMES = {"it", "this", "that", "he", "she", "one"}


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


def _words(*words: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(words)})", re.IGNORECASE)


RULES: Final = (
    (Intent.DEBUG_ERROR, re.compile(r"Traceback|Exception|Error:")),  # as interpreters write them
    (Intent.API_LOOKUP, _words("parameter", "signature", "return type", r"what does .{1,80} do\b")),
    (Intent.CODE_EXAMPLE, _words("example", "sample", "where is", "used in")),
    (
        Intent.HOW_TO_IMPLEMENT,
        _words("implement", "build", "create (?:an? |the )?(?:new )?agent", "multi-agent workflow"),
    ),
    (Intent.CONCEPTUAL, _words("concept", "overview", "difference between", "when to use")),
    (Intent.MIGRATION_OR_VERSION, _words("deprecated", "changed", "version", "release")),
)
"""In the order of 000 §3.2, the first that matches counts; the seventh is a path in the question. A word may go on
(`parameters`) but not begin elsewhere.
"""


def parse_intent(given: str | None) -> Intent | None:
    """The intent of this name in any case; None for anything else."""
    name = (given or "").strip().upper()
    return Intent(name) if name in Intent.__members__ else None


def classify_intent(question: ParsedQuestion) -> tuple[Intent, str]:
    """The intent of the first rule that matches, and the words that matched; HOW_TO_IMPLEMENT and '' without one."""
    for intent, pattern in RULES:
        if found := pattern.search(" ".join(question.text.split())):
            return intent, found[0]
    tokens = path_tokens(question)
    return (Intent.TARGETED_FILE, tokens[0]) if tokens else (Intent.HOW_TO_IMPLEMENT, "")


def path_tokens(question: ParsedQuestion) -> list[str]:
    """The paths of a question with a `/` between words or a `.py` at their end, in their order."""
    return [path for path in question.paths if ("/" in path or path.endswith(".py")) and path != question.only_in]


def likely_symbol(question: ParsedQuestion) -> str:
    """A backticked name, else the X of "what does X do", else the first identifier; '' if there is none (000 §7.4).

    What is written as a file's name is no symbol.
    """
    named = [w for w in question.words if _SYMBOL.fullmatch(w.text) and w.text not in question.paths]
    if ticked := next((w.text for w in named if w.ticked), ""):
        return ticked
    asked = _WHAT_DOES.search(" ".join(question.text.split()))
    if asked and asked[1].lower() not in _NO_NAMES and asked[1] not in question.paths:
        return asked[1]
    return next((w.text for w in named if w.kind == "identifier"), "")


def symbol_names(symbol: str) -> tuple[str, ...]:
    """The names it may be stored under: as it is written, and without the modules in front of it.

    `google.adk.tools.FunctionTool.run_async` is also `FunctionTool.run_async`; `tools.run` is also `run`.
    """
    members = symbol.split(".")
    first = next((n for n, member in enumerate(members) if member[:1].isupper()), len(members) - 1)
    return tuple(dict.fromkeys((symbol, ".".join(members[first:]))))
