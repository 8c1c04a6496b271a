"""The facts of one file, from its text alone."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extraction.facts import FileFacts
from extraction.reading import extract_facts

PATHS = [
    "a/b.py",
    "a/b.js",
    "a/b.tsx",
    "a/b.ts",
    "schema.sql",
    "docker-compose.yml",
    "pyproject.toml",
    "requirements.txt",
    "setup.cfg",
    "package.json",
    "x.dist-info/METADATA",
    "docs/a.md",
    "other.xyz",
]


def test_a_python_file_says_what_it_is_and_what_saw_it():
    facts = extract_facts("shop/till.py", '"""Tills.\n\nMore."""\n\n\nclass Till:\n    """Takes money."""\n', "shop")
    assert (facts.path, facts.lang, facts.recognised) == ("shop/till.py", "python", ("python",))
    assert (facts.summary, facts.lines) == ("Tills.", 7)
    assert [(d.name, d.kind, d.start_line, d.end_line, d.summary) for d in facts.definitions] == [
        ("Till", "class", 6, 7, "Takes money.")
    ]


@pytest.mark.parametrize(
    ("text", "lines"), [("", 1), ("a", 1), ("a\n", 1), ("a\nb", 2), ("a\r\nb\rc\n", 3), ("a\x0cb", 1)]
)
def test_lines_end_at_the_three_usual_breaks_only(text, lines):
    assert extract_facts("x.txt", text, "p").lines == lines


def test_a_lone_carriage_return_ends_a_line_for_the_grammar_too():
    facts = extract_facts("a.py", "x = 1\rclass A:\r    pass\r", "p")
    assert [(d.name, d.start_line, d.end_line) for d in facts.definitions] == [("x", 1, 1), ("A", 2, 3)]


def test_what_no_language_and_no_rule_knows_is_empty_and_says_so():
    facts = extract_facts("a/b.unknown", "hello", "p")
    assert (facts.lang, facts.recognised, facts.definitions, facts.clues) == ("unknown", (), (), ())


def test_facts_survive_json():
    text = "from a import B\n\n\nclass C(B):\n    def f(self, b: B) -> None:\n        b.run()\n"
    for path in ("c.py", "docs/c.md"):
        facts = extract_facts(path, text + "See `C`.\n" * (path[-1] == "d"), "p")
        assert FileFacts.from_dict(json.loads(json.dumps(facts.to_dict()))) == facts


@pytest.mark.parametrize("path", PATHS)
@settings(max_examples=10, deadline=None)
@given(text=st.text())
def test_no_text_makes_it_raise(path, text):
    facts = extract_facts(path, text, "p")
    assert all(1 <= d.start_line <= d.end_line <= facts.lines for d in facts.definitions)
    assert all(1 <= c.line <= facts.lines for c in facts.clues)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "text",
    [
        "\ud800 = 1",
        "[" * 5000,
        "{" * 5000,
        "- " * 3000,
        "a: &a [*a]\nservices: *a",
        "services: &a {<<: &b {<<: *a}}",
        "? " * 5000,
        "class A(" * 500,
    ],
)
def test_neither_do_the_nastier_ones(path, text):
    assert extract_facts(path, text, "p").path == path
