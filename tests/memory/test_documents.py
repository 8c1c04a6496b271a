"""A user's file: its document, or what is wrong with it."""

from __future__ import annotations

import pytest

from memory.documents import read_json_file, read_json_lines, read_yaml_file, write_file
from memory.errors import InvalidInputError


def test_the_document(tmp_path):
    file = tmp_path / "a.yaml"
    file.write_text("a: [1, two]\n", encoding="utf-8")
    assert read_yaml_file(file) == {"a": [1, "two"]}


def test_what_is_no_yaml_says_where_and_what_to_do(tmp_path):
    file = tmp_path / "a.yaml"
    file.write_text("a: [", encoding="utf-8")
    with pytest.raises(InvalidInputError, match=r"a\.yaml is not YAML: .*line \d+") as raised:
        read_yaml_file(file, hint="Correct it.")
    assert raised.value.hint == "Correct it."


@pytest.mark.parametrize(("content", "kind"), [(None, "FileNotFoundError"), (b"\xff\xfe\xff", "UnicodeDecodeError")])
def test_what_cannot_be_read_says_why(tmp_path, content, kind):
    file = tmp_path / "a.yaml"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(InvalidInputError, match=rf"a\.yaml cannot be read \({kind}\)\."):
        read_yaml_file(file)


def test_json(tmp_path):
    file = tmp_path / "a.json"
    file.write_text('{"a": [1]}', encoding="utf-8")
    assert read_json_file(file) == {"a": [1]}
    file.write_text("{", encoding="utf-8")
    with pytest.raises(InvalidInputError, match=r"a\.json is not JSON: .*line 1") as raised:
        read_json_file(file, hint="Correct it.")
    assert raised.value.hint == "Correct it."


def test_json_lines(tmp_path):
    file = tmp_path / "a.jsonl"
    file.write_text('{"a": 1}\n\n[2]\n' + "[" * 200 + "]" * 200, encoding="utf-8")
    lines = read_json_lines(file)
    assert [next(lines), next(lines)] == [(f"{file}, line 1", {"a": 1}), (f"{file}, line 3", [2])]
    with pytest.raises(InvalidInputError, match=r"a\.jsonl, line 4 is nested deeper than 100\."):
        next(lines)


def test_a_file_is_written(tmp_path):
    write_file(tmp_path / "one.html", "für")
    assert (tmp_path / "one.html").read_bytes() == "für".encode()


def test_one_that_cannot_be_is_the_users_mistake(tmp_path):
    with pytest.raises(InvalidInputError, match="cannot be written"):
        write_file(tmp_path / "nowhere/one.html", "")
