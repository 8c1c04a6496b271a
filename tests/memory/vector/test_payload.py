from __future__ import annotations

import hashlib
import uuid
from dataclasses import replace

import pytest

from memory.errors import ConfigError
from memory.vector import DENSE_CODE, DENSE_DOCS, FILTER_KEYS, SPARSE_LEXICAL, Condition, file_key
from memory.vector.filters import NUMBER_KEYS
from memory.vector.payload import INDEXED_KEYS, FieldMapping, chunk_of, extra_of, payload_of
from tests.contracts.vector_store import make_chunk

BOOK = FieldMapping(
    payload={"text": "text_content", "path": "source_url", "namespace": None, "file": None, "repo": None},
    constants={"project": "book", "corpus": "docs"},
    vectors={DENSE_DOCS: "", DENSE_CODE: None},
)


def test_a_chunk_survives_the_way_there_and_back():
    chunk = make_chunk(symbol="PaymentGateway.charge")
    assert chunk_of(uuid.UUID(chunk.id), payload_of(chunk, "n")) == chunk


@pytest.mark.specification("000 §6.3 fields", "003 §5 collection")
def test_the_payload_has_the_namespace_the_file_and_every_key_a_filter_may_name():
    payload = payload_of(make_chunk(), "n")
    assert (payload["namespace"], payload["file"]) == ("n", "billing/docs/schema.md")
    assert payload["file"] == file_key("billing", "docs/schema.md")
    assert set(FILTER_KEYS) - {"id"} <= set(payload)
    specified = "corpus repo path lang chunk_kind symbol commit start_line end_line text"
    assert set(specified.split()) <= set(payload)
    assert {*INDEXED_KEYS, *NUMBER_KEYS, "id", "lang"} == {*FILTER_KEYS, "namespace"}


def test_what_is_not_a_chunk_s_own_is_extra():
    payload = payload_of(make_chunk(), "n")
    assert extra_of(payload) == {}
    assert extra_of(payload | {"chunk_index": 3, "id": "x"}) == {"chunk_index": 3, "id": "x"}


def test_without_a_mapping_a_chunk_is_stored_and_read_under_the_canonical_names():
    chunk = make_chunk(symbol="a.b")
    payload = FieldMapping().stored(chunk, "n")
    assert payload == payload_of(chunk, "n")
    assert FieldMapping().chunk(chunk.id, payload) == chunk
    assert FieldMapping().rest(payload) == {}


def test_their_names_going_and_coming():
    chunk = make_chunk("book", path="https://x/1", text="Robots.")
    payload = BOOK.stored(chunk, "n")
    assert (payload["text_content"], payload["source_url"]) == ("Robots.", "https://x/1")
    assert not {"text", "path", "project", "corpus", "namespace", "file", "repo"} & set(payload)
    assert BOOK.chunk(chunk.id, payload) == replace(chunk, repo="")
    assert BOOK.rest(payload | {"chunk_index": 3}) == {"chunk_index": 3}


@pytest.mark.specification("002 §2 payload")
def test_what_a_payload_lacks_is_filled():
    chunk = BOOK.chunk(7, {"text_content": "Robots.", "start_line": None})
    assert (chunk.id, chunk.project, chunk.corpus, chunk.chunk_kind) == ("7", "book", "docs", "doc")
    assert (chunk.path, chunk.lang, chunk.start_line, chunk.end_line) == ("", "", 0, 0)
    assert chunk.text_hash == hashlib.sha256(b"Robots.").hexdigest()


@pytest.mark.parametrize(
    ("payload", "read"),
    [
        ({"start_line": "3", "end_line": [4]}, (0, 0)),
        ({"start_line": True, "end_line": -1}, (0, 0)),
        ({"start_line": 5, "end_line": 2}, (5, 5)),
        ({"start_line": 1, "end_line": 10**30}, (1, 1)),
    ],
)
def test_lines_that_are_none_are_not_read(payload, read):
    chunk = BOOK.chunk(7, payload)
    assert (chunk.start_line, chunk.end_line) == read


@pytest.mark.specification("002 §2 payload")
def test_a_corpus_that_is_none_and_half_a_surrogate_pair():
    chunk = FieldMapping().chunk(7, {"project": "a", "corpus": ["code"], "text": "a\ud800", "path": 3})
    assert (chunk.corpus, chunk.text, chunk.path) == ("docs", "a?", "3")


def test_vectors():
    assert [BOOK.vector(name) for name in (DENSE_DOCS, DENSE_CODE, SPARSE_LEXICAL)] == ["", None, SPARSE_LEXICAL]
    assert [BOOK.canonical_vector(name) for name in ("", SPARSE_LEXICAL, "theirs")] == [
        DENSE_DOCS,
        SPARSE_LEXICAL,
        "theirs",
    ]


@pytest.mark.parametrize(
    ("condition", "told"),
    [
        (Condition("id", ("7",)), [Condition("id", ("7",))]),
        (Condition("path", ("x",)), [Condition("path", ("x",))]),
        (Condition("project", ("book", "other")), []),
        (Condition("project", ("other",)), None),
        (Condition("corpus", ("code",)), None),
        (Condition("repo", ("a/b",)), None),
        (Condition("file", ("book/x", "other/y")), [Condition("path", ("x",))]),
    ],
)
def test_a_condition_on_what_they_lack_is_decided_here(condition, told):
    assert BOOK.conditions([condition]) == told


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"payload": {"page": "p"}}, r"vector\.qdrant\.payload: unknown 'page'"),
        ({"constants": {"start_line": "1"}}, r"constants: unknown 'start_line'"),
        ({"vectors": {"dense": "d"}}, r"vectors: unknown 'dense'"),
        ({"payload": {"project": None}}, "which project a point is of.*constants.project"),
        ({"constants": {"project": ""}}, "which project a point is of"),
        ({"payload": {"file": None}}, "`file` can be null only where all is one project"),
    ],
)
def test_what_makes_no_sense(given, said):
    with pytest.raises(ConfigError, match=said):
        FieldMapping(**given)
