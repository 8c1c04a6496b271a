"""The pieces of a pack: shares, duplicates, budget; no two pieces overlap or say the same (000 §8.2, §10 step 7)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeAlias

from agents.evidence.pack import EvidenceItem
from memory.text import estimate_tokens
from memory.text.lines import split_lines
from memory.vector.port import Corpus

_CORPORA: tuple[Corpus, ...] = ("code", "docs")
_File: TypeAlias = tuple[str, str, str]
_ALIKE = 0.8
"""The share of the lines of the longer piece from which two pieces say the same."""
_LINES_TO_COMPARE = 3
_ENOUGH_REFUSED = 20
_LEAST_REST = 3
"""What is left of a piece that is mostly shown already is read as a fragment when it has fewer lines."""
_NEXT = 9
"""How far two pieces that are shown as one may be from each other, in lines."""


def without_duplicates(items: Iterable[EvidenceItem], near: float) -> list[EvidenceItem]:
    """Items in their order without those that repeat an earlier one (000 §8.2, rules 1 and 2).

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
    if one[1] < other[0] or other[1] < one[0]:  # as most pairs of a file do
        return 0.0
    shared = min(one[1], other[1]) - max(one[0], other[0]) + 1
    shorter = min(one[1] - one[0], other[1] - other[0]) + 1
    return shared / max(1, shorter)


def needed(top_k: int, share: float) -> int:
    """Items of a corpus: ceil(share · top_k), but never more than half of all.
    Rounded, since .1 · 3 · 10 is above 3.
    """
    return min(math.ceil(round(share * top_k, 9)), top_k // 2)


def with_quotas(items: Sequence[EvidenceItem], top_k: int, share: float) -> list[EvidenceItem]:
    """`top_k` of the ranked items: the best of each corpus up to its share, then whichever ranks higher (rule 3)."""
    need = needed(top_k, share)
    reserved = {id(item) for corpus in _CORPORA for item in [i for i in items if i.chunk.corpus == corpus][:need]}
    free = top_k - len(reserved)
    chosen: list[EvidenceItem] = []
    for item in items:
        if id(item) in reserved:
            chosen.append(item)
        elif free > 0:
            chosen.append(item)
            free -= 1
    return chosen


def missing_of(items: Sequence[EvidenceItem], need: int) -> dict[Corpus, int]:
    """By how many items each corpus stays below what is needed."""
    counts = {corpus: sum(item.chunk.corpus == corpus for item in items) for corpus in _CORPORA}
    return {corpus: need - count for corpus, count in counts.items() if count < need}


def part_of(item: EvidenceItem, lines: Sequence[str], span: tuple[int, int]) -> EvidenceItem:
    """The item with these lines of its file."""
    return replace(item, start_line=span[0], end_line=span[1], text="\n".join(lines[span[0] - 1 : span[1]]))


class Picked:
    """The pieces of a pack so far, in the order in which they were taken.

    Args:
        most: how many.
        max_tokens: of all texts together, 0 for any number.
    """

    def __init__(self, most: int, max_tokens: int) -> None:
        self.items: list[EvidenceItem] = []
        self.refused = 0
        self._in_a_row = 0
        self.most = most
        self._budget = max_tokens
        self._spent = 0
        self._spans: dict[_File, list[tuple[int, int]]] = {}
        self._places: dict[str, list[int]] = {}
        self._lengths: dict[int, int] = {}
        self._named: dict[int, list[tuple[EvidenceItem, frozenset[str]]]] = {}

    @property
    def full(self) -> bool:
        """Whether there are as many as wanted, or hardly anything more fits."""
        return len(self.items) >= self.most or self._in_a_row >= _ENOUGH_REFUSED

    @property
    def share(self) -> float:
        """How much of the pack is taken (0..1), of its budget; of its number of pieces where it has none."""
        return self._spent / self._budget if self._budget else len(self.items) / self.most

    def offer(self, *versions: EvidenceItem) -> bool:
        """Take the first of these versions of a piece, the widest first, that overlaps none and is within the budget.

        Where all overlap, the longest rest of the last one is taken. A piece that says what an earlier one says in
        another file is named there instead.
        """
        if self.full or not versions:
            return False
        free = [one for one in versions if not self._covered(one)]
        if not free:
            rest = self._rest(versions[-1])
            free = [rest] if rest is not None else []
        for item in free:
            line_set = _line_set(item.text)
            if not line_set or self._named_as_copy(item, line_set):
                return False
            cost = estimate_tokens(item.text)
            if not self._budget or self._spent + cost <= self._budget:
                self._spent += cost
                self._take(item)
                self._remember(len(self.items), line_set)
                self.items.append(item)
                self._in_a_row = 0
                return True
        self.refused += bool(free)
        self._in_a_row += bool(free)
        return False

    def join(self, item: EvidenceItem, lines: Sequence[str]) -> bool:
        """Take a piece into one that is next to it, so that both are read together.

        lines: those of their file.
        """
        own = (item.start_line, item.end_line)
        for place, other in enumerate(self.items):
            at = (other.start_line, other.end_line)
            if _file(other) != _file(item) or max(own[0] - at[1], at[0] - own[1]) > _NEXT:
                continue
            if self.widen(place, lines, (min(own[0], at[0]), max(own[1], at[1]))):
                self.items[place] = replace(self.items[place], reason=other.reason or item.reason)
                return True
        return False

    def widen(self, place: int, lines: Sequence[str], span: tuple[int, int]) -> bool:
        """Show more of a piece's file, where that overlaps no other piece, is no copy of one, and is within the budget.
        What was nearly the same as the smaller piece is named no more.
        """
        item = self.items[place]
        at = (item.start_line, item.end_line)
        spans = self._spans[_file(item)]
        if any(overlap(span, one) > 0 for one in spans if one != at):
            return False
        wider = part_of(item, lines, span)
        cost = estimate_tokens(wider.text) - estimate_tokens(item.text)
        line_set = _line_set(wider.text)
        if (self._budget and self._spent + cost > self._budget) or self._copied(wider, line_set, but=place) is not None:
            return False
        self._spent += cost
        spans[spans.index(at)] = span
        named = self._named.pop(place, [])
        self._named[place] = [
            one for one in named if _says_the_same(len(one[1] & line_set), len(one[1]), len(line_set))
        ]
        for one in named:
            if one not in self._named[place] and one[0].start_line > 0:
                self._spans[_file(one[0])].remove((one[0].start_line, one[0].end_line))
        self.items[place] = replace(wider, also_in=tuple(one.place for one, _ in self._named[place]))
        self._remember(place, line_set)
        return True

    def covers(self, project: str, path: str, line: int) -> bool:
        """Whether a piece shows this line, or is named as a copy of one that does."""
        return any(
            first <= line <= last
            for (own, _, at), spans in self._spans.items()
            if (own, at) == (project, path)
            for first, last in spans
        )

    def _take(self, item: EvidenceItem) -> None:
        if item.start_line > 0:
            self._spans.setdefault(_file(item), []).append((item.start_line, item.end_line))

    def _covered(self, item: EvidenceItem) -> bool:
        lines = (item.start_line, item.end_line)
        return item.start_line > 0 and any(overlap(lines, other) > 0 for other in self._spans.get(_file(item), ()))

    def _rest(self, item: EvidenceItem) -> EvidenceItem | None:
        taken = self._spans.get(_file(item), ())
        runs: list[tuple[int, int]] = []
        for number in range(item.start_line, item.end_line + 1):
            if any(first <= number <= last for first, last in taken):
                continue
            if runs and runs[-1][1] == number - 1:
                runs[-1] = (runs[-1][0], number)
            else:
                runs.append((number, number))
        if not runs:
            return None
        first, last = max(runs, key=lambda run: (run[1] - run[0], -run[0]))
        if last - first + 1 < _LEAST_REST:
            return None
        own = split_lines(item.text)[first - item.start_line : last - item.start_line + 1]
        return replace(item, start_line=first, end_line=last, text="\n".join(own))

    def _named_as_copy(self, item: EvidenceItem, line_set: frozenset[str]) -> bool:
        """Whether a piece of another file says nearly the same; then it names this place."""
        place = self._copied(item, line_set)
        if place is None:
            return False
        other = self.items[place]
        if item.place != other.place:
            self.items[place] = replace(other, also_in=(*other.also_in, item.place))
            self._named.setdefault(place, []).append((item, line_set))
        self._take(item)
        return True

    def _copied(self, item: EvidenceItem, line_set: frozenset[str], *, but: int | None = None) -> int | None:
        """The first piece of another file that says nearly the same, or of its own the very same, `but` this one."""
        shared = Counter(place for line in line_set for place in self._places.get(line, ()))
        for place, count in sorted(shared.items()):
            own = (
                _file(self.items[place]) == _file(item) and item.start_line > 0 and self.items[place].text != item.text
            )
            if place != but and not own and _says_the_same(count, len(line_set), self._lengths[place]):
                return place
        return None

    def _remember(self, place: int, line_set: frozenset[str]) -> None:
        """Which lines the piece at a place has; one that grows keeps those it had."""
        for line in line_set:
            own = self._places.setdefault(line, [])
            if place not in own:
                own.append(place)
        self._lengths[place] = len(line_set)


def _says_the_same(shared: int, one: int, other: int) -> bool:
    """Whether two pieces with so many lines each have enough of them in common."""
    longer = max(one, other)
    return shared >= (_ALIKE * longer if longer >= _LINES_TO_COMPARE else longer)


def _line_set(text: str) -> frozenset[str]:
    return frozenset(filter(None, map(str.strip, text.split("\n"))))


def _file(item: EvidenceItem) -> _File:
    return item.chunk.project, item.chunk.repo, item.chunk.path
