from __future__ import annotations

import pytest

from agents.fusion import best_attainable, rrf


def test_ranks_start_at_one():
    fused = rrf([{"a": 9.0, "b": 1.0}, {"b": 5.0}], [1.0, 1.0], k=60)
    assert fused["a"] == pytest.approx(1 / 61)
    assert fused["b"] == pytest.approx(1 / 62 + 1 / 61)


def test_weights_and_k():
    assert rrf([{"a": 1.0}], [0.5], k=2)["a"] == pytest.approx(0.5 / 3)


def test_ties_are_ranked_by_id():
    assert rrf([{"b": 1.0, "a": 1.0}], [1.0], k=60) == {"a": pytest.approx(1 / 61), "b": pytest.approx(1 / 62)}


def test_the_best_attainable_score_leads_every_list():
    assert best_attainable([0.5, 0.3, 0.2], k=60) == pytest.approx(1.0 / 61)
    assert rrf([{"a": 2.0}, {"a": 1.0}], [0.6, 0.4])["a"] == pytest.approx(best_attainable([0.6, 0.4]))
