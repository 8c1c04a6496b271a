from __future__ import annotations

import json

import pytest

from memory.errors import DamagedIndexError, DataFolderError
from memory.generation import SCHEMA_VERSION, FileRecord, Manifest, ProjectRecord, SkippedFile

BILLING = ProjectRecord(
    "billing",
    "/srv/billing",
    "acme/billing",
    "abc",
    entities=3,
    relations=1,
    files=(FileRecord("src/ü.py", "h1", 10, 123, 4, 2), FileRecord("README.md", "h2", 5, 124, 1, 1)),
    skipped=(SkippedFile(".env", "secret"),),
    recognised={"python": 2},
    not_recognised={".xyz": 3},
)
MANIFEST = Manifest("n", "embedded", "mini", 384, "bm25", "r1", (BILLING, ProjectRecord("auth", "/srv/auth")), 3, 1)


def test_json_and_back_is_equal():
    assert Manifest.from_json(MANIFEST.to_json(), "m") == MANIFEST


def test_what_readers_ask_it():
    assert MANIFEST.names == {"billing", "auth"}
    assert MANIFEST.project("billing") == BILLING
    assert MANIFEST.project("crm") is None
    assert BILLING.chunks == 3  # 2 + 1


def test_which_chunks_wait_for_their_vectors():
    assert (MANIFEST.awaiting, MANIFEST.embedded_share({"billing"}), MANIFEST.also_awaiting({})) == (0, 1.0, MANIFEST)
    waiting = MANIFEST.also_awaiting({("billing", "src/ü.py"): 1, ("auth", "src/ü.py"): 9})
    assert (waiting.awaiting, waiting.project("billing").awaiting) == (1, 1)
    assert waiting.embedded_share({"billing", "auth"}) == pytest.approx(2 / 3)  # of 3 chunks 1 waits
    assert waiting.embedded_share({"auth"}) == 1.0
    more = waiting.also_awaiting({("billing", "README.md"): 1})
    assert [file.awaiting for file in more.project("billing").files] == [1, 1]
    assert Manifest.from_json(more.to_json(), "m") == more
    assert more.embedded() == MANIFEST


def test_a_file_costs_little():
    files = tuple(FileRecord(f"src/m{n}.py", "0" * 32, 1000, 10**18, 40, 3) for n in range(1000))
    text = Manifest("n", "p", "m", 384, projects=(ProjectRecord("a", "/a", files=files),)).to_json()
    assert len(text) < 100_000


@pytest.mark.specification("000 §4.1 docs")
def test_another_model_or_dimension_names_both():
    MANIFEST.check("mini", 384)
    with pytest.raises(DataFolderError, match=r"mini \(384.*large \(1024"):
        MANIFEST.check("large", 1024)
    with pytest.raises(DataFolderError):
        MANIFEST.check("mini", 256)


def test_a_newer_schema_is_refused():
    newer = json.dumps({**json.loads(MANIFEST.to_json()), "schema_version": SCHEMA_VERSION + 1, "novelty": 1})
    with pytest.raises(DataFolderError, match=r"schema 2.*up to 1.*Update"):
        Manifest.from_json(newer, "m")


@pytest.mark.parametrize("field", ["mtime_ns", "ctime_ns"])
@pytest.mark.parametrize(("before", "settled"), [(2_000_000_001, True), (2_000_000_000, False)])
def test_a_file_that_was_touched_just_before_it_was_read_is_not_settled(field, before, settled):
    times = {"mtime_ns": 1, "ctime_ns": 1, "read_ns": 10**10, field: 10**10 - before}
    assert FileRecord("a.py", "h", 1, **times).is_settled is settled


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"schema_version": 1}', '{"schema_version": 1, "projects": [{}]}'])
def test_damage_is_said(text):
    with pytest.raises(DamagedIndexError, match="damaged: m can't be read"):
        Manifest.from_json(text, "m")
