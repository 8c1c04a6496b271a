"""The texts of a pack within a number of tokens: what does not fit is left out, what follows may fit (000, part five)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from agents.evidence.pack import EvidenceItem

__all__ = ["tokens", "within_budget"]

_BYTES_A_TOKEN = 3


def tokens(text: str) -> int:
    """One for every three bytes begun: a tenth more than `memory.text.estimate_tokens` on code, one a Chinese character.

    Counted in a microsecond; the other takes a hundred, which 30 chunks of every pack would have to pay.
    """
    return -(-len(text.encode("utf-8", "replace")) // _BYTES_A_TOKEN)


def within_budget(items: Iterable[EvidenceItem], most: int) -> list[EvidenceItem]:
    """The items in rank order that fit together, never cut; windows take what the pieces themselves leave.

    most: tokens of all texts, 0 for any number.
    """
    if most == 0:
        return list(items)
    kept: list[EvidenceItem] = []
    left = most
    for item in items:
        if (cost := tokens(item.chunk.text)) <= left:
            kept.append(item)
            left -= cost
    for number, item in enumerate(kept):
        extra = tokens(item.text) - tokens(item.chunk.text)
        if extra <= left:
            left -= extra
        else:
            kept[number] = _plain(item)
    return kept


def _plain(item: EvidenceItem) -> EvidenceItem:
    """The piece without its window."""
    chunk = item.chunk
    return replace(item, start_line=chunk.start_line, end_line=chunk.end_line, text=chunk.text)
