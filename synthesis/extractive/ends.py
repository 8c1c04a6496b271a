"""The two things between which a question asks for a connection, as it spells them, whether anybody knows them or not."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["asked_ends", "asks_difference"]

_END: Final = r"[`\"']?([\w][\w./ -]{0,60}?)[`\"']?"
_MEETS: Final = r"(?:connect|connected|talk|speak|relate|related|communicate|interact|linked|link|reach|wired)"
_ASKED: Final = (
    re.compile(rf"\bhow\s+(?:does|do|did|is|are)\s+{_END}\s+{_MEETS}\s+(?:to|with|and)\s+{_END}\W*$", re.IGNORECASE),
    re.compile(rf"\bhow\s+(?:does|do|did)\s+{_END}\s+(?:call|invoke|reach|notify)\s+{_END}\W*$", re.IGNORECASE),
    re.compile(rf"\b(?:between|from)\s+{_END}\s+(?:and|to)\s+{_END}\W*$", re.IGNORECASE),
)
_DIFFERENCE: Final = re.compile(
    r"\b(?:differences? between|differs? from)\b|\bcompared? (?:to|with)\b|\bversus\b|\bvs\b", re.IGNORECASE
)
_ARTICLE: Final = re.compile(
    r"^(?:the|our|a|an|an?other)\s+|\s+(?:service|class|project|package|table)$", re.IGNORECASE
)
_PLACE: Final = re.compile(r"\s+(?:in|of)\s+\S.*$", re.IGNORECASE)
_WORDS: Final = 4


def asked_ends(question: str) -> tuple[str, str] | None:
    """`How does A connect to B?`, `the path from A to B`; None where no two such names of at most four words stand."""
    for pattern in _ASKED:
        found = pattern.search(question)
        if found:
            first, second = (_ARTICLE.sub("", _PLACE.sub("", end.strip())) for end in found.groups())
            if max(len(first.split()), len(second.split())) <= _WORDS:
                return first, second
    return None


def asks_difference(question: str) -> bool:
    """Whether it asks how two things differ, to which what each of them is answers best."""
    return _DIFFERENCE.search(question) is not None
