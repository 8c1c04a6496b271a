"""The page as a whole: what it holds, that it is the same each time, and that nothing in it runs but its own script."""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
import subprocess
from dataclasses import replace
from itertools import pairwise

import pytest

from inspector import page
from inspector.answer import verified
from inspector.markup import milliseconds
from inspector.page import conflicts, coverage, understanding
from inspector.page import what_if as differing
from replay import Changes


def facts(section):
    return {row.one("dt").text: row.one("dd").text for row in section.one("dl").children}


def test_the_classification(shipped, tree):
    assert facts(tree(understanding(shipped("a-customer-tables")))) == {
        "Kind": "cross project pattern",
        "Why": (
            "cross_project: like 'What patterns do other teams use for customer tables?' (50%)"
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


def test_a_page_says_that_it_is_a_what_if_and_what_differs(shipped, what_if, tree):
    section = tree(differing(what_if("b-order-to-payment", Changes(without=frozenset({"graph"})))))
    assert section.one("p", class_="note").text == "not the recorded run: something was changed on purpose"
    told = facts(section)
    assert "graph status ok -> skipped" in told["coverage"]
    assert "the relations between the projects (graph is needed and was left out)" in told["coverage"]
    assert differing(shipped("b-order-to-payment")) == ""


def test_no_conflicts(shipped):
    assert conflicts(shipped("b-order-to-payment")) == ""


def test_who_won_and_why(shipped, tree):
    [first] = tree(conflicts(shipped("conflict-source-priority"))).one("ul", class_="disputes").children
    assert first.one("b").text == "catalogue/products.description"
    assert [item.text for item in first.one("ul").children] == [
        "kept text observation 2",
        "agrees text observation 3",
        "agrees text observation 1",
        "lost varchar observation 5",
    ]
    assert first.one("p", class_="note").text.endswith("for facts the graph comes before the vector.")


def test_what_the_user_is_to_say(shipped, tree):
    section = tree(conflicts(shipped("conflict-ask-user")))
    assert section.one("p", class_="note").text.endswith("Which holds?")
    assert [badge.text for badge in section.all("span", class_="badge")] == ["scope", "undecided", "undecided"]


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
            "c": {"indexed": "", "head": "", "changed": 2},
        },
    }
    section = tree(coverage(replace(inspection, result={**inspection.result, "metrics": metrics})))
    assert [item.text for item in section.one("ul", class_="chips").children] == [
        "a 0123456789",
        "b 0123456789 moved on since",
        "c 2 changed",
        "d",
    ]


def test_nothing_was_searched(shipped, tree):
    inspection = shipped("b-order-to-payment")
    metrics = {**inspection.result["metrics"], "projects_searched": []}
    section = tree(coverage(replace(inspection, result={**inspection.result, "metrics": metrics})))
    assert "No project." in section.text


BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
QUIET = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SECTIONS = ["answer", "timeline", "question", "graph", "observations", "coverage"]


def test_a_page_has_its_parts_in_order(shipped, tree):
    result = shipped("b-order-to-payment").result
    root = tree(page(shipped("b-order-to-payment")))
    assert [section.attributes["id"] for section in root.one("main").all("section")] == SECTIONS
    assert root.one("h1").text == "How does OrderService connect to PaymentGateway?"
    assert root.one("head").one("title").text == root.one("h1").text
    assert [one.text for one in root.one("header").one("nav").all("a")] == [
        verified(result["citations"]),
        milliseconds(result["metrics"]["total_time_ms"]),
        f"{len(result['observations'])} observations",
        f"{len(result['scope']['projects'])} projects in scope",
    ]


def test_every_section_is_named_by_its_heading_and_every_link_leads_somewhere(shipped, tree):
    root = tree(page(shipped("conflict-source-priority")))
    ids = [element.attributes["id"] for element in root.all() if "id" in element.attributes]
    assert len(ids) == len(set(ids))
    assert {section.attributes["aria-labelledby"] for section in root.all("section")} <= set(ids)
    links = [link.attributes["href"] for link in root.all("a")]
    assert "#conflicts" in links
    assert {link.removeprefix("#") for link in links} <= set(ids)
    assert all(link.startswith("#") for link in links)


def test_headings_go_down_one_by_one(shipped, tree):
    levels = [int(e.name[1]) for e in tree(page(shipped("graph-fails"))).all() if re.fullmatch("h[1-6]", e.name)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_it_needs_nothing_from_elsewhere_and_is_small(shipped):
    text = page(shipped("a-customer-tables"))
    assert not re.search(r"""(?:https?:)?//[a-z]|@import|url\((?!#)|\ssrc=""", re.sub(r"//  ?[A-Z].*", "", text))
    assert len(text.encode()) < 150_000


def test_the_same_run_is_the_same_page(shipped, what_if):
    assert page(what_if("vector-late")) == page(shipped("vector-late"))


def test_a_what_if_is_another_page(what_if, tree):
    root = tree(page(what_if("b-order-to-payment", Changes(without=frozenset({"graph"})))))
    assert "The graph ended skipped" in root.one("section", id="graph").text


def test_a_question_of_several_lines_keeps_its_code(shipped, tree):
    inspection = shipped("b-order-to-payment")
    query = "Find code like this:\n    try:\n        handle(event)\n"
    header = tree(page(replace(inspection, result={**inspection.result, "query": query}))).one("header")
    assert header.one("h1").text == "Find code like this:"
    assert header.one("pre").text == "    try:\n        handle(event)"


async def test_retrieved_text_is_never_markup(attacked, tree):
    root = tree(page(attacked))
    [script] = root.all("script")
    assert "reveal" in script.text
    assert not list(root.all("img"))
    assert len(list(root.all("svg"))) == 1  # our drawing
    assert not [key for element in root.all() for key in element.attributes if key.startswith("on")]
    assert [section.attributes["id"] for section in root.one("main").all("section")] == SECTIONS
    assert '<script>document.title = "owned"</script>' in root.one("h1").text
    assert root.one("main").text.count('<script>document.title = "owned"</script>') > 8
    assert not re.search("[\x1b\u202e]", root.text)


async def test_the_policy_allows_the_pages_own_script_alone(attacked, tree):
    root = tree(page(attacked))
    script = root.one("script").text.encode()
    policy = next(root.all("meta", **{"http-equiv": "Content-Security-Policy"})).attributes["content"]
    assert f"script-src 'sha256-{base64.b64encode(hashlib.sha256(script).digest()).decode()}'" in policy
    assert policy.startswith("default-src 'none'")


@pytest.fixture
def answered(shipped):
    return shipped("b-order-to-payment")  # outside the event loop of the test


@pytest.mark.skipif(BROWSER is None, reason="there is no Chromium here")
@pytest.mark.slow
async def test_in_a_browser(answered, attacked, tmp_path):
    def browse(inspection, *arguments):
        file = tmp_path / "page.html"
        file.write_text(page(inspection), encoding="utf-8")
        command = [BROWSER, *QUIET, f"--user-data-dir={tmp_path / 'profile'}", *arguments, f"{file.as_uri()}#lines-2"]
        return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout  # noqa: S603 - ours

    seen = browse(answered, "--dump-dom")
    opened = re.findall(r'<details class="source \w+" open=""><summary><span class="cite num">(\d)</span>', seen)
    assert opened == ["1", "2"]  # the first one is open from the start, the link opens the second
    picture = tmp_path / "page.png"
    seen = browse(attacked, "--dump-dom", f"--screenshot={picture}", "--window-size=380,900")
    assert "<title>How do " in seen
    assert "<title>owned" not in seen
