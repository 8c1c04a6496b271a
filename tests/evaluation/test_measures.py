"""Recall and reciprocal rank over files, by hand (docs/design.md#question-files)."""

from __future__ import annotations

import pytest

from evaluation.measures import files_in_order, percentile, recall, reciprocal_rank, share


def observation(*places):
    return {"locations": [{"project": project, "path": path} for project, path in places]}


def test_files_come_in_rank_order_each_once_without_what_neither_counts_nor_costs():
    found = [
        observation(("crm", "a.py"), ("crm", "b.py")),
        observation(),
        observation(("crm", "a.py"), ("auth", "a.py")),
    ]
    assert files_in_order(found) == ["crm:a.py", "crm:b.py", "auth:a.py"]
    assert files_in_order(found, ["crm:b.py"]) == ["crm:a.py", "auth:a.py"]


@pytest.mark.parametrize(
    ("expected", "k", "value"),
    [
        (["b"], 2, 1.0),  # second of two
        (["c"], 2, 0.0),  # third
        (["a", "c"], 2, 1 / 2),  # one of two
        (["a", "c", "x"], 3, 2 / 3),
        (["a", "a"], 1, 1.0),  # named twice, expected once
    ],
)
def test_recall(expected, k, value):
    assert recall(["a", "b", "c"], expected, k) == pytest.approx(value)


@pytest.mark.parametrize(
    ("expected", "k", "value"), [(["a"], 10, 1.0), (["c", "b"], 10, 1 / 2), (["c"], 2, 0.0), (["x"], 10, 0.0)]
)
def test_reciprocal_rank(expected, k, value):
    assert reciprocal_rank(["a", "b", "c"], expected, k) == value


def test_share():
    assert (share(1, 4), share(0, 4), share(0, 0)) == (0.25, 0.0, None)


@pytest.mark.parametrize(
    ("values", "percent", "value"),
    [
        ([], 50, None),
        ([7.0], 95, 7.0),
        ([3.0, 1.0, 2.0, 4.0], 50, 2.0),  # ceil(4 × .5) = the second
        ([float(n) for n in range(1, 21)], 95, 19.0),  # ceil(20 × .95) = the nineteenth
        ([1.0, 2.0], 0, 1.0),
        ([1.0, 2.0], 100, 2.0),
    ],
)
def test_percentile(values, percent, value):
    assert percentile(values, percent) == value
