from __future__ import annotations

import pytest

from agents.fusion import convex


def test_each_list_is_divided_by_its_best_and_weighted():
    dense = {"a": 0.8, "b": 0.4}
    sparse = {"a": 6.0, "b": 12.0}
    fused = convex([dense, sparse], [0.7, 0.3])
    assert fused["a"] == pytest.approx(0.7 * 0.8 / 0.8 + 0.3 * 6 / 12)  # 0.85
    assert fused["b"] == pytest.approx(0.7 * 0.4 / 0.8 + 0.3 * 12 / 12)  # 0.65


def test_a_document_that_a_list_lacks_counts_with_its_lowest_listed_value():
    fused = convex([{"a": 1.0, "b": 0.25}, {"a": 2.0, "c": 1.0}], [0.5, 0.5])
    assert fused == {
        "a": pytest.approx(1.0),
        "b": pytest.approx(0.5 * 0.25 + 0.5 * 1 / 2),  # the second list's lowest is c's 1 of 2
        "c": pytest.approx(0.5 * 0.25 + 0.5 * 1 / 2),  # the first list's lowest is b's .25 of 1
    }


def test_weights_are_shared_among_the_lists_that_have_something():
    assert convex([{"a": 3.0}, {}], [0.7, 0.3]) == {"a": pytest.approx(1.0)}
    assert convex([{"a": -0.5}, {"b": 2.0}], [0.7, 0.3]) == {"b": pytest.approx(1.0)}


def test_weights_need_not_add_up_to_one():
    fused = convex([{"a": 1.0, "b": 0.5}, {"a": 0.5, "b": 1.0}], [1.0, 0.5])
    assert fused["a"] == pytest.approx(1 / 1.5 * 1 + 0.5 / 1.5 * 0.5)  # 0.8333
    assert fused["b"] == pytest.approx(1 / 1.5 * 0.5 + 0.5 / 1.5 * 1)  # 0.6667


def test_negative_scores_count_as_zero():
    assert convex([{"a": 0.5, "b": -0.5}], [1.0]) == {"a": pytest.approx(1.0), "b": 0.0}
    fused = convex([{"a": 0.5, "b": -0.5}, {"c": 2.0}], [0.5, 0.5])
    assert fused["c"] == pytest.approx(0.5 * 0 + 0.5 * 1)  # the lowest of the first list is no less than zero


def test_the_order_is_that_of_the_lists():
    assert list(convex([{"b": 1.0}, {"a": 1.0}], [0.5, 0.5])) == ["b", "a"]


def test_nothing_in_nothing_out():
    assert convex([], []) == {}
    assert convex([{}], [1.0]) == {}


def test_every_list_needs_a_weight():
    with pytest.raises(ValueError, match="zip"):
        convex([{"a": 1.0}], [])
