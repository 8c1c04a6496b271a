"""The benchmark measures what it says it does: the planted copies are found, and the figures hang together."""

from __future__ import annotations

import json
from functools import partial

import anyio
import pytest

from benchmarks.calibration import cpu_probe_ms, p50, p95, run_bare
from benchmarks.overhead import main, measure, report
from benchmarks.planted import AGENTS, PROJECTS, plant
from memory.observations import content_hash

pytestmark = pytest.mark.no_cover  # what it walks through, other tests prove; the tracer would double its time

PROMISED = ("ratio_p50", "over_slowest_p50_ms", "merge_75_p50_ms", "cpu_ms_per_request", "bare_p50_ms")


class TestPlanted:
    def test_thirty_per_cent_of_each_agents_are_copies(self):
        found = plant(1)
        assert {agent: len(of) for agent, of in found.by_agent.items()} == dict.fromkeys(AGENTS, 25)
        assert found.copies == 3 * 8  # 30 % of 25 is 7.5

    def test_looks_real(self):
        found = plant(2)
        for agent in ("local", "vector"):
            assert all(len(o.embedding) == 384 for o in found.by_agent[agent])
            assert all(100 < len(o.content) <= 1500 for o in found.by_agent[agent])
        assert all(o.relationships and len(o.entities) == 2 for o in found.by_agent["graph"])
        assert {at.project for of in found.by_agent.values() for o in of for at in o.locations} == set(PROJECTS)

    def test_the_same_seed_plants_the_same(self):
        first, second = ([content_hash(o.content) for of in plant(3).by_agent.values() for o in of] for _ in range(2))
        assert first == second


@pytest.fixture(scope="module")
def document():
    delays = {"local": 0.0, "graph": 1.0, "vector": 2.0}
    return anyio.run(partial(measure, 3, in_flight=4, delays_ms=delays, planted=2))


class TestDocument:
    def test_has_what_scripts_rely_on(self, document):
        assert set(PROMISED) <= json.loads(json.dumps(document)).keys()

    def test_is_about_the_whole_work(self, document):
        # every copy of equal text was folded, near copies stayed, and the one contradiction was found
        assert document["observations"] == {"returned": 75, "copies": 24, "after_dedup": 53, "conflicts": 1}

    def test_figures_hang_together(self, document):
        assert document["bare_p50_ms"] >= 2.0
        assert document["over_slowest_p50_ms"] == pytest.approx(document["p50_ms"] - 2.0)
        assert document["ratio_p50"] == pytest.approx(document["p50_ms"] / document["bare_p50_ms"])
        stages = document["cpu_ms_by_stage"].values()
        assert sum(stage["ms"] for stage in stages) == pytest.approx(document["cpu_ms_per_request"])
        assert sum(stage["share"] for stage in stages) == pytest.approx(1.0)

    def test_as_a_table(self, document):
        lines = report(document).splitlines()
        assert lines[0].split() == ["ratio_p50", f"{document['ratio_p50']:.3f}"]
        assert any(line.split()[0] == "classify" and line.endswith("%") for line in lines)


class TestCalibration:
    async def test_the_bare_group_returns_what_the_calls_do(self):
        async def one():
            return 1

        async def other():
            return 2

        assert await run_bare([one, other]) == [1, 2]

    def test_percentiles(self):
        assert p50([3.0, 1.0, 2.0]) == 2.0
        assert p95([float(n) for n in range(1, 101)]) == 95.0
        assert p95([1.0, 2.0]) == 2.0  # 1.9 of two, rounded up

    def test_the_probe_takes_time(self):
        assert cpu_probe_ms(1) > 1.0


class TestCommand:
    def test_prints_one_document(self, capsys):
        main(["--requests", "1", "--in-flight", "2", "--json"])
        assert set(PROMISED) <= json.loads(capsys.readouterr().out).keys()
