from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from memory.regular_files import FileTooLargeError, NotARegularFileError, open_regular, read_regular


@pytest.fixture
def project(tmp_path):
    (tmp_path / "project/docs").mkdir(parents=True)
    (tmp_path / "project/docs/a.md").write_bytes(b"inside")
    (tmp_path / "outside.md").write_bytes(b"outside")
    return tmp_path / "project"


def test_the_bytes_and_the_state(project):
    data, state = read_regular(project / "docs/a.md", 6)
    assert (data, state.st_size) == (b"inside", 6)
    with open_regular(project / "docs/a.md", 6) as (stream, same):
        assert (stream.read(), same) == (b"inside", state)


def test_what_is_larger_than_asked_for(project):
    with pytest.raises(FileTooLargeError):
        read_regular(project / "docs/a.md", 5)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc, whose files say they are empty")
def test_what_is_larger_than_it_says():
    with pytest.raises(FileTooLargeError):
        read_regular(Path("/proc/self/status"), 10)


def test_what_is_no_regular_file_is_neither_read_nor_waited_for(project):
    os.mkfifo(project / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        here = Path.cwd()
        os.chdir(project)  # a socket's path may have a hundred characters
        try:
            server.bind("socket")
        finally:
            os.chdir(here)
    (project / "null").symlink_to(os.devnull)
    for name in ("pipe", "socket", "docs", "gone"):
        with pytest.raises(OSError, match=name):
            read_regular(project / name, 10)
    for place in ("pipe", "docs"):
        with pytest.raises(NotARegularFileError):
            read_regular(project / place, 10, within=project)
    with pytest.raises(NotARegularFileError):
        read_regular(project / "null", 10, within=Path("/"))


def test_a_link_is_refused_or_followed_inside_a_folder_alone(project):
    (project / "in.md").symlink_to("docs/a.md")
    (project / "out.md").symlink_to("../outside.md")
    (project / "up").symlink_to("..")
    (project / "loop.md").symlink_to("loop.md")
    with pytest.raises(OSError, match=r"in\.md"):
        read_regular(project / "in.md", 100)
    assert read_regular(project / "in.md", 100, within=project)[0] == b"inside"
    for name in ("out.md", "../outside.md", "up/outside.md", "loop.md"):
        with pytest.raises(OSError, match=r"leads out|loop|symbolic"):
            read_regular(project / name, 100, within=project)


def test_nothing_stays_open(project):
    opened = Path("/dev/fd")
    before = len(list(opened.iterdir()))
    os.mkfifo(project / "pipe")
    for name in ("docs/a.md", "docs", "pipe"):
        for limit in (1, 100):
            try:
                read_regular(project / name, limit)
            except OSError:
                continue
    assert len(list(opened.iterdir())) == before
