"""Which symbol a question is likely about, for the prefetch filter of template D (000 §7.4, §10 step 4)."""

from __future__ import annotations

import re

from memory.text import identifiers

__all__ = ["likely_symbol", "symbol_names"]

_QUOTED = re.compile(r"`([A-Za-z_][\w.]*)(?:\(\))?`")
_WHAT_DOES = re.compile(
    r"\bwhat does (?:the )?([A-Za-z_][\w.]*)(?:\(\))?(?: (?:class|method|function))? do\b", re.IGNORECASE
)
_NO_NAMES = {"it", "this", "that", "he", "she", "one"}


def likely_symbol(query: str) -> str:
    """A backticked name, else the X of "what does X do", else the first identifier; '' if there is none."""
    if quoted := _QUOTED.search(query):
        return quoted[1]
    asked = _WHAT_DOES.search(query)
    if asked and asked[1].lower() not in _NO_NAMES:
        return asked[1]
    names = (name for name in identifiers(query) if "-" not in name and not name.endswith(".py"))
    return next(names, "")


def symbol_names(symbol: str) -> tuple[str, ...]:
    """The names it may be stored under: as it is written, and without the modules in front of it.

    `google.adk.tools.FunctionTool.run_async` is also `FunctionTool.run_async`; `tools.run` is also `run`.
    """
    members = symbol.split(".")
    first = next((n for n, member in enumerate(members) if member[:1].isupper()), len(members) - 1)
    return tuple(dict.fromkeys((symbol, ".".join(members[first:]))))
