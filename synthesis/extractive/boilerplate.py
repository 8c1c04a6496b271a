"""What stands in files without answering anything: licence notices, tables of contents, lists of changes.

Decided by how such text is written, and let through when the question asks for it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from synthesis.extractive.passages import Passage

__all__ = ["Aside", "aside", "asked_for"]

Aside = Literal["notice", "change", "contents"]

_NOTICE: Final = re.compile(
    r"\bcopyright\b|©|\bSPDX-|\blicen[cs]ed under\b|\ball rights reserved\b|\bthe License\b|\bin the root of this repo"
    r"|\b(?:may not use this file|permission is hereby granted|required by applicable law|without warrant)"
    r"|\bredistribution and use in source\b",
    re.IGNORECASE,
)
_LICENCE_HEADING: Final = re.compile(r"(?:^|> )licen[cs](?:e|ing)\b", re.IGNORECASE)
_CHANGES: Final = re.compile(
    r"(?:^|[>\s])\[?v?\d+\.\d+(?:\.\d+)?\b|\b(?:change ?log|release (?:notes|information)|what'?s new|unreleased)\b",
    re.IGNORECASE,
)
_HISTORY: Final = re.compile(r"(?:^|/)(?:change(?:log|s)|history|releases?|news)(?:\.\w+)?$", re.IGNORECASE)
_LINK: Final = r"!?\[(?:[^\[\]]|!?\[[^\]]*\])*\](?:\([^)]*\)|\[[^\]]*\])"
_ONLY_LINKS: Final = re.compile(rf"^[-*+\s]*(?:{_LINK}[\s|·•,]*)+[.]?$")
_ASKED: Final[dict[Aside, re.Pattern[str]]] = {
    "notice": re.compile(r"\blicen[cs]|\bcopyright|\bauthors?\b|\bwho wrote\b", re.IGNORECASE),
    "change": re.compile(r"\bchange|\breleases?d?\b|\bnew in\b|\bsince\b|\bhistory\b|\bintroduced\b", re.IGNORECASE),
    "contents": re.compile(r"\blinks?\b|\bcontents\b|\bwhere .* (?:docs|documentation)\b", re.IGNORECASE),
}


def asked_for(question: str) -> frozenset[Aside]:
    """The kinds of such text that the question is after."""
    return frozenset(kind for kind, pattern in _ASKED.items() if pattern.search(question))


def aside(passage: Passage, path: str) -> Aside | None:
    """What kind of such text a passage is; None for one that can answer."""
    if not passage.is_prose:
        return None
    if _NOTICE.search(passage.text) or (_LICENCE_HEADING.search(passage.context) and "/" not in passage.context):
        return "notice"
    if _CHANGES.search(passage.context) or _HISTORY.search(path):
        return "change"
    return "contents" if _ONLY_LINKS.match(passage.quote) else None
