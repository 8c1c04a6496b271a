"""YAML and JSON are read as plain data, and what a user names within bounds."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path

import pytest
import yaml

from configs.documents import (
    MOST_YAML,
    DocumentError,
    parse_json,
    parse_yaml,
    read_bytes,
    read_text,
    read_yaml,
    shown,
)


def test_plain_data_comes_out():
    assert read_yaml("a: [1, two, 3.5]\nb: {c: true}") == {"a": [1, "two", 3.5], "b": {"c": True}}
    assert read_yaml("# nothing") is None


def test_a_value_is_quoted_as_far_as_it_can_be_read():
    assert (shown("a'b"), shown([1])) == ('"a\'b"', "[1]")
    assert shown("a" * 300) == f"'{'a' * 199}…"
    assert shown(-(10**5000)) == "a number of too many digits"


@pytest.mark.parametrize("text", ["a: [1", "!!python/object/apply:os.getcwd []"])
def test_what_is_not_plain_data_is_refused(text):
    with pytest.raises(yaml.YAMLError):
        read_yaml(text)


def bomb(levels):
    """Ten aliases of ten aliases of …"""
    names = [f"a{number}" for number in range(levels)]
    lines = [f"{names[0]}: &{names[0]} [{'x, ' * 10}]"]
    lines += [f"{name}: &{name} [{f'*{before}, ' * 10}]" for before, name in pairwise(names)]
    return "\n".join(lines)


class TestYaml:
    def test_plain_data_comes_out(self):
        assert parse_yaml("a: &a [1, two, 3.5]\nb: {c: *a}") == {"a": [1, "two", 3.5], "b": {"c": [1, "two", 3.5]}}
        assert parse_yaml("") is None
        assert parse_yaml("[" * 100 + "]" * 100)
        assert len(parse_yaml(bomb(4))) == 4
        assert parse_yaml(f"a: '{'9' * 5000}'")["a"].startswith("999")

    def test_a_key_that_is_merged_in_may_be_given_again(self):
        assert parse_yaml("x: &x {a: 1}\ny: {<<: *x, a: 2}\nz: {1: a, '1': b}")["y"] == {"a": 2}

    def test_what_has_a_colon_is_no_number(self):
        assert parse_yaml("[1:30, 1:30.5, 0x10, 1_000, 1.5]") == ["1:30", "1:30.5", 16, 1000, 1.5]

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("a: [1", "is not YAML: line 2: did not find expected ',' or ']'."),
            ("a: 1\nb: [\n", "is not YAML: line 3: did not find expected node content."),
            ("!!python/object/apply:os.getcwd []", "is not YAML: line 1: could not determine a constructor"),
            ("a: 1\nb: 2\na: 3", "is not YAML: line 3: the key 'a' stands twice."),
            ("- " * 40_000, "is nested deeper than 100."),
            ("[" * 100_000, "is nested deeper than 100."),
            ("[" * 101 + "]" * 101, "is nested deeper than 100."),
            ("{a: " * 5_000, "is nested deeper than 100."),
            ("? " * 5_000, "is nested deeper than 100."),
            (bomb(9), "holds more than 100000 values."),
            ("a: &a [*a]", "has an alias *a that refers to nothing, or to what it is part of."),
            ("a: *b", "has an alias *b that refers to nothing"),
            (f"a: {'9' * 5_000}", "has a number of more than 1000 digits."),
            (f"a: {'1:' * 5_000}1", "has a number of more than 1000 digits."),
            (f"!!int '{'9' * 5_000}'", "is not YAML: Exceeds the limit"),
            ("a: 2024-13-45", "is not YAML: month must be in 1..12."),
            ("a: !!timestamp x", "is not YAML"),
            ("!!bool x", "is not YAML"),
            ("!!int ''", "is not YAML"),
            ("a: \ud800", "is not YAML"),
            ("\0", "is not YAML"),
            ("#" * (MOST_YAML + 1), "is larger than 1 MB."),
        ],
    )
    def test_what_is_none_or_beyond_the_bounds_is_refused(self, text, said):
        with pytest.raises(DocumentError) as refused:
            parse_yaml(text)
        assert str(refused.value).startswith(said)


class TestJson:
    def test_plain_data_comes_out(self):
        assert parse_json('{"a": [1, 2.5, null, "x"]}') == {"a": [1, 2.5, None, "x"]}
        assert parse_json(b"7") == 7
        assert parse_json("[" * 100 + "]" * 100)

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("{", "is not JSON: Expecting property name enclosed in double quotes: line 1 column 2"),
            ("", "is not JSON: Expecting value"),
            (b"\xff", "is not JSON: 'utf-8' codec can't decode"),
            ("[" * 100_000, "is nested deeper than 100."),
            ("[" * 101 + "]" * 101, "is nested deeper than 100."),
            ('{"a": ' * 101 + "1" + "}" * 101, "is nested deeper than 100."),
            ("9" * 5_000, "is not JSON: Exceeds the limit"),
            ("[NaN]", "is not JSON: NaN is no number that can be written."),
            ("[-1e999]", "is not JSON: -1e999 is no number that can be written."),
        ],
    )
    def test_what_is_none_or_beyond_the_bounds_is_refused(self, text, said):
        with pytest.raises(DocumentError) as refused:
            parse_json(text)
        assert str(refused.value).startswith(said)


class TestFiles:
    def test_the_text(self, tmp_path):
        (tmp_path / "a").write_text("größer", encoding="utf-8")
        assert read_text(tmp_path / "a") == "größer"
        assert read_bytes(tmp_path / "a", 8) == "größer".encode()

    def test_a_pipe_is_read(self):
        reader, writer = os.pipe()
        os.write(writer, b"a: 1")
        os.close(writer)
        assert read_text(Path(f"/dev/fd/{reader}")) == "a: 1"
        os.close(reader)

    @pytest.mark.parametrize(
        ("name", "said"),
        [
            ("gone", "cannot be read (FileNotFoundError)."),
            (".", "cannot be read (IsADirectoryError)."),
            ("a\0b", "cannot be read (ValueError)."),
            ("/dev/zero", "is larger than 1 MB."),
            ("latin", "cannot be read (UnicodeDecodeError)."),
        ],
    )
    def test_what_cannot_be_read(self, tmp_path, name, said):
        (tmp_path / "latin").write_bytes(b"\xe9")
        with pytest.raises(DocumentError) as refused:
            read_text(tmp_path / name, 1_000_000)
        assert str(refused.value) == said
