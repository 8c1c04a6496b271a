"""Equal lists from equal stores: rounding, order, and no cut inside a tie that was not seen whole.

See docs/design.md#equal-answers.

Two builds of one index give sparse scores that differ in their last bits, and an engine that is asked for k cuts a
group of equal scores anywhere. So scores are rounded to six places and ordered by (-score, id), and the engine is
asked for more than the limit. What lies beyond a full answer scores at most what its last hit does; so everything
*above* the last hit's rounded score is complete, and may be cut by id without leaving anything to chance. Where that
does not reach the limit, the caller asks again for more (`wider`). A tie too broad for that too is dropped, as long as
something is above it; where everything ties, the first by id of what was seen stay, for an empty list would be a lie.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Generic, Protocol, TypeVar

from memory.vector.port import Hit

MARGIN = 8
WIDEST = 4096
_SCALE = 1e6


class _Scored(Protocol):
    """A hit, or what is not one yet."""

    @property
    def score(self) -> float: ...


T = TypeVar("T", bound=_Scored)


def ranked(hits: Sequence[Hit]) -> list[Hit]:
    """Best first, ties by id. Scores must be rounded (`rounded`) already."""
    return sorted(hits, key=lambda hit: (-hit.score, hit.chunk.id))


def rounded(score: float) -> float:
    """A score as it is ranked and shown: to six places, without a negative zero.

    By way of a whole number, which takes a fifth of the time of `round(score, 6)`; a question rounds 1,700 scores.
    """
    scaled = score * _SCALE
    return round(scaled) / _SCALE if isfinite(scaled) else score


def settled(hits: Sequence[_Scored], limit: int, asked: int) -> bool:
    """Whether the first `limit` of a ranked answer to a request for `asked` are beyond doubt."""
    return len(hits) < asked or limit <= 0 or hits[limit - 1].score > hits[-1].score


def wider(limit: int, asked: int) -> int | None:
    """How many to ask for next when the answer was not settled; None when it is not worth it."""
    return asked * 8 if asked < max(WIDEST, 2 * limit) else None


def cut(hits: Sequence[T], limit: int, asked: int) -> list[T]:
    """The first `limit` of a ranked answer; of one that could not be settled, what is above its last tie."""
    if settled(hits, limit, asked):
        return list(hits[:limit])
    above = [hit for hit in hits if hit.score > hits[-1].score]
    return above or list(hits[:limit])


class Rounds(Generic[T]):
    """Which searches to ask for how many, again and wider, until each of their lists is settled or as wide as it gets.

    `asked` is what to ask in the next round, number -> size; it is empty in the end, and `results` has every list.
    """

    def __init__(self, limits: Mapping[int, int]) -> None:
        self._limits = limits
        self.asked = {number: limit + MARGIN for number, limit in limits.items()}
        self.results: dict[int, list[T]] = {}

    def take(self, answers: Sequence[Sequence[T]]) -> None:
        """The ranked answers to `asked`, in its order."""
        again: dict[int, int] = {}
        for (number, size), hits in zip(self.asked.items(), answers, strict=True):
            limit = self._limits[number]
            more = None if settled(hits, limit, size) else wider(limit, size)
            if more is None:
                self.results[number] = cut(hits, limit, size)
            else:
                again[number] = more
        self.asked = again
