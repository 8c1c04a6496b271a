"""YAML with its lines."""

from __future__ import annotations

from indexing.rules.yaml_nodes import at, documents, entries, first_line, items, last_line, names, scalar

TEXT = "a: 1\n--- # second\nb: {c: [x, y]}\n\n---\n: [\n---\n? [z]\n: q\n"


def test_documents_keep_their_lines_and_a_broken_one_costs_itself():
    found = list(documents(TEXT))
    assert [first_line(root) for root in found] == [1, 3, 8]
    assert [last_line(root, TEXT) for root in found] == [1, 3, 9]
    assert scalar(at(found[1], "b", "c")) == ""
    assert list(names(at(found[1], "b", "c"))) == [("x", 3), ("y", 3)]
    assert (at(found[1], "b", "nothing", "here"), items(None), list(entries(found[2]))) == (None, [], [])


def test_what_is_nested_too_deeply_is_left_out():
    assert not list(documents("[" * 40 + "]" * 40))


def test_an_alias_that_leads_back_ends():
    (root,) = documents("a: &a\n  <<: *a\n  b: 1\n")
    assert [name for name, _, _ in entries(at(root, "a"))] == ["b"] * 4
