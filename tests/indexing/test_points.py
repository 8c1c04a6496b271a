"""A chunk as it is stored: every field of 000 §6.3, an id that says what it holds, the header in front."""

from __future__ import annotations

import hashlib
import uuid

import pytest

from extraction.reading import extract_facts
from indexing.points import Provenance, chunks_of, dense_field, embedded_text
from memory.vector.port import DENSE_CODE, DENSE_DOCS

CODE = 'class MooringDesk:\n    """Berths."""\n\n    def assign(self):\n        return 1\n'
HOME = Provenance("harbour", "port/harbour", "c" * 40)


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
