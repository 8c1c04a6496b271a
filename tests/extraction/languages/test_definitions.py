"""Which definition a position lies in, and first lines of documentation comments."""

from __future__ import annotations

import pytest

from extraction.facts import Definition
from extraction.languages import language_of, read_symbols
from extraction.languages.definitions import Enclosing, Span
from extraction.reading import extract_facts
from indexing.chunks import chunk_file


def summaries(text, path="a.ts"):
    return {d.name: d.summary for d in read_symbols(language_of(path), text, path).definitions}


def test_the_comment_above_is_the_summary_with_exports_and_decorators_between():
    text = (
        "/**\n * Takes money.\n *\n * And more.\n */\n@Injectable()\nexport class Till {\n"
        "  /** Opens it. */\n  @Get()\n  open() {}\n\n"
        "  /** Closes it. */\n  close = () => {};\n}\n\n"
        "/** Places an order. */\nexport const place = async () => {};\n\n"
        "// no documentation\nfunction plain() {}\n"
    )
    assert summaries(text) == {
        "Till": "Takes money.",
        "Till.open": "Opens it.",
        "Till.close": "Closes it.",
        "place": "Places an order.",
        "plain": "",
    }


@pytest.mark.parametrize(
    ("comment", "summary"),
    [
        ("/** @param {string} a the first */\n", ""),
        ("/**\n * @description Adds up.\n */\n", "Adds up."),
        ("/** Licence of everything. */\n\n\n", ""),
        ("/* one star */\n", ""),
        ("/** */\n", ""),
    ],
)
def test_what_is_no_summary(comment, summary):
    assert summaries(comment + "function f(a) {}\n", "a.js") == {"f": summary}


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ("/**\n * @fileoverview Tills and desks.\n */\n\nimport a from 'a';\n", "Tills and desks."),
        ("// licence\n/**\n * Tills.\n * @module till\n */\nexport {};\n", "Tills."),
        ("/** Does it. */\nexport function f() {}\n", ""),
    ],
)
def test_what_a_file_says_about_itself(text, summary):
    assert read_symbols(language_of("a.js"), text, "a.js").summary == summary


def test_a_chunk_begins_with_its_definitions_comment():
    body = "  call('a line of one hundred characters or so that makes a body stand on its own in a chunk here');\n" * 3
    text = (
        f"import x from 'x';\n\n/**\n * Opens.\n */\nexport function open() {{\n{body}}}\n\n"
        f"/** Closes. */\nexport const close = () => {{\n{body}}};\n"
    )
    drafts = chunk_file("a.ts", text, extract_facts("a.ts", text, "p"), max_chars=500)
    assert [(d.start_line, d.end_line, d.symbol) for d in drafts] == [(1, 10, "open"), (12, 17, "close")]


def test_the_innermost_one_counts_and_what_a_function_defines_is_the_functions():
    spans = [
        Span(40, 50, Definition("helper", "function", 4, 4)),
        Span(0, 100, Definition("Till", "class", 1, 9)),
        Span(30, 60, Definition("open", "function", 3, 5)),
        Span(110, 120, Definition("LIMIT", "constant", 10, 10)),
    ]
    enclosing = Enclosing(spans)
    assert [span.definition.name for span in enclosing.kept] == ["Till", "Till.open", "LIMIT"]
    assert [enclosing.name_at(p) for p in (5, 45, 60, 99, 100, 115)] == ["Till", "Till.open", "Till", "Till", "", ""]
