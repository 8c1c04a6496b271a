from __future__ import annotations

import hashlib
import os

from memory.disk import Disk
from memory.generation.announcing import Listing, Piece, cut, in_batches

HALF = 2**19


def test_a_file_is_cut_and_each_piece_bears_the_name_of_its_content(tmp_path):
    content = os.urandom(2 * HALF + 3)
    (tmp_path / "manifest.json").write_bytes(content)
    pieces = list(cut(tmp_path / "manifest.json"))
    assert [piece.size for piece in pieces] == [HALF, HALF, 3]
    assert b"".join(piece.content() for piece in pieces) == content
    assert [piece.name for piece in pieces] == [hashlib.sha256(piece.content()).hexdigest() for piece in pieces]


def test_the_list_has_what_questions_read(tmp_path):
    for name in ("manifest.json", "statements/a.npz", "facts/a.jsonl", "lock", "empty"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("" if name in {"lock", "empty"} else name)
    listing = Listing.of(tmp_path, Disk())
    assert list(listing.files) == ["empty", "manifest.json", "statements/a.npz"]
    assert listing.files["empty"] == ()
    assert [piece.path.name for piece in listing.pieces(tmp_path)] == ["manifest.json", "a.npz", "pieces.json"]
    assert Listing.read(tmp_path) == listing == Listing.of(tmp_path, Disk())
    assert Listing.read(tmp_path / "facts").files == {}


def test_a_file_of_the_generation_before_is_not_read_again(tmp_path):
    for name in (
        "1/manifest.json",
        "1/statements/a.npz",
        "1/statements/b.npz",
        "2/manifest.json",
        "2/statements/b.npz",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text(name[2:])
    (tmp_path / "2/statements/a.npz").hardlink_to(tmp_path / "1/statements/a.npz")
    first = Listing.of(tmp_path / "1", Disk())
    (tmp_path / "1/statements/a.npz").write_text("not what was written")
    second = Listing.of(tmp_path / "2", Disk(), tmp_path / "1")
    assert second == first
    (tmp_path / "2/pieces.json").unlink()
    assert Listing.of(tmp_path / "2", Disk()) != first


def test_batches_are_of_two_megabytes_and_500_pieces_at_most(tmp_path):
    pieces = [Piece(str(number), HALF, tmp_path, 0) for number in range(33)]
    assert [len(batch) for batch in in_batches(pieces)] == [4] * 8 + [1]
    small = [Piece(str(number), 10, tmp_path, 0) for number in range(1001)]
    assert [len(batch) for batch in in_batches(small)] == [500, 500, 1]
    assert list(in_batches([])) == []
