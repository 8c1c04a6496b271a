from __future__ import annotations

import uuid

import pytest

from memory.vector import FILTER_KEYS, file_key
from memory.vector.filters import NUMBER_KEYS
from memory.vector.payload import INDEXED_KEYS, chunk_of, extra_of, payload_of
from tests.contracts.vector_store import make_chunk


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
