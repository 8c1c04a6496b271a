"""The benchmark of ADK's cost runs; what it measures is judged where it is run for it."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

pytestmark = pytest.mark.filterwarnings("ignore")  # of what ADK imports and calls experimental


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.mark.slow
async def test_it_measures_side_by_side():
    spec = importlib.util.spec_from_file_location("bench_adk", Path(__file__).parents[2] / "benchmarks/adk.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    document = await module.measured(8)
    assert set(document) == {
        "core_cpu_ms", "bare_cpu_ms", "bare_agents_cpu_ms", "retrieval_cpu_ms", "agents_cpu_ms",
        "agents_stored_cpu_ms",
        "retrieval_on_top_of_core_by_bare", "agents_on_top_of_core_by_bare", "agents_stored_on_top_of_core_by_bare",
        "agents_on_top_of_core_by_bare_agents",
    }  # fmt: skip
    assert 0 < document["core_cpu_ms"] < min(document["retrieval_cpu_ms"], document["agents_cpu_ms"])
