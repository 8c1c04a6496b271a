"""Room on the disk, and what mapping files takes of a file system in memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory.errors import StorageFullError
from memory.vector.room import Room, bytes_on_disk, bytes_to_map, free_bytes, is_in_memory

MB = 2**20
SHARED = Path("/dev/shm")  # noqa: S108 - nothing is made there


def sparse(path, size, data=b""):
    with path.open("wb") as file:
        file.write(data)
        file.truncate(size)
    return path


def room(free, in_memory):
    return Room(lambda _: free, lambda _: in_memory)


def test_what_is_free_where_a_folder_will_be(tmp_path):
    assert free_bytes(tmp_path / "not/yet/there") > 0


@pytest.mark.skipif(not SHARED.is_dir(), reason="no file system in memory here")
def test_a_file_system_in_memory_is_known():
    assert is_in_memory(SHARED / "not/yet/there")
    assert not is_in_memory(Path("/proc"))


def test_small_files_are_mapped_whole_and_what_they_hold_takes_room_already(tmp_path):
    sparse(tmp_path / "small", 4 * MB)
    sparse(tmp_path / "large", 33 * MB)
    sparse(tmp_path / "written", MB, b"." * MB)
    assert bytes_to_map(tmp_path) == 4 * MB
    assert MB <= bytes_on_disk(tmp_path) < 2 * MB


def test_in_memory_what_is_mapped_counts(tmp_path):
    sparse(tmp_path / "small", 4 * MB)
    for in_memory, wanted in ((False, 10 * MB), (True, 86 * MB)):
        room(wanted, in_memory).check(tmp_path, 10 * MB, segments=1)
        with pytest.raises(StorageFullError, match=f"up to {wanted // MB} MB may be needed"):
            room(wanted - 1, in_memory).check(tmp_path, 10 * MB, segments=1)
