"""Each expectation holds, or says what is instead."""

from __future__ import annotations

import pytest

from replay import Expectations


def at(project, path):
    return {"project": project, "path": path, "start_line": 1, "end_line": 2}


RESULT = {
    "status": "partial",
    "answer": {"text": "It is a table.", "missing": ["what vector knows"]},
    "classification": {"query_types": ["pattern", "cross_project"], "paths": ["graph", "vector"]},
    "coverage": {"agents": [{"agent": "graph", "status": "ok"}, {"agent": "vector", "status": "timeout"}]},
    "scope": {"projects": [{"project": "auth"}, {"project": "crm"}]},
    "observations": [{"locations": [at("crm", "db/schema.sql")]}],
    "citations": [
        {"verified": True, "location": at("crm", "db/schema.sql")},
        {"verified": False, "location": at("auth", "docs/schema.md")},
        {"verified": True, "location": None},
    ],
    "conflicts": [{"conflict_type": "factual", "resolution_strategy": "latest_wins"}],
    "metrics": {"total_time_ms": 120.5},
}


@pytest.mark.parametrize(
    "expect",
    [
        {},
        {"query_types": ["cross_project", "pattern"], "paths": ["vector", "graph"]},
        {"status": {"answer": "partial", "vector": "timeout"}},
        {"scope": ["crm", "auth"]},
        {"contains": ["a table", "what vector knows", "crm/db/schema.sql"], "absent": ["auth/"]},
        {"citations": ["crm/db/schema.sql"]},
        {"citations": 1},
        {"conflicts": 1},
        {"conflicts": ["factual"]},
        {"conflicts": ["factual/latest_wins"]},
        {"max_ms": 121},
    ],
)
def test_it_holds(expect):
    assert Expectations.read(expect).unmet(RESULT) == []


@pytest.mark.parametrize(
    ("expect", "said"),
    [
        ({"query_types": ["pattern"]}, "query_types: cross_project, pattern, expected pattern"),
        ({"paths": []}, "paths: graph, vector, expected none"),
        ({"status": {"graph": "empty"}}, "status: graph ended ok, expected empty"),
        ({"status": {"local": "ok"}}, "status: local ended None, expected ok"),
        ({"status": {"answer": "answered"}}, "status: answer ended partial, expected answered"),
        ({"scope": ["auth"]}, "scope: auth, crm, expected auth"),
        ({"contains": ["a view"]}, "contains: 'a view' is nowhere"),
        ({"absent": ["crm/"]}, "absent: 'crm/' is there"),
        ({"citations": ["auth/docs/schema.md"]}, "citations: auth/docs/schema.md is not cited"),
        ({"citations": 2}, "citations: 1 are verified, expected at least 2"),
        ({"conflicts": 0}, "conflicts: there are 1, expected 0"),
        ({"conflicts": ["scope"]}, "conflicts: factual/latest_wins, expected scope"),
        ({"conflicts": ["factual/ask_user"]}, "conflicts: factual/latest_wins, expected factual/ask_user"),
        ({"max_ms": 100}, "max_ms: it took 120.5 ms, expected at most 100"),
    ],
)
def test_it_does_not(expect, said):
    assert Expectations.read(expect).unmet(RESULT) == [said]
