"""How anybody's agent is called: by its signatures."""

from __future__ import annotations

import pytest

from memory.entities import Scope
from memory.query import TaskContext
from orchestrator.running.branch import AgentCalls

CONTEXT, SCOPE = TaskContext(), Scope(["a"])


class ByName:
    def retrieve(self, query, context, *, scope=None):
        return scope


class ByPosition:
    def retrieve(self, query, context, where):
        return where


class Anything:
    def retrieve(self, *args, **kwargs):
        return args[-1]


class PositionOnly:
    def retrieve(self, query, context, scope, /):
        return scope


class Without:
    def retrieve(self, query, context):
        return "no scope"


class Reports:
    def publish_into(self, query, context, publish, scope=None):
        return (publish, scope)


class BuiltIn:
    retrieve = dict  # tells no signature


@pytest.mark.parametrize(
    ("agent", "takes", "got"),
    [
        (ByName(), True, SCOPE),
        (ByPosition(), True, SCOPE),
        (PositionOnly(), True, SCOPE),
        (Anything(), True, SCOPE),
        (Without(), False, "no scope"),
    ],
)
def test_the_scope_goes_where_the_call_takes_it(agent, takes, got):
    calls = AgentCalls(agent)
    assert (calls.takes_scope, calls.search("q", CONTEXT, SCOPE, None)) == (takes, got)


def test_a_reporting_agent_is_handed_publish_and_scope():
    calls = AgentCalls(Reports(), gives_scope=False)
    assert calls.reports
    assert calls.search("q", CONTEXT, SCOPE, "publish") == ("publish", SCOPE)


def test_an_agent_told_to_take_none_is_handed_none():
    calls = AgentCalls(ByName(), takes_scope=False)
    assert (calls.takes_scope, calls.search("q", CONTEXT, SCOPE, None)) == (False, None)


def test_a_call_that_tells_no_signature_takes_no_scope():
    assert not AgentCalls(BuiltIn()).takes_scope


class Old(Without):
    def find_scope(self, entities):
        return (entities, None)


class New(Without):
    def find_scope(self, entities, context=None):
        return (entities, context)


class Keyword(Without):
    def find_scope(self, entities, *, context):
        return (entities, context)


class Unnamed(Without):
    def find_scope(self, names, where, /):
        return (names, where)


@pytest.mark.parametrize(
    ("agent", "given"), [(Old(), None), (New(), CONTEXT), (Keyword(), CONTEXT), (Unnamed(), CONTEXT)]
)
def test_find_scope_is_asked_with_the_context_where_it_takes_one(agent, given):
    calls = AgentCalls(agent)
    assert (calls.gives_scope, calls.finds_scope, calls.takes_scope) == (True, True, False)
    assert calls.find_scope(("X",), CONTEXT) == (["X"], given)


def test_who_has_no_way_to_give_a_scope_gives_none_though_told():
    assert not AgentCalls(ByName(), gives_scope=True).gives_scope
    reports = AgentCalls(Reports(), gives_scope=True)
    assert (reports.gives_scope, reports.finds_scope) == (True, False)


def test_who_gives_the_scope_does_not_take_it_unless_told():
    class Both(ByName):
        def find_scope(self, entities):
            return SCOPE

    assert not AgentCalls(Both()).takes_scope
    told = AgentCalls(Both(), gives_scope=False, takes_scope=True)
    assert (told.takes_scope, told.finds_scope) == (True, False)
