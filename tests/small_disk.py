"""A small file system of its own, which can be filled up; only an administrator may mount one."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest


@contextmanager
def small_disk(place: Path, megabytes: int) -> Iterator[Path]:
    """One in memory, mounted for the time of the block; without the right to, the test is skipped."""
    place.mkdir()
    if _run("mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(place)):
        pytest.skip("nothing may be mounted here")
    try:
        yield place
    finally:
        _run("umount", str(place))


def fill(place: Path) -> None:
    """Leave no room."""
    with (place / "rest").open("wb", buffering=0) as rest, suppress(OSError):
        while rest.write(bytes(4096)):
            pass


def make_read_only(place: Path) -> None:
    """Let nobody write to it."""
    assert _run("mount", "-o", "remount,ro", str(place)) == 0


def _run(*command: str) -> int:
    return subprocess.run(command, capture_output=True, check=False).returncode  # noqa: S603 - commands of the tests' own
