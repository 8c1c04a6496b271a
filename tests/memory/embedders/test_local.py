"""A model in this process: read once, run once before anybody asks, in a thread if there is something else to do."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path

import anyio.lowlevel
import numpy as np
import pytest

from memory.embedders import FakeSource, LocalDense
from memory.errors import ModelError


@dataclass(frozen=True)
class CountingSource(FakeSource):
    """Notes in which threads it is read and what it is asked; cannot be read while it is not `there`."""

    there: bool = True
    threads: list[int] = field(default_factory=list)
    asked: list[list[str]] = field(default_factory=list)

    def load(self):
        self.threads.append(threading.get_ident())
        if not self.there:
            raise ModelError("It is not there.", "Fetch it.")
        encode = super().load()

        def noted(texts):
            self.asked.append(list(texts))
            return encode(texts)

        return noted


async def test_it_is_read_once_and_run_once_before_the_first_question():
    source = CountingSource()
    dense = LocalDense(source)
    await dense.warm_up()
    await dense.warm_up()
    assert source.asked == [["warm-up"]]
    [vector] = await dense.embed_queries(["who pays"])
    assert np.array_equal(vector, FakeSource().load()(["who pays"])[0])
    assert source.asked == [["warm-up"], ["who pays"]]


async def test_what_was_begun_ahead_is_waited_for():
    source = CountingSource()
    dense = LocalDense(source)
    dense.load_ahead()
    await dense.warm_up()
    dense.load_ahead()  # nothing is left to do
    assert len(source.threads) == 1
    assert threading.get_ident() not in source.threads


async def test_a_failure_ahead_is_met_by_who_needs_the_model():
    source = CountingSource(there=False)
    dense = LocalDense(source)
    dense.load_ahead()
    with pytest.raises(ModelError, match="not there"):
        await dense.warm_up()
    while len(source.threads) < 2:  # the thread that was started first may come second
        await anyio.lowlevel.checkpoint()


ENDS = """
import atexit, threading
from pathlib import Path
from memory.embedders import LocalDense

ended = threading.Event()

class Source:
    model, cache_key, dimension = "m", "", 1

    def load(self):
        ended.wait()
        Path("loaded").touch()
        return lambda texts: [[1.0] for _ in texts]

LocalDense(Source()).load_ahead()
atexit.register(ended.set)
"""


def test_a_process_that_ends_waits_for_what_is_being_loaded(tmp_path):
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])}
    subprocess.run([sys.executable, "-c", ENDS], cwd=tmp_path, env=environment, check=True)  # noqa: S603 - ourselves
    assert (tmp_path / "loaded").exists()
