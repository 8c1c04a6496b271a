"""What the doors for language models share: the permission narrowed, and rows that fit."""

from __future__ import annotations

import json

import pytest

from interfaces.asking import LONGEST_ERROR, compact_result, error_of, fit, length, narrowed, question_context
from memory.attempt import Attempt
from memory.errors import InvalidInputError, UnknownProjectError
from orchestrator.running.fakes import FakeAgent, found
from tests.interfaces.adk.conftest import QUESTION, Opening

ALL = frozenset({"auth", "billing", "crm"})


def test_an_error_quotes_no_more_of_an_argument_than_is_read():
    error = UnknownProjectError("x" * 300_000, ALL)
    [told] = error_of(Attempt("error", error=error)).values()
    assert (told["code"], len(told["message"])) == (error.code, LONGEST_ERROR)
    assert told["hint"] == error.hint


@pytest.mark.parametrize(
    ("only", "allowed", "permission"),
    [
        (None, None, None),
        ([], None, None),
        (["billing"], None, {"billing"}),
        (None, {"auth"}, {"auth"}),
        (["auth"], {"auth", "crm"}, {"auth"}),
    ],
)
def test_a_permission_is_narrowed_and_never_widened(only, allowed, permission):
    assert narrowed(only, None if allowed is None else frozenset(allowed), ALL) == permission


def test_a_name_outside_it_is_an_error_that_lists_what_may_be_seen():
    with pytest.raises(UnknownProjectError, match=r"Known: auth\."):
        narrowed(["billing"], frozenset({"auth"}), ALL)


@pytest.mark.parametrize("only", ["billing", [1], {"billing"}])
def test_no_list_of_names(only):
    with pytest.raises(InvalidInputError, match="only_projects"):
        narrowed(only, None, ALL)


def test_the_context_of_a_question():
    assert question_context("x", "", None, None, ALL) == {"project": None}
    assert question_context("x", "crm", ["crm"], None, ALL) == {"project": "crm", "allowed_projects": {"crm"}}
    assert question_context("x", "crm", ["auth"], None, ALL) == {"project": None, "allowed_projects": {"auth"}}
    assert question_context("x", "crm", None, frozenset({"auth"}), ALL)["project"] == "crm"  # which the door refuses
    for question, current in ((None, None), ("x", 3)):
        with pytest.raises(InvalidInputError):
            question_context(question, current, None, None, ALL)


def test_rows_that_fit_are_kept_and_the_others_named():
    document = {"rows": [], "left_out": []}
    assert length(document) == len('{"rows": [], "left_out": []}') == 28
    rows = [("one", "a" * 98), ("two", "b" * 998), ("three", "c" * 98)]  # with quotes 100, 1,000 and 100; 2 for a comma
    fit(document, "rows", rows, 28 + 550 + 102 + 102)  # 550: room for five names and the words around them
    assert document["rows"] == ["a" * 98, "c" * 98]
    assert document["left_out"] == ["rows, 1 of 3 for want of room: two"]
    fit(document, "rows", [(f"{number}{'x' * 200}", "d" * 5_000) for number in range(7)], 1_000)
    assert document["left_out"][1].startswith("rows, 7 of 7 for want of room: 0xxx")
    assert document["left_out"][1].endswith("x… and 2 more")
    assert len(document["left_out"][1]) < 550


@pytest.mark.parametrize("most", [2_000, 4_000, 24_000])
async def test_a_result_is_never_longer_than_asked(most):
    names = ("ant", "bee", "cat", "dog", "elk", "fox", "gnu")
    many = [found(f"{name}.md retries: {' '.join(f'{name}{k}' for k in range(200))}", "billing") for name in names]
    async with Opening(vector=FakeAgent(many))() as orchestrator:
        small = compact_result(await orchestrator.retrieve(QUESTION), most)
    assert length(small) <= most
    assert json.loads(json.dumps(small)) == small
    assert any(text.startswith("evidence, ") for text in small["left_out"]) == (most < 24_000)
    assert len(small["answer"]) <= most / 2
