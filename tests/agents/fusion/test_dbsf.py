from __future__ import annotations

import pytest

from agents.fusion import dbsf


def test_three_deviations_around_the_mean_become_zero_to_one():
    # mean 2, population deviation 1: 3 -> (3 - 2 + 3) / 6, 1 -> (1 - 2 + 3) / 6
    fused = dbsf([{"a": 3.0, "b": 1.0}], [1.0])
    assert fused == {"a": pytest.approx(4 / 6), "b": pytest.approx(2 / 6)}


def test_lists_are_added_with_their_weights():
    fused = dbsf([{"a": 3.0, "b": 1.0}, {"a": 30.0, "b": 10.0}], [0.5, 2.0])
    assert fused["a"] == pytest.approx(2.5 * 4 / 6)


def test_an_outlier_is_clipped():
    scores = {str(n): 0.0 for n in range(99)} | {"x": 1.0}
    assert dbsf([scores], [1.0])["x"] == 1.0


def test_a_list_without_spread_says_half():
    assert dbsf([{"a": 7.0}, {}], [1.0, 1.0]) == {"a": 0.5}
