from __future__ import annotations

import sqlite3
import subprocess
import sys

import numpy as np
import pytest

from memory.embedders import EmbeddingCache, text_key
from memory.errors import DataFolderError, StorageFullError

ONE, TWO = np.array([1, 2], dtype=np.float32), np.array([3, 4], dtype=np.float32)

WRITER = """
import sys, numpy as np
from memory.embedders import EmbeddingCache
cache = EmbeddingCache(sys.argv[1])
for n in range(40):
    cache.put("m", {f"{sys.argv[2]}-{n}": np.array([n], dtype=np.float32)})
"""


@pytest.fixture
def cache(tmp_path):
    return EmbeddingCache(tmp_path / "cache" / "embeddings.sqlite")


def plain(found):
    return {key: vector.tolist() for key, vector in found.items()}


def test_what_was_put_comes_back_by_model_and_key(cache):
    cache.put("m", {"a": ONE, "b": TWO})
    cache.put("other", {"a": TWO})
    cache.put("m", {"b": ONE})
    assert plain(cache.get("m", ["a", "b", "c", "a"], 2)) == {"a": [1, 2], "b": [1, 2]}
    assert plain(cache.get("other", ["a"], 2)) == {"a": [3, 4]}
    assert cache.get("m", ["a"], 2)["a"].dtype == np.float32
    assert cache.get("m", [], 2) == cache.get("m", ["a"], 3) == {}


def test_all_but_some_are_removed_of_every_model_and_their_bytes_with_them(cache, tmp_path):
    cache.put("m", {"a": ONE, "planted-key": TWO})
    cache.put("other", {"a": TWO, "planted-key": ONE})
    cache.keep_only(["a", "a", "never there"])
    assert plain(cache.get("m", ["a", "planted-key"], 2)) == {"a": [1, 2]}
    assert plain(cache.get("other", ["a", "planted-key"], 2)) == {"a": [3, 4]}
    assert not any(b"planted-key" in path.read_bytes() for path in (tmp_path / "cache").iterdir())


def test_more_keys_than_one_statement_takes(cache):
    cache.put("m", {str(number): ONE for number in range(1201)})
    assert len(cache.get("m", map(str, range(2000)), 2)) == 1201


def test_another_opening_sees_it(cache, tmp_path):
    cache.put("m", {"a": ONE})
    assert plain(EmbeddingCache(tmp_path / "cache" / "embeddings.sqlite").get("m", ["a"], 2)) == {"a": [1, 2]}


def test_several_processes_write_at_once(cache, tmp_path):
    path = str(tmp_path / "cache" / "embeddings.sqlite")
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, path, name]) for name in ("a", "b")]  # noqa: S603 - ours
    assert [writer.wait() for writer in writers] == [0, 0]
    keys = [f"{name}-{number}" for name in ("a", "b") for number in range(40)]
    assert len(cache.get("m", keys, 1)) == 80


@pytest.mark.parametrize(
    "damage",
    [b"this is no database, but it is long enough to be taken for one" * 40, b"SQLite format 3\0" + b"\xff" * 5000],
)
def test_a_damaged_file_is_set_aside_and_a_new_one_begun(tmp_path, damage):
    path = tmp_path / "embeddings.sqlite"
    path.write_bytes(damage)
    cache = EmbeddingCache(path)
    cache.put("m", {"a": ONE})
    assert plain(cache.get("m", ["a"], 2)) == {"a": [1, 2]}
    assert (tmp_path / "embeddings.sqlite.broken").read_bytes() == damage


def test_damage_while_it_is_in_use(cache, tmp_path):
    cache.put("m", {"a": ONE})
    (tmp_path / "cache" / "embeddings.sqlite").write_bytes(b"gone " * 1000)
    assert cache.get("m", ["a"], 2) == {}
    cache.put("m", {"a": TWO})
    assert plain(cache.get("m", ["a"], 2)) == {"a": [3, 4]}


@pytest.mark.parametrize(
    "damage", ["vector = x'0000803f00000041'", "vector = 'text'", "vector = NULL", "checksum = NULL"]
)
def test_a_damaged_vector_is_none(cache, tmp_path, damage):
    cache.put("m", {"a": ONE, "b": TWO})
    with sqlite3.connect(tmp_path / "cache" / "embeddings.sqlite") as connection:
        connection.execute(f"UPDATE embeddings SET {damage} WHERE hash = 'a'")  # noqa: S608 - the test's own
    assert plain(cache.get("m", ["a", "b"], 2)) == {"b": [3, 4]}
    cache.put("m", {"a": ONE})
    assert plain(cache.get("m", ["a"], 2)) == {"a": [1, 2]}


def test_a_folder_in_its_place(tmp_path):
    (tmp_path / "embeddings.sqlite").mkdir()
    with pytest.raises(DataFolderError, match="can't be used"):
        EmbeddingCache(tmp_path / "embeddings.sqlite")


def test_a_file_in_its_folder_s_place(tmp_path):
    (tmp_path / "cache").write_text("")
    with pytest.raises(DataFolderError, match="can't be made"):
        EmbeddingCache(tmp_path / "cache" / "embeddings.sqlite")


def test_a_full_disk(cache):
    def fill(connection):
        connection.execute("PRAGMA max_page_count = 1")
        connection.execute("INSERT INTO embeddings VALUES ('m', 'k', zeroblob(1000000), 0)")

    with pytest.raises(StorageFullError, match=r"embeddings\.sqlite"):
        cache._run(fill)


def test_our_own_mistakes_are_not_taken_for_damage(cache):
    with pytest.raises(DataFolderError, match="no such table"):
        cache._run(lambda connection: connection.execute("SELECT * FROM nowhere"))
    with pytest.raises(DataFolderError):
        cache._run(lambda _: (_ for _ in ()).throw(sqlite3.ProgrammingError("no code")))


def test_keys_are_of_every_character():
    assert text_key("a  b") != text_key("a b")
    assert len(text_key("\ud800")) == 64
