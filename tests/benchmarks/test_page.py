"""The page says what was aimed at beside what was measured, and does not call a miss a hit."""

from __future__ import annotations

import pytest

from benchmarks.page import page, plot

RUN = {"commit": "abc", "day": "2026-01-31", "machine": "Linux, 2 cores", "load": 0.1}
FOUND = {
    "overhead": {
        "over_slowest_p50_ms": 2.5,
        "cpu_ms_per_request": 1.75,
        "cpu_ms_by_stage": {"normalise": {"ms": 0.5, "share": 0.29}},
        "calibration": {"cpu_probe_ms": 30.0},
        "run": RUN,
    },
    "quality scifact": {"ndcg@10": 0.7277, "calibration": {"cpu_probe_ms": 30.0}, "run": RUN},
}


def test_a_figure_is_met_on_its_own_side_of_the_target():
    written = page(FOUND)
    assert "| one request over its slowest agent, ms (p50) | ≤ 3 | 2.5 | yes |" in written
    assert "| CPU a request, ms | ≤ 1.5 | 1.75 | **no** |" in written
    assert "| SciFact, nDCG@10 | ≥ 0.72 | 0.7277 | yes |" in written


def test_what_was_not_measured_is_not_said():
    assert "CoSQA" not in page(FOUND)


def test_the_plots_are_written(tmp_path):
    pytest.importorskip("matplotlib")
    plot(FOUND, tmp_path)
    assert "normalise" in (tmp_path / "benchmarks-overhead.svg").read_text("utf-8")
    assert (tmp_path / "benchmarks-targets.svg").is_file()
