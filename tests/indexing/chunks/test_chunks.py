"""What holds for every kind of file: all of its text is in the chunks, once, in order."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extraction.facts import Definition, FileFacts
from indexing.chunks import chunk_file
from memory.text.lines import split_lines

LINES = st.sampled_from(
    [
        "", "", "  ", "# Title", "## Part", "### Deep", "====", "----", "~~~~", "```", "text of some length " * 3, "x = 1", "    y = 2", "@wrap",
        "-- comment", "/* block", "*/", "CREATE TABLE t (", ");", "key:", "- item", "= Doc", "a\fb", "a\u2028b", "wörter ☂", "z" * 90,
    ]
)  # fmt: skip
PATHS = [
    "doc.md",
    "CLAUDE.md",
    "doc.rst",
    "doc.adoc",
    "notes.txt",
    "a.py",
    "a.sql",
    "a.yaml",
    "a.json",
    "x-1.dist-info/METADATA",
    "Makefile",
    "a.xyz",
]
DEFINITIONS = st.lists(
    st.builds(
        Definition,
        name=st.sampled_from(["A", "A.b", "c", "t"]),
        kind=st.sampled_from(["class", "function", "method", "table", "service"]),
        start_line=st.integers(-1, 45),
        end_line=st.integers(-1, 45),
    ),
    max_size=8,
)


@settings(max_examples=300, deadline=None)
@given(
    path=st.sampled_from(PATHS),
    lines=st.lists(LINES, max_size=40),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
    definitions=DEFINITIONS,
    max_chars=st.sampled_from([40, 120, 1500]),
)
def test_every_line_that_is_not_blank_is_in_exactly_one_chunk(path, lines, end, definitions, max_chars):
    text = end.join(lines)
    drafts = chunk_file(path, text, FileFacts(path, "", tuple(definitions)), max_chars=max_chars)
    counted = split_lines(text)
    covered = [number for draft in drafts for number in range(draft.start_line, draft.end_line + 1)]
    assert covered == sorted(set(covered)), "in order, none twice"
    assert set(range(1, len(counted) + 1)) - set(covered) <= {
        n for n, line in enumerate(counted, 1) if not line.strip()
    }
    for draft in drafts:
        assert draft.text == "\n".join(counted[draft.start_line - 1 : draft.end_line])
        assert draft.text.strip()
        assert len(draft.text) <= max_chars or draft.start_line == draft.end_line or draft.chunk_kind == "table"


@pytest.mark.parametrize("text", ["", "\n", "\r\n \n\t\n"])
def test_nothing_to_cut(text):
    for path in PATHS:
        assert chunk_file(path, text, FileFacts(path, ""), max_chars=100) == []


def test_a_line_of_a_megabyte_is_kept_by_its_beginning():
    text = '{"a": 1,\n"data": "' + "x" * 1_000_000 + '",\n"b": 2}\n'
    drafts = chunk_file("a.json", text, FileFacts("a.json", ""), max_chars=1500)
    assert [(d.start_line, d.end_line, len(d.text)) for d in drafts] == [(1, 1, 8), (2, 2, 10_000), (3, 3, 7)]
    assert text.split("\n")[1].startswith(drafts[1].text)


def test_many_lines_take_time_in_proportion():
    text = "".join(f"key_{n}: value\n" for n in range(50_000))
    drafts = chunk_file("a.yaml", text, FileFacts("a.yaml", ""), max_chars=1500)
    assert sum(d.end_line - d.start_line + 1 for d in drafts) == 50_000


def test_what_a_draft_says():
    facts = FileFacts("src/a.py", "python", (Definition("A", "class", 1, 2),))
    draft = chunk_file("src/a.py", "class A:\n    x = 1\n", facts, max_chars=100)[0]
    assert (draft.symbol, draft.symbols, draft.section) == ("A", ("A",), "")
    assert (draft.corpus, draft.chunk_kind, draft.lang) == ("code", "code", "python")
    assert (draft.start_line, draft.end_line, draft.text) == (1, 2, "class A:\n    x = 1")


def test_a_distributions_long_description_is_read_as_what_it_is():
    head = "Metadata-Version: 2.1\nName: shop\n"
    markdown = f"{head}Description-Content-Type: text/markdown\n\n# Shop\n\n```\n# no title\n```\n"
    found = chunk_file("shop-1.dist-info/METADATA", markdown, FileFacts("", ""), max_chars=60)
    assert [(d.lang, d.corpus, d.section) for d in found][-1] == ("markdown", "docs", "Shop")
    rst = f"{head}\nShop\n====\n\nSells things.\n"
    found = chunk_file("shop-1.dist-info/METADATA", rst, FileFacts("", ""), max_chars=40)
    assert [(d.lang, d.section) for d in found] == [("rst", ""), ("rst", "Shop")]
