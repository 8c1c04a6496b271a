"""YAML with its lines."""

from __future__ import annotations

from extraction.rules.yaml_nodes import at, documents, entries, first_line, items, last_line, names, scalar

TEXT = "a: 1\n--- # second\nb: {c: [x, y]}\n\n---\n: [\n---\n? [z]\n: q\n"


def test_documents_keep_their_lines_and_a_broken_one_costs_itself():
    found = list(documents(TEXT))
    assert [first_line(root) for root in found] == [1, 3, 8]
    assert [last_line(root, TEXT) for root in found] == [1, 3, 9]
    assert scalar(at(found[1], "b", "c")) == ""
    assert list(names(at(found[1], "b", "c"))) == [("x", 3), ("y", 3)]
    assert (at(found[1], "b", "nothing", "here"), items(None), list(entries(found[2]))) == (None, [], [])


def test_what_is_nested_too_deeply_is_left_out():
    for text in ("[" * 40 + "]" * 40, "- " * 40_000, "".join(" " * n + "a:\n" for n in range(40)), "? " * 40):
        assert not documents(f"{text}\n")
    assert documents("[" * 30 + "]" * 30)


def test_brackets_in_a_text_are_not_levels():
    assert scalar(at(documents(f"a: '{'[' * 100}'\n")[0], "a")) == "[" * 100


def test_lines_are_those_of_an_editor():
    text = 'a: "x\u2028y\u2029\x85z"\nb: 1\n'
    (root,) = documents(text)
    assert [first_line(key) for _, key, _ in entries(root)] == [1, 2]
    assert last_line(root, text) == 2


def test_an_alias_that_leads_back_ends():
    (root,) = documents("a: &a\n  <<: *a\n  b: 1\n")
    assert [name for name, _, _ in entries(at(root, "a"))] == ["b"] * 4
