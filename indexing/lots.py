"""Things in lots of a size, so that not all of them are in memory at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

__all__ = ["lots"]

_Thing = TypeVar("_Thing")


def lots(things: Iterable[_Thing], size: Callable[[_Thing], int], enough: int) -> Iterator[list[_Thing]]:
    """In their order, as many at once as come to `enough`; fewer in the last lot."""
    lot: list[_Thing] = []
    held = 0
    for thing in things:
        lot.append(thing)
        held += size(thing)
        if held >= enough:
            yield lot
            lot, held = [], 0
    if lot:
        yield lot
