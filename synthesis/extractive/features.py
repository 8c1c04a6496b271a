"""What code does about failure, read off its lines: tries again, waits, catches, raises."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synthesis.extractive.wording import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Feature", "features", "told"]

_TRIES = re.compile(r"^\s*(?:async\s+)?for\s+\w+\s+in\s+range\((?:[^()]*,\s*)?([\w.]+)(?:\s*\+\s*1)?\)")
_LOOP = re.compile(r"^\s*while\s+(?:True|1|\(true\))\s*[:{]")
_DECORATED = re.compile(r"^\s*(@[\w.]*retry[\w.]*\b)")
_CATCHES = re.compile(r"^\s*(?:}\s*)?(?:except|catch|rescue)\s*[( ]\s*([A-Za-z_][\w.]*(?:\s*[,|]\s*[\w.]+)*)")
_WAITS = re.compile(r"((?:\b[\w.]+\.)?sleep\((?:[^()]|\([^()]*\))*\))")
_RAISES = re.compile(r"^\s*(?:raise|throw(?:\s+new)?)\s+([A-Z][\w.]*)")
_PASSES = re.compile(r"^\s*(?:raise|throw)\s*;?\s*$")
_LOGS = re.compile(r"\blog(?:ger|ging)?\.(exception|error|warning|warn)\(")
_ANY = re.compile(r"for|while|retry|except|catch|rescue|sleep|raise|throw|log")  # a word of each: few lines have one

_ORDER = (
    ("retried", "and"),
    ("tries", "or"),
    ("loops", "and"),
    ("catches", "and"),
    ("waits", "or"),
    ("logs", "or"),
    ("raises", "or"),
    ("passes", "or"),
)


@dataclass(frozen=True, slots=True)
class Feature:
    """Something the code does, as a verb with its object, and on which line (an index)."""

    kind: str
    phrase: str
    line: int


def features(lines: Sequence[str]) -> list[Feature]:
    """What these lines do about failure, in order; a loop counts as trying again when something is caught in it."""
    found = [feature for number, line in enumerate(lines) if _ANY.search(line) for feature in _of_line(line, number)]
    caught = any(feature.kind == "catches" for feature in found)
    return [feature for feature in found if caught or feature.kind not in {"tries", "loops"}]


def _of_line(line: str, number: int) -> list[Feature]:
    found = []
    for kind, pattern, phrase in (
        ("retried", _DECORATED, "is retried by `{}`"),
        ("tries", _TRIES, "tries up to `{}` times"),
        ("loops", _LOOP, "tries again in a loop"),
        ("catches", _CATCHES, "catches `{}`"),
        ("waits", _WAITS, "waits with `{}`"),
        ("raises", _RAISES, "raises `{}`"),
        ("passes", _PASSES, "raises it again"),
        ("logs", _LOGS, "logs it as `{}`"),
    ):
        match = pattern.search(line)
        if match:
            found.append(Feature(kind, phrase.format(match[1] if match.groups() else ""), number))
    return found


def told(found: Sequence[Feature]) -> str:
    """The features as the rest of a sentence: `tries up to 3 times, catches X and waits with …`; each kind once."""
    phrases = []
    for kind, joint in _ORDER:
        own = list(dict.fromkeys(feature.phrase for feature in found if feature.kind == kind))[:2]
        phrases += [own[0] + "".join(f" {joint} {phrase[phrase.find('`') :]}" for phrase in own[1:])] if own else []
    return listed(phrases)
