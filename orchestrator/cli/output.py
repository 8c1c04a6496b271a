"""What goes to standard output: one JSON document, or text for people, never a control character from a file."""

from __future__ import annotations

import json
import re
from typing import Any

import click

__all__ = ["print_json", "printable"]

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_HALF = re.compile(r"[\ud800-\udfff]")


def printable(text: str) -> str:
    """The text without control characters and changes of direction: nothing indexed or typed steers the terminal."""
    return _HALF.sub("\ufffd", _CONTROL.sub("", text.replace("\r\n", "\n")))


def print_json(document: Any) -> None:
    """One JSON document on one line; half a surrogate pair, which no encoding can write, becomes U+FFFD."""
    click.echo(_HALF.sub("\ufffd", json.dumps(document, ensure_ascii=False, allow_nan=False)))
