"""Where a value is stated: an assignment, a setting, a default in a signature, a sentence with a number."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from synthesis.extractive.terms import terms

if TYPE_CHECKING:
    from synthesis.extractive.passages import Passage

__all__ = ["value_factor"]

_ASSIGNED: Final = re.compile(r"^(?:export |const |let |var |final |static )*([\w.\"'-]+)\s*(?::[^=]+)?=\s*(?!=)(.+)$")
_SETTING: Final = re.compile(r"^(?:- )?[\"']?([\w .-]+?)[\"']?\s*:\s+(\S.*)$")
_COLUMN: Final = re.compile(r"^\"?(\w+)\"?\s+([A-Z]{3,}\b.*)")
_VALUE: Final = re.compile(r"^[\[({]*[-\d'\"]|(?<!\w)\d|^(?:[\w.]+\()?(?:True|False)\b")
_PARAMETER: Final = re.compile(r"(\w+)\s*(?::\s*[^=,()]+)?\s*=\s*[-\d'\"]")
_PINNED: Final = re.compile(r"(?<![\w.-])([A-Za-z][\w.-]*)(?:\[[^\]]*\])?\s*(?:[=~<>!]=|<|>)\s*\d")
_SAID: Final = re.compile(r"\bdefaults? (?:value )?(?:is|to|of)\b|\bby default\b|(?<![\w./-])\d", re.IGNORECASE)


def value_factor(passage: Passage, strong: frozenset[str]) -> float:
    """How well a passage states the value of something that these terms name.

    1.7 for an assignment, a setting, a column or a requirement of a thing so named, or such a default in a call; 1.3 for a sentence with a number
    or a default; 1.0 for other code with a number; .8 for what states no value.
    """
    text = passage.text
    if passage.is_prose:
        return 1.3 if _SAID.search(text) else 0.8
    stated, column = _ASSIGNED.match(text) or _SETTING.match(text), _COLUMN.match(text)
    if column and strong & terms(column[1]):
        return 1.7
    if stated and _VALUE.search(stated[2]) and strong & terms(f"{passage.context} {stated[1]}"):
        return 1.7
    if strong & terms(" ".join([*_PARAMETER.findall(text), *_PINNED.findall(text)])):
        return 1.7
    return 1.0 if any(c.isdigit() for c in text) else 0.8
