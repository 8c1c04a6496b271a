"""Anybody's signatures."""

from __future__ import annotations

import pytest

from memory.entities import Scope
from memory.query import TaskContext
from orchestrator.running.calls import AgentCalls

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
    [(ByName(), True, SCOPE), (ByPosition(), True, SCOPE), (Anything(), True, SCOPE), (Without(), False, "no scope")],
)
def test_the_scope_goes_where_the_call_takes_it(agent, takes, got):
    calls = AgentCalls(agent)
    assert (calls.takes_scope, calls.search("q", CONTEXT, SCOPE, None)) == (takes, got)


def test_a_reporting_agent_is_handed_publish_and_scope():
    calls = AgentCalls(Reports(), gives_scope=False)
    assert calls.reports
    assert calls.search("q", CONTEXT, SCOPE, "publish") == ("publish", SCOPE)


def test_a_call_that_tells_no_signature_takes_no_scope():
    assert not AgentCalls(BuiltIn()).takes_scope


@pytest.mark.parametrize("with_context", [True, False])
def test_find_scope_is_asked_with_the_context_where_it_takes_one(with_context):
    class Old(Without):
        def find_scope(self, entities):
            return (entities, None)

    class New(Without):
        def find_scope(self, entities, context=None):
            return (entities, context)

    calls = AgentCalls(New() if with_context else Old())
    assert calls.finds_scope
    assert calls.find_scope(("X",), CONTEXT) == (["X"], CONTEXT if with_context else None)


def test_who_gives_the_scope_does_not_take_it_unless_told():
    class Both(ByName):
        def find_scope(self, entities):
            return SCOPE

    assert not AgentCalls(Both()).takes_scope
    told = AgentCalls(Both(), gives_scope=False, takes_scope=True)
    assert (told.takes_scope, told.finds_scope) == (True, False)
