"""Whether a work grows with the length of what it reads, or with its square: a ratio within one run."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SHORT = 2.0
"""Seconds of the processor below which nothing is compared, as a rule: a quadratic step would not hold anybody up."""
TIMES = 3.0
"""What is twice as long may take: 2 where time grows with the length, 4 where it grows with the square."""


@contextmanager
def undisturbed() -> Iterator[None]:
    """What is done in here is followed by no tracer and interrupted by no collection of garbage."""
    tracer, collects = sys.gettrace(), gc.isenabled()
    sys.settrace(None)
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
        sys.settrace(tracer)


def seconds(work: Callable[[], object]) -> float:
    """Of the processor, for one call that nothing disturbs."""
    with undisturbed():
        began = time.process_time()
        work()
        return time.process_time() - began


def grows_with_its_length(read: Callable[[str], object], half: str, whole: str, short: float = SHORT) -> bool:
    """Whether `whole`, made like `half` and twice as long, is read in little more than twice the time.

    Of three tries, since what else the machine does may fall into one.
    """
    for _ in range(3):
        took = seconds(lambda: read(whole))
        if took < short or took < TIMES * seconds(lambda: read(half)):
            return True
    return False
