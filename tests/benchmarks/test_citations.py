"""Planted false citations on a small index: all caught, no true one flagged."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import anyio
import pytest

from benchmarks.planting import KINDS
from configs import load_config
from indexing import IndexRequest
from wiring.opening import open_indexer

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    indexer = open_indexer(folder, load_config(), profile="embedded")
    anyio.run(lambda: indexer.run(IndexRequest([ROOT / "examples/shop"], each=True), holder="a test"))
    return folder


@pytest.mark.slow
async def test_all_false_ones_are_caught_and_no_true_one(data):
    spec = importlib.util.spec_from_file_location("bench_citations", ROOT / "benchmarks/citations.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    document = await module.measured(data, 12, 40, 3)
    assert (document["true"], document["flagged_texts"]) == (40, [])
    assert set(document["planted"]) == set(KINDS)
    for kind, row in document["planted"].items():
        assert row["planted"] >= 6, kind
        assert row["missed"] == [], kind
