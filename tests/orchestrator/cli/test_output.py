"""What goes out is one line of JSON, or text that steers nobody's terminal."""

from __future__ import annotations

import json

import pytest

from orchestrator.cli.output import print_json, printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\tand\nlines\r\nend", "plain\tand\nlines\nend"),
        ("\x1b[31mred\x1b[0m \x07bell\x9b1m", "[31mred[0m bell1m"),
        ("over\rwritten", "overwritten"),
        ("a\u202eb\u2066c\u2069", "abc"),  # changes of direction, with which shown text hides what it is
        ("שלום عربى 🚢", "שלום عربى 🚢"),
        ("half \ud83d", "half \ufffd"),
    ],
    ids=["lines", "escapes", "return", "direction", "right to left", "half a pair"],
)
def test_printable(text, shown):
    assert printable(text) == shown


def test_a_document_is_one_line(capsys):
    print_json({"text": "a\nb \x1b[31m ü 🚢", "half": "\udcff"})
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    assert "ü 🚢" in out
    assert json.loads(out) == {"text": "a\nb \x1b[31m ü 🚢", "half": "\ufffd"}


def test_what_is_no_json_is_refused():
    with pytest.raises(ValueError, match="not JSON compliant"):
        print_json({"score": float("nan")})
