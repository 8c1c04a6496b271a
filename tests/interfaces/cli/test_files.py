"""Files beside the output."""

from __future__ import annotations

import pytest

from interfaces.cli.files import write_file
from memory.errors import InvalidInputError


def test_a_file_is_written(tmp_path):
    write_file(tmp_path / "one.html", "für")
    assert (tmp_path / "one.html").read_bytes() == "für".encode()


def test_one_that_cannot_be_is_the_users_mistake(tmp_path):
    with pytest.raises(InvalidInputError, match="cannot be written"):
        write_file(tmp_path / "nowhere/one.html", "")
