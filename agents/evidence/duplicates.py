"""Hard and soft duplicates among candidates: the higher-ranked one stays (000 §8.2, rules 1 and 2)."""

from __future__ import annotations

from collections.abc import Iterable

from agents.evidence.pack import EvidenceItem

__all__ = ["overlap", "without_duplicates"]


def without_duplicates(items: Iterable[EvidenceItem], near: float) -> list[EvidenceItem]:
    """Items in their order without those that repeat an earlier one.

    Hard: the same repository, path and lines; two projects of one repository may have different files under one path,
    so between them the text must be the same too. Soft: of one file, with at least `near` of the shorter one's lines in
    common. Items without lines have none in common.
    """
    kept: list[EvidenceItem] = []
    exact: set[tuple[str, str, int, int, str]] = set()
    spans: dict[tuple[str, str, str], list[tuple[int, int]]] = {}
    for item in items:
        chunk = item.chunk
        lines = (item.start_line, item.end_line)
        copy = (chunk.repo, chunk.path, *lines, chunk.text_hash)
        own = spans.setdefault((chunk.project, chunk.repo, chunk.path), [])
        if copy in exact or (item.start_line > 0 and any(overlap(lines, other) >= near for other in own)):
            continue
        exact.add(copy)
        own.append(lines)
        kept.append(item)
    return kept


def overlap(one: tuple[int, int], other: tuple[int, int]) -> float:
    """Shared lines ÷ lines of the shorter, both ends included: (1, 10) and (6, 25) share 5 of 10."""
    shared = min(one[1], other[1]) - max(one[0], other[0]) + 1
    shorter = min(one[1] - one[0], other[1] - other[0]) + 1
    return max(0, shared) / max(1, shorter)
