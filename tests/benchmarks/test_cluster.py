"""What the benchmark of a cluster works out; it measures itself by hand, with nodes that take half a minute to start."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from benchmarks.cluster import SleepingSource, page, serial_share
from memory.embedders import FakeSource


@pytest.mark.parametrize(
    ("speed_up", "times", "share"),
    [(4, 4, 0), (1, 4, 1), (2, 4, 1 / 3), (3.4, 4, 0.0588)],  # 1 / (s + (1 - s) / 4) = 2 with s = 1/3
)
def test_the_serial_share_is_amdahls(speed_up, times, share):
    assert serial_share(speed_up, times) == pytest.approx(share, abs=1e-4)


def test_the_sleeping_embedder_is_the_hash_embedder_wherever_it_runs():
    source = pickle.loads(pickle.dumps(SleepingSource(8, ms=0)))  # noqa: S301 - as between processes
    assert np.array_equal(source.load()(["a crane"]), FakeSource(8).load()(["a crane"]))


def test_a_page_has_a_row_a_run():
    assert (
        page({"runs": {"one process": {"seconds": 1}}, "speed_up": 2}) == "one process  {'seconds': 1}\nspeed_up     2"
    )
