from __future__ import annotations

import dataclasses
import os

import pytest

from indexing.difference import Difference, compare
from indexing.reading import SourceText, read_source

SECOND = 1_000_000_000


def record(file, **changes):
    """The record of a file that was read long after it had been written, as far as its times say."""
    found = read_source(file)
    assert isinstance(found, SourceText)
    return dataclasses.replace(found.record, **{"read_ns": found.record.read_ns + 60 * SECOND, **changes})


@pytest.fixture
def root(tmp_path):
    for name in ("a.py", "b.py", "c.py"):
        (tmp_path / name).write_text(f"# {name}\n")
    return tmp_path


def test_each_path_is_in_one_of_four(root):
    recorded = {name: record(root / name) for name in ("a.py", "b.py", "c.py")}
    (root / "b.py").write_text("# another\n")
    (root / "c.py").unlink()
    (root / "d.py").write_text("")
    found = compare(root, ["d.py", "b.py", "a.py"], recorded)
    assert found == Difference(added=("d.py",), changed=("b.py",), removed=("c.py",), unchanged=("a.py",))
    assert not found.is_empty


def test_nothing_to_do(root):
    assert compare(root, ["a.py"], {"a.py": record(root / "a.py")}).is_empty
    assert compare(root, [], {}).is_empty


def test_settled_times_and_size_spare_the_look_inside(root):
    lying = record(root / "a.py", hash="another file's")
    assert compare(root, ["a.py"], {"a.py": lying}).unchanged == ("a.py",), "the hash was not asked for"


@pytest.mark.parametrize("later", [0, SECOND, 2 * SECOND])
def test_a_write_in_the_tick_of_the_reading_is_found(root, later):
    """Same size, same times, other bytes: git's racily clean file. Up to 2 s after a file's times its bytes are asked."""
    before = record(root / "a.py", hash="of other bytes of the same length")
    times = max(before.mtime_ns, before.ctime_ns)
    racy = dataclasses.replace(before, read_ns=times + later)
    assert compare(root, ["a.py"], {"a.py": racy}).changed == ("a.py",)
    clean = dataclasses.replace(racy, hash=record(root / "a.py").hash)
    assert compare(root, ["a.py"], {"a.py": clean}).unchanged == ("a.py",)


def test_an_edit_that_puts_the_old_time_back_is_found(root):
    file = root / "a.py"
    old = file.stat().st_mtime_ns - 3600 * SECOND
    os.utime(file, ns=(old, old))
    before = record(file, ctime_ns=old)
    file.write_text("# A.PY\n")
    os.utime(file, ns=(old, old))
    assert (file.stat().st_size, file.stat().st_mtime_ns) == (before.size, before.mtime_ns)
    assert compare(root, ["a.py"], {"a.py": before}).changed == ("a.py",)


def test_a_touched_file_with_the_same_bytes_is_unchanged(root):
    before = record(root / "a.py")
    os.utime(root / "a.py", ns=(0, 0))
    assert compare(root, ["a.py"], {"a.py": before}).unchanged == ("a.py",)


def test_a_file_that_vanished_since_it_was_found_is_changed(root):
    before = record(root / "a.py")
    (root / "a.py").unlink()
    assert compare(root, ["a.py"], {"a.py": before}).changed == ("a.py",)
