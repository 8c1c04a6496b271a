"""The checksum of a file's blocks, by hand, and that holes are worth what zeros are."""

from __future__ import annotations

import os
import zlib

import pytest

from memory.generation.checksum import FileState, state_of

BLOCK = 16 * 1024


def written(path, *pieces):
    """A file of pieces at their places, holes between."""
    with path.open("wb") as file:
        for at, data in pieces:
            file.seek(at)
            file.write(data)
    return path


def test_each_block_counts_with_its_place(tmp_path):
    file = written(tmp_path / "f", (0, b"a" * BLOCK + bytes(BLOCK) + b"b"))
    first = zlib.crc32(b"a" * BLOCK, zlib.crc32((0).to_bytes(8, "big")))
    both = zlib.crc32(b"b", zlib.crc32((2 * BLOCK).to_bytes(8, "big"), first))
    assert state_of(file) == FileState(2 * BLOCK + 1, both, 0)
    assert state_of(file).held == 2 * BLOCK + 1


def test_nothing_and_nothing_but_a_hole(tmp_path):
    assert state_of(written(tmp_path / "empty")) == FileState(0, 0, 0)
    os.truncate(written(tmp_path / "hole"), 10 * BLOCK)
    assert state_of(tmp_path / "hole") == FileState(10 * BLOCK, 0, 0)


PIECES = [(4096, b"x" * 5000), (3 * BLOCK - 1, b"yz"), (7 * BLOCK + 8192, b"w" * 100), (40 * BLOCK, b"end")]


@pytest.mark.parametrize("until", range(1, len(PIECES) + 1))
def test_a_copy_without_holes_is_the_same(tmp_path, until):
    sparse = written(tmp_path / "sparse", *PIECES[:until])
    dense = tmp_path / "dense"
    dense.write_bytes(sparse.read_bytes())
    assert state_of(dense) == state_of(sparse)


@pytest.mark.parametrize("at", [0, 4096, 9095, 2 * BLOCK, 3 * BLOCK, 20 * BLOCK + 7, 40 * BLOCK + 2])
def test_a_bit_anywhere_is_seen_in_a_hole_too(tmp_path, at):
    file = written(tmp_path / "f", *PIECES)
    before = state_of(file)
    with file.open("r+b") as opened:
        opened.seek(at)
        byte = opened.read(1)[0]
        opened.seek(at)
        opened.write(bytes([byte ^ 1]))
    assert state_of(file).checksum != before.checksum


def test_what_moved_is_seen(tmp_path):
    here, there = (
        written(tmp_path / name, (at, b"data"), (9 * BLOCK, b"end")) for name, at in (("a", 0), ("b", BLOCK))
    )
    assert state_of(here).checksum != state_of(there).checksum


def test_what_is_no_file_has_no_state(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert [state_of(path) for path in (tmp_path / "none", tmp_path, tmp_path / "pipe")] == [None, None, None]


def test_a_document_counts_by_its_values(tmp_path):
    texts = (
        '{"a": 1, "b": {"c": 2, "d": 3}}',
        '{"b":{"d":3,"c":2},"a":1}',
        '{"b":{"d":3,"c":2},"a":4}',
        '{"b":',
        "\x00\xff",
    )
    sums = []
    for text in texts:
        (tmp_path / "f.json").write_text(text, encoding="latin-1")
        sums.append(state_of(tmp_path / "f.json", by_value=True).checksum)
    assert sums[0] == sums[1]
    assert len(set(sums)) == 4
