"""A disk without room, or that may not be written to: questions are answered, indexing says what it lacks."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from memory.copying import copy_tree
from tests.small_disk import fill, make_read_only, small_disk

pytestmark = pytest.mark.slow

MAIN = "from interfaces.cli.main import main; main()"
QUESTION = "How does the harbour handle ships?"


def cli(*arguments):
    """In a process of its own, which the system ends where there is no room under a mapped page: exit code and document."""
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", MAIN, *map(str, arguments), "--json"], capture_output=True, text=True, check=False
    )
    assert "Traceback" not in done.stderr
    return done.returncode, json.loads(done.stdout)


def answer(data):
    code, found = cli("ask", QUESTION, "--data-dir", data)
    return code, found["answer"]["text"]


def test_questions_on_a_full_disk_and_on_one_that_may_not_be_written_to(data, tmp_path):
    before = answer(data)
    with small_disk(tmp_path / "small", 10) as small:
        copy_tree(data, small / "data")
        fill(small)
        assert answer(small / "data") == before
        make_read_only(small)
        assert answer(small / "data") == before
        assert cli("doctor", "--deep", "--data-dir", small / "data")[0] == 0


def test_indexing_on_a_disk_that_is_too_small(org, tmp_path):
    with small_disk(tmp_path / "small", 10) as small:
        code, found = cli("index", org, "--each", "--data-dir", small / "data")
        assert (code, found["error"]["code"]) == (3, "disk_full")
        assert "MB may be needed, " in found["error"]["message"]
        assert [path for path in (small / "data").rglob("*") if path.name.startswith(".stage")] == []
