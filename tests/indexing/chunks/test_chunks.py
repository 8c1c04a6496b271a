"""What holds for every kind of file: all of its text is in the chunks, once, in order; and a chunk as it is stored: every
field of 000 §6.3, an id that says what it holds, the header in front.
"""

from __future__ import annotations

import hashlib
import uuid

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extraction.facts import Definition, FileFacts
from extraction.reading import extract_facts
from indexing.chunks import Provenance, chunk_file, chunks_of, dense_field, embedded_text
from memory.text.lines import split_lines
from memory.vector.port import DENSE_CODE, DENSE_DOCS

CODE = 'class MooringDesk:\n    """Berths."""\n\n    def assign(self):\n        return 1\n'
HOME = Provenance("harbour", "port/harbour", "c" * 40)
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


def chunks(path, text, home=HOME):
    return chunks_of(home, path, text, extract_facts(path, text, home.project), max_chars=1500)


@pytest.mark.specification("000 §6.3 fields")
def test_code():
    (chunk,) = chunks("harbour/mooring.py", CODE)
    assert (chunk.project, chunk.repo, chunk.commit) == ("harbour", "port/harbour", "c" * 40)
    assert (chunk.corpus, chunk.lang, chunk.chunk_kind, chunk.symbol) == ("code", "python", "code", "MooringDesk")
    assert (chunk.start_line, chunk.end_line, chunk.text) == (1, 5, CODE.rstrip("\n"))
    assert chunk.text_hash == hashlib.sha256(chunk.text.encode()).hexdigest()
    assert dense_field(chunk) == DENSE_CODE
    assert {"harbour", "mooring", "desk"} <= set(chunk.header.casefold().split())
    assert embedded_text(chunk) == f"{chunk.header}\n{chunk.text}"


@pytest.mark.specification("000 §6.3 fields", "000 §1.1 named vectors")
def test_documents_are_searched_apart():
    (chunk,) = chunks("README.md", "# Tides\n\nHigh at noon.\n")
    assert (chunk.path, chunk.lang, chunk.symbol) == ("README.md", "markdown", "")
    assert (chunk.corpus, chunk.section, dense_field(chunk)) == ("docs", "Tides", DENSE_DOCS)


def test_an_id_is_of_project_path_lines_and_text_alone():
    (first,) = chunks("a.py", CODE)
    assert uuid.UUID(first.id).version == 5
    assert [chunk.id for chunk in chunks("a.py", CODE, Provenance("harbour", "other/repo", ""))] == [first.id]
    others = [chunks("b.py", CODE), chunks("a.py", CODE, Provenance("dock", "", "")), chunks("a.py", "\n" + CODE)]
    others.append(chunks("a.py", CODE.replace("1", "2")))
    assert len({first.id, *(chunk.id for found in others for chunk in found)}) == 5
