"""The answer, its numbers, and the lines they open."""

from __future__ import annotations

from dataclasses import replace

from inspector.answer import answer, verified


def section_of(inspection, tree, **changes):
    """The answer's section, of a run whose answer or citations are others."""
    result = dict(inspection.result)
    if "citations" in changes:
        result["citations"] = changes.pop("citations")
    return tree(answer(replace(inspection, result={**result, "answer": {**result["answer"], **changes}})))


def test_each_marker_has_a_number_that_opens_its_lines(shipped, tree):
    inspection = shipped("a-customer-tables")
    section = tree(answer(inspection))
    prose = section.one("div", class_="prose")
    assert "[vector:" not in prose.text
    references = [link.attributes["href"] for link in prose.all("a")]
    assert len(references) >= 6
    assert references == [f"#lines-{number}" for number in range(1, len(references) + 1)]
    sources = list(section.all("details", class_="source"))
    assert [source.one("div", class_="inside").attributes["id"] for source in sources] == [
        f"lines-{n}" for n in range(1, len(references) + 1)
    ]
    assert sources[0].one("summary").text == "1billing/db/schema.sql:1–9✓ verified"
    cited = [row.attributes["data-n"] for row in sources[0].all("span", class_="cited")]
    shown = [row.attributes["data-n"] for row in sources[0].all("span", class_="line")]
    assert cited == [str(number) for number in range(1, 10)]
    assert shown == [str(number) for number in range(1, 13)]


def test_what_is_cited_stands_in_its_lines(shipped, tree):
    inspection = shipped("b-order-to-payment")
    quotes = {" ".join(c["quote"].split()) for c in inspection.result["citations"]}
    lines = " ".join(" ".join(pre.text.split()) for pre in tree(answer(inspection)).all("pre", class_="code"))
    assert len(quotes) >= 4
    assert all(quote in lines for quote in quotes)


def test_one_marker_may_stand_for_several_places(shipped, tree):
    first = next(tree(answer(shipped("b-order-to-payment"))).all("details", class_="source"))
    assert [place.text for place in first.one("summary").all("span", class_="where")] == [
        "orders/orders/service.py:43",
        "orders/orders/adapter.py:32",
    ]
    assert first.has("class_", "graph")


def test_fenced_code_is_code(shipped, tree):
    text = "Closest:\n```python\n- 1 `x`\n\n    y\n```\n- one\n- two\nThat is all."
    prose = section_of(shipped("a-customer-tables"), tree, text=text, missing=[]).one("div", class_="prose")
    assert [child.name for child in prose.children] == ["p", "pre", "ul", "p"]
    assert prose.one("pre").text == "- 1 `x`\n\n    y"


def test_what_the_text_does_not_say_itself_is_said_beside_it(shipped, tree):
    assert not list(tree(answer(shipped("vector-late"))).all("div", class_="lacks"))
    assert not list(tree(answer(shipped("nobody-answers"))).all("div", class_="lacks"))
    lacks = section_of(shipped("nobody-answers"), tree, text="A model says nothing of it.").one("div", class_="lacks")
    assert len(list(lacks.all("li"))) == 3


def test_what_does_not_hold_is_open_and_says_why(shipped, tree):
    inspection = shipped("a-customer-tables")
    [first, second, *_] = inspection.result["citations"]
    wrong = {**second, "located": False, "verified": False, "reason": "no such line", "stale": True}
    section = section_of(inspection, tree, citations=[first, wrong])
    source = list(section.all("details", class_="source"))[1]
    assert "open" in source.attributes
    assert source.one("summary").text.endswith("not verifiedchanged since")
    assert source.one("p", class_="warning").text == "Not verified: no such line"


def test_without_its_text_a_citation_shows_its_quote(shipped, tree):
    inspection = shipped("a-customer-tables")
    [first, *_] = inspection.result["citations"]
    bare = {**first, "location": None, "marker": "[vector:nowhere]", "quote": "said <so>"}
    section = section_of(inspection, tree, citations=[bare], text="No marker here.")
    source = section.one("details", class_="source")
    assert source.one("blockquote").text == "said <so>"
    assert source.one("span", class_="where").text == "[vector:nowhere]"


def test_a_written_answer(shipped, tree):
    inspection = shipped("a-customer-tables")
    text = "One.\n- two `x\n\n```\na\n"
    section = section_of(inspection, tree, answerer="a-model", text=text, missing=[], notes=["repaired"])
    prose = section.one("div", class_="prose")
    assert [child.name for child in prose.children] == ["p", "ul", "pre", "ul"]
    assert prose.children[2].text == "a\n"
    assert prose.children[3].text == "repaired"
    assert section.one("p", class_="note").text == "by a-model"
    assert section_of(inspection, tree, text="One.\n- two").one("div", class_="prose").children[1].text == "two"


def test_nothing_is_cited(shipped, tree):
    section = tree(answer(shipped("nobody-answers")))
    assert section.one("div", class_="sources").text == "SourcesThe answer cites nothing."
    assert not list(section.all("p", class_="note"))


def test_how_many_hold():
    good, lost = (dict.fromkeys(("located", "supported", "verified"), held) for held in (True, False))
    untrue = {**lost, "located": True}
    assert verified([good, lost]) == "1 of 2 citations verified"
    assert verified([good]) == "1 of 1 citation verified"
    assert verified([good, untrue, untrue, lost]) == "1 of 4 citations verified, 2 located and not supported"
    assert verified([]) == "no citations"
