"""How each agent ended, what is lacking, what was searched."""

from __future__ import annotations

from dataclasses import replace

from orchestrator.inspector.coverage import coverage


def test_each_agent(shipped, tree):
    section = tree(coverage(shipped("graph-fails")))
    rows = [[cell.text for cell in row.children] for row in section.one("tbody").all("tr")]
    assert [row[:3] for row in rows] == [["local", "may", "empty"], ["graph", "must", "error"], ["vector", "may", "ok"]]
    assert rows[1][-1] == "StoreError: connection refused"
    assert section.one("p", class_="note").text == "somebody was late or failed"
    assert "the relations between the projects (graph failed)" in [item.text for item in section.all("li")]


def test_nothing_is_lacking(shipped, tree):
    section = tree(coverage(shipped("b-order-to-payment")))
    assert "Nothing that was asked for." in section.text
    assert section.one("p", class_="note").text == "everybody who was asked answered"


def test_projects_and_their_commits(shipped, tree):
    inspection = shipped("b-order-to-payment")
    metrics = {
        **inspection.result["metrics"],
        "projects_searched": ["a", "b", "c", "d"],
        "commit": {
            "a": {"indexed": "0123456789abcdef", "head": "0123456789abcdef"},
            "b": {"indexed": "0123456789abcdef", "head": "fedc"},
            "c": {"indexed": "", "head": ""},
        },
    }
    section = tree(coverage(replace(inspection, result={**inspection.result, "metrics": metrics})))
    assert [item.text for item in section.one("ul", class_="chips").children] == [
        "a 0123456789",
        "b 0123456789 moved on since",
        "c",
        "d",
    ]


def test_nothing_was_searched(shipped, tree):
    inspection = shipped("b-order-to-payment")
    metrics = {**inspection.result["metrics"], "projects_searched": []}
    section = tree(coverage(replace(inspection, result={**inspection.result, "metrics": metrics})))
    assert "No project." in section.text
