from __future__ import annotations

import pytest

from memory.errors import InvalidInputError
from memory.vector import FILTER_KEYS, Condition, parse_filters


def test_no_filters_no_conditions():
    assert parse_filters(None) == parse_filters({}) == ()


@pytest.mark.specification("000 §6.1 syntax")
@pytest.mark.parametrize(
    ("written", "parsed"),
    [
        ({"lang": "python"}, Condition("lang", ("python",))),
        ({"lang": ["python", "sql"]}, Condition("lang", ("python", "sql"))),
        ({"lang": {"$in": ("python",)}}, Condition("lang", ("python",))),
        ({"start_line": 3}, Condition("start_line", (3,))),
        ({"start_line": {"gte": 3, "lt": 9.5}}, Condition("start_line", gte=3, lt=9.5)),
        ({"path": []}, Condition("path")),
    ],
)
def test_every_way_to_write_one(written, parsed):
    assert parse_filters(written) == (parsed,)


@pytest.mark.parametrize("filters", ["x", 5, [("a", "b")]])
def test_filters_are_a_mapping(filters):
    with pytest.raises(InvalidInputError, match="The filters are a value of type"):
        parse_filters(filters)


def test_conditions_keep_their_order():
    assert [condition.key for condition in parse_filters({"repo": "a/b", "corpus": "docs"})] == ["repo", "corpus"]


def test_an_unknown_key_lists_the_known():
    with pytest.raises(InvalidInputError) as caught:
        parse_filters({"colour": "red"})
    assert all(key in caught.value.hint for key in FILTER_KEYS)


@pytest.mark.parametrize(
    "filters",
    [
        {"lang": {}},
        {"lang": {"$ne": "python"}},
        {"start_line": {"$in": [1], "gte": 0}},
        {"start_line": {"gte": "3"}},
        {"start_line": {"gte": True}},
        {"lang": {"gte": 3}},
        {"lang": {"$in": "python"}},
        {"lang": {"$in": 3}},
        {"lang": None},
        {"lang": True},
        {"lang": [None]},
        {"start_line": 1.5},
        {"start_line": 2**70},
        {"start_line": {"gte": float("nan")}},
        {"path": "a\ud800"},
    ],
)
def test_what_makes_no_sense_is_refused_and_named(filters):
    (key,) = filters
    with pytest.raises(InvalidInputError, match=key) as caught:
        parse_filters(filters)
    assert caught.value.hint


@pytest.mark.specification("000 §6.1 syntax")
@pytest.mark.parametrize("key", FILTER_KEYS)
def test_ranges_are_of_line_numbers_alone(key):
    if key in {"start_line", "end_line"}:
        assert parse_filters({key: {"gte": 3}}) == (Condition(key, gte=3),)
    else:
        with pytest.raises(InvalidInputError, match="can't be a range"):
            parse_filters({key: {"gte": 3}})


@pytest.mark.parametrize(
    ("condition", "holding", "failing"),
    [
        (Condition("lang", ("python", "sql")), ["python", "sql"], ["go", ""]),
        (Condition("start_line", gt=3), [4], [3]),
        (Condition("start_line", gte=3), [3], [2]),
        (Condition("start_line", lt=3), [2], [3]),
        (Condition("start_line", lte=3), [3], [4]),
        (Condition("start_line", gte=3, lt=5), [3, 4], [2, 5]),
        (Condition("path"), [], ["a.md", ""]),
    ],
)
def test_holds(condition, holding, failing):
    assert all(condition.holds(value) for value in holding)
    assert not any(condition.holds(value) for value in failing)
