"""Runs targets on drawn inputs, each under a limit of the processor's time; a failure is one seed, which repeats it."""

from __future__ import annotations

import json
import signal
import tempfile
import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random

from memory.errors import HybridRetrievalError
from tests.fuzz.targets import TARGETS, Fuzzing, Target

LIMIT = 10.0
"""Seconds of the processor for one input: what `indexing.file_timeout_ms` gives a file."""
WAITING = 6
"""An input may wait for so many times that long, for a pipe or for others at the processor."""

INPUT, TALLY = "input", "tally.json"
LATE = "reading a file took too long"


class TooLongError(BaseException):
    """An input took longer than the limit."""


@dataclass(frozen=True)
class Failure:
    """A target and the seed that breaks it; `python -m tests.fuzz --only TARGET --seed SEED --inputs 1` shows it again."""

    target: str
    seed: int
    what: str


@dataclass
class Tally:
    """How many inputs each target took, how many it refused, and what broke, once for each place.

    late: files whose reading took longer than the limit, which ends a reading process and leaves the file out.
    """

    inputs: dict[str, int] = field(default_factory=dict)
    refused: dict[str, int] = field(default_factory=dict)
    late: dict[str, int] = field(default_factory=dict)
    failures: dict[str, Failure] = field(default_factory=dict)

    def add(self, target: str, *, refused: bool) -> None:
        """One more."""
        self.inputs[target] = self.inputs.get(target, 0) + 1
        self.refused[target] = self.refused.get(target, 0) + refused


def fuzz(
    names: Sequence[str],
    *,
    seed: int,
    inputs: int | None = None,
    seconds: float | None = None,
    notes: Path | None = None,
) -> Tally:
    """The targets in turn, each with `inputs` inputs or until the time is up. notes: a folder that always has the input
    that is tried and the tally so far, for who survives this process.
    """
    tally, until = Tally(), time.monotonic() + (seconds or float("inf"))
    with tempfile.TemporaryDirectory() as folder:
        fuzzing = Fuzzing(Path(folder))
        try:
            number = seed
            while time.monotonic() < until and (inputs is None or number < seed + inputs):
                for name in names:
                    if notes is not None:
                        _write_down(notes, f"{name} {number}", tally)
                    refused, broke = try_seed(fuzzing, name, number)
                    tally.add(name, refused=refused)
                    if broke is not None:
                        place, what = broke
                        if place == LATE:
                            tally.late[name] = tally.late.get(name, 0) + 1
                            continue
                        tally.failures.setdefault(f"{name}: {place}", Failure(name, number, what))
                number += 1
        finally:
            if notes is not None:
                (notes / TALLY).write_text(json.dumps(asdict(tally)))
            fuzzing.close()
    return tally


def _write_down(notes: Path, at: str, tally: Tally) -> None:
    (notes / TALLY).write_text(json.dumps(asdict(tally)))
    (notes / INPUT).write_text(at)


def try_seed(
    fuzzing: Fuzzing, name: str, seed: int, targets: Mapping[str, Target] = TARGETS
) -> tuple[bool, tuple[str, str] | None]:
    """Whether the input was refused with an error of ours; where it broke the product, and how."""
    try:
        with limited(LIMIT):
            targets[name](fuzzing, Random(f"{name} {seed}"))  # noqa: S311 - inputs that can be made again
    except HybridRetrievalError as error:
        str(error).encode()
        return True, None
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # noqa: BLE001 - whatever it is, it is what is looked for
        frames = traceback.extract_tb(error.__traceback__)
        if isinstance(error, TooLongError) and any(frame.name == "extract_facts" for frame in frames):
            return False, (LATE, "")
        own = [frame for frame in frames if "/tests/" not in frame.filename and "site-packages" not in frame.filename]
        at = (own or frames)[-1]
        text = "".join(traceback.format_exception(error, limit=-6))
        return False, (f"{type(error).__name__} at {Path(at.filename).name}:{at.lineno}", text[-3_000:])
    return False, None


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raises TooLongError after so many seconds of the processor, or some times as many of the clock's."""
    fired = False

    def too_long(*_: object) -> None:
        nonlocal fired
        if not fired:  # both wait while a native call runs; the second must not break off what handles the first
            fired = True
            raise TooLongError

    limits = ((signal.ITIMER_PROF, signal.SIGPROF, seconds), (signal.ITIMER_REAL, signal.SIGALRM, seconds * WAITING))
    before = [(number, signal.signal(number, too_long)) for _, number, _ in limits]
    for timer, _, limit in limits:
        signal.setitimer(timer, limit)
    try:
        yield
    finally:
        for timer, _, _ in limits:
            signal.setitimer(timer, 0)
        for number, handler in before:
            signal.signal(number, handler)
