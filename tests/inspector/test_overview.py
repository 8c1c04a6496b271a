from __future__ import annotations

from dataclasses import replace

from inspector.overview import conflicts, coverage, understanding


def facts(section):
    return {row.one("dt").text: row.one("dd").text for row in section.one("dl").children}


def test_the_classification(shipped, tree):
    assert facts(tree(understanding(shipped("a-customer-tables")))) == {
        "Kind": "cross project pattern",
        "Why": (
            "cross_project: like 'What patterns do other teams use for customer tables?' (49%)"
            "pattern: like 'What patterns do other teams use for customer tables?' (48%)"
        ),
        "Plans": "local graph vector",
        "Names": "customers",
        "Scope": "the graph's scope matters for it",
    }


def test_nothing_matched(shipped, tree):
    inspection = shipped("b-order-to-payment")
    read = {**inspection.result["classification"], "reasons": [], "entities": []}
    told = facts(tree(understanding(replace(inspection, result={**inspection.result, "classification": read}))))
    assert (told["Why"], told["Names"], told["Scope"]) == ("like no example", "nothing", "not planned for its kind")


def test_no_conflicts(shipped):
    assert conflicts(shipped("b-order-to-payment")) == ""


def test_who_won_and_why(shipped, tree):
    first, second = tree(conflicts(shipped("conflict-source-priority"))).one("ul", class_="disputes").children
    assert first.one("b").text == "catalogue/products.description"
    assert [item.text for item in first.one("ul").children] == [
        "kept text observation 2",
        "agrees text observation 3",
        "agrees text observation 1",
        "lost varchar observation 4",
    ]
    assert first.one("p", class_="note").text.endswith("for facts the graph comes before the vector.")
    assert [item.text for item in second.one("ul").children][1] == "lost 3.0.10 observation 12"


def test_what_the_user_is_to_say(shipped, tree):
    section = tree(conflicts(shipped("conflict-ask-user")))
    assert section.one("p", class_="note").text.endswith("Which holds?")
    assert [badge.text for badge in section.all("span", class_="badge")] == ["scope", "stands", "stands"]


def test_what_is_not_shown_is_named_by_its_id(shipped, tree):
    inspection = shipped("conflict-ask-user")
    section = tree(conflicts(replace(inspection, result={**inspection.result, "observations": []})))
    assert "orders vector-94d905e9500a" in section.text


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
