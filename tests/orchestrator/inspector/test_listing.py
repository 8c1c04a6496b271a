"""Lines of files with their numbers."""

from __future__ import annotations

from orchestrator.inspector.inspection import Excerpt
from orchestrator.inspector.listing import cited_lines, numbered, proof

EXCERPT = Excerpt(4, ("a = 1", "b < a", "c = 3"))


def rows(tree, markup):
    """Number, text and whether it is cited."""
    return [(r.attributes["data-n"], r.text, r.has("class_", "cited")) for r in tree(markup).all("span", class_="line")]


def test_cited_lines_are_marked_and_the_quote_in_them(tree):
    shown = cited_lines(EXCERPT, 5, 5, " b < a")
    assert rows(tree, shown) == [("4", "a = 1\n", False), ("5", "b < a\n", True), ("6", "c = 3\n", False)]
    assert tree(shown).one("mark").text == "b < a"
    assert not list(tree(cited_lines(EXCERPT, 5, 6, "b < a c = 3")).all("mark"))  # no line holds it alone
    assert "mark" not in cited_lines(EXCERPT, 4, 4, "b < a")  # nor is it where nothing is cited


def test_a_place_that_goes_on_says_so():
    assert "down to line 90" in cited_lines(Excerpt(4, ("a",), cut=True), 4, 90)


def test_a_text_is_numbered_as_editors_do(tree):
    assert rows(tree, numbered("one\x0cstill one\r\ntwo", 7)) == [("7", "onestill one\n", False), ("8", "two\n", False)]


def test_a_long_text_is_cut():
    shown = numbered("x" * 6001, 1)
    assert "… and 1 characters more" in shown
    assert "more" not in numbered("x" * 6000, 1)


def test_the_lines_of_a_file_are_shown_once(tree):
    def at(first, last):
        return {"project": "p", "path": "f", "start_line": first, "end_line": last}

    excerpts = {("p", "f", 9, 9): Excerpt(9, ("i",)), ("p", "f", 4, 5): Excerpt(3, ("c", "d", "e", "f"))}
    excerpts["p", "f", 5, 20] = Excerpt(5, ("e",), cut=True)
    shown = proof([at(9, 9), at(4, 5), at(5, 20), at(40, 40)], excerpts)
    assert [(number, text) for number, text, _ in rows(tree, shown)] == [("4", "d\n"), ("5", "e\n"), ("9", "i\n")]
    assert "down to line 20" in shown
    assert proof([at(40, 40)], excerpts) == ""
