"""Which projects a question names, in any spelling: `Bank of Anthos` is `bank-of-anthos` and `bankofanthos`."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from memory.question.parsed import ParsedQuestion

__all__ = ["named_projects", "only_projects"]

_WORD: Final = re.compile(r"[^\W_]+")
_MOST_WORDS: Final = 6


def named_projects(text: str, visible: Collection[str]) -> tuple[str, ...]:
    """The projects a text names, in its order; of a spelling that several of them share it names none.

    Args:
        text: what was written.
        visible: the projects that may be seen; no other changes the result.
    """
    bearers: dict[str, list[str]] = {}
    for project in sorted(visible):
        bearers.setdefault(_joined(project), []).append(project)
    words = [match.group().casefold() for match in _WORD.finditer(text)]
    found: list[str] = []
    place = 0
    while place < len(words):
        ends = range(min(len(words), place + _MOST_WORDS), place, -1)  # the longest name first
        end = next((end for end in ends if "".join(words[place:end]) in bearers), None)
        if end is not None:
            bearing = bearers["".join(words[place:end])]
            found += bearing if len(bearing) == 1 else [one for one in bearing if one in text]
        place = end or place + 1
    return tuple(dict.fromkeys(found))


def only_projects(question: ParsedQuestion, visible: Collection[str]) -> frozenset[str]:
    """The projects to which a question limits itself: "only in billing and auth", "only show code from crm"."""
    return frozenset(named_projects(question.only_in, visible)) if question.only_in else frozenset()


def _joined(name: str) -> str:
    return "".join(_WORD.findall(name)).casefold()
