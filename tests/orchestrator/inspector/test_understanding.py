"""What was read from the question, and the conflicts."""

from __future__ import annotations

from dataclasses import replace

from orchestrator.inspector.understanding import conflicts, understanding


def facts(section):
    return {row.one("dt").text: row.one("dd").text for row in section.one("dl").children}


def test_the_classification(shipped, tree):
    assert facts(tree(understanding(shipped("a-customer-tables")))) == {
        "Kind": "cross project pattern",
        "Why": "cross_project: asks about other projectspattern: asks for patterns",
        "Plans": "local graph vector",
        "Names": "customers",
        "Scope": "the graph's scope matters for it",
    }


def test_nothing_matched(shipped, tree):
    inspection = shipped("b-order-to-payment")
    read = {**inspection.result["classification"], "reasons": [], "entities": []}
    told = facts(tree(understanding(replace(inspection, result={**inspection.result, "classification": read}))))
    assert (told["Why"], told["Names"], told["Scope"]) == ("no pattern", "nothing", "not planned for its kind")


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
