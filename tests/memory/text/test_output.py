"""What goes out is one line of JSON, or text that steers nobody's terminal."""

from __future__ import annotations

import json
from io import BytesIO, StringIO, TextIOWrapper

import pytest

from memory.text.output import escape_unencodable, json_line, printable, shortened, without_credentials


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\tand\nlines\r\nend", "plain\tand\nlines\nend"),
        ("\x1b[31mred\x1b[0m \x07bell\x9b1m", "[31mred[0m bell1m"),
        ("over\rwritten", "overwritten"),
        ("a\u202eb\u2066c\u2069", "abc"),  # changes of direction, with which shown text hides what it is
        ("quoted\u2028forged\u2029\x85\x0clines", "quoted forged   lines"),  # ends of lines to some programs alone
        ("שלום عربى 🚢", "שלום عربى 🚢"),
        ("half \ud83d", "half \ufffd"),
    ],
    ids=["lines", "escapes", "return", "direction", "other ends of lines", "right to left", "half a pair"],
)
def test_printable(text, shown):
    assert printable(text) == shown


def test_what_is_too_long_says_so():
    assert [shortened("twelve chars", most) for most in (12, 11)] == ["twelve chars", "twelve cha…"]


def test_a_document_is_one_line():
    out = json_line({"text": "a\nb \x1b[31m ü 🚢", "half": "\udcff"})
    assert "\n" not in out
    assert "ü 🚢" in out
    assert json.loads(out) == {"text": "a\nb \x1b[31m ü 🚢", "half": "\ufffd"}


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-8"])
def test_what_an_encoding_lacks_is_written_as_json_has_it(encoding):
    document = {"text": "a → ü 🚢"}
    stream = TextIOWrapper(written := BytesIO(), encoding=encoding)
    escape_unencodable(stream, StringIO())
    stream.write(json_line(document))
    stream.flush()
    assert json.loads(written.getvalue().decode(encoding)) == document


def test_what_is_no_json_is_refused():
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_line({"score": float("nan")})


@pytest.mark.parametrize(
    ("uri", "printed"),
    [("bolt://a:b@h:1", "bolt://h:1"), ("neo4j+s://h", "neo4j+s://h"), ("h", "h")],
)
def test_no_credentials_are_printed(uri, printed):
    assert without_credentials(uri) == printed
