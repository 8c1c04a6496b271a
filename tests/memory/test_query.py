"""The context of a question: lenient in how it is given, strict in what it is."""

from __future__ import annotations

import dataclasses

import pytest

from memory.errors import InvalidInputError
from memory.query import DOOR_DEFAULT, QueryClassification, RecentItem, RetrievalPath, TaskContext
from memory.question import QueryType


def test_the_leading_type_is_the_first():
    types = (QueryType.MULTI_HOP, QueryType.PATTERN)
    classification = QueryClassification("q", types, (RetrievalPath.GRAPH,))
    assert classification.query_type is QueryType.MULTI_HOP


def test_defaults():
    context = TaskContext.from_mapping(None)
    assert context == TaskContext() == TaskContext.from_mapping({})
    assert (context.project, context.allowed_projects, context.permission) == (None, DOOR_DEFAULT, frozenset())
    with pytest.raises(dataclasses.FrozenInstanceError):
        context.project = "billing"


def test_a_permission_left_to_the_door_is_none_stated_and_allows_nothing():
    assert TaskContext().stated_permission is None
    for stated in (frozenset(), frozenset({"a"})):
        context = TaskContext(allowed_projects=stated)
        assert (context.stated_permission, context.permission) == (stated, stated)


def test_from_a_mapping():
    context = TaskContext.from_mapping(
        {
            "project": "billing",
            "allowed_projects": ["auth", "billing", "auth"],
            "deadline": 2,
            "request_id": "r",
            "recent": ["a note", RecentItem("b", "title")],
            "mentions": ["Customer"],
            "principal": "ada",
        }
    )
    assert context.permission == context.allowed_projects == {"auth", "billing"}
    assert context.recent == (RecentItem("a note"), RecentItem("b", "title"))
    assert (context.mentions, context.deadline) == (("Customer",), 2)
    assert TaskContext.from_mapping(context) is context


def test_the_constructor_has_the_same_rules():
    context = TaskContext(allowed_projects={"auth"}, recent=["a"], mentions=None)
    assert context == TaskContext.from_mapping({"allowed_projects": ["auth"], "recent": ["a"]})


def test_nothing_is_allowed_is_not_the_default():
    assert TaskContext(allowed_projects=[]).permission == frozenset()
    assert TaskContext(allowed_projects=[]) != TaskContext()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"projekt": "a", 5: "b"}, r"Unknown key in the context: 5, projekt. Known: allowed_projects, "),
        ({"allowed_projects": None}, "allowed_projects is None"),
        ({"allowed_projects": "auth"}, "allowed_projects is one text"),
        ({"allowed_projects": 5}, "allowed_projects is 5"),
        ({"allowed_projects": ["auth", 5]}, "allowed_projects holds 5, which is no text"),
        ({"allowed_projects": range(10**9)}, "allowed_projects holds 0, which is no text"),
        ({"mentions": "Customer"}, "mentions is one text"),
        ({"recent": "a note"}, "recent is one text"),
        ({"recent": [{"content": "a"}]}, r"recent holds \{'content': 'a'\}"),
        ({"project": ["a"]}, r"project is \['a'\]"),
        ({"project": 10**5000}, "project is a number of too many digits"),
        ({"project": ["a"] * 1000}, r"project is \['a', .*…"),
        ({"deadline": "soon"}, "deadline is 'soon'"),
        ({"deadline": 10**400}, "deadline is a number of too many digits"),
        ({"deadline": -(10**5000)}, "deadline is a number of too many digits"),
        ({"deadline": True}, "deadline is True"),
        ({"request_id": 5}, "request_id is 5"),
        ({"principal": None}, "principal is None"),
        (["billing"], "The context is a value of type list"),
        ([["project", "billing"]], "The context is a value of type list"),
        ("billing", "The context is a value of type str"),
        (5, "The context is a value of type int"),
    ],
)
def test_what_makes_no_sense(given, said):
    with pytest.raises(InvalidInputError, match=said) as caught:
        TaskContext.from_mapping(given)
    assert caught.value.hint


def test_the_door_settles_the_permission():
    context = TaskContext(project="billing", mentions=("Customer",))
    settled = context.allowing(frozenset({"billing"}), request_id="r")
    assert (settled.permission, settled.request_id, settled.project) == ({"billing"}, "r", "billing")
    assert settled.mentions == ("Customer",)
    assert context.allowed_projects is DOOR_DEFAULT
