"""What goes to standard output: one JSON document, or text for people, never a control character from a file."""

from __future__ import annotations

import json
import re
from typing import Any

import click

__all__ = ["print_json", "printable"]

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def printable(text: str) -> str:
    """The text without control characters: what was indexed or typed must not steer the terminal."""
    return _CONTROL.sub("", text.replace("\r\n", "\n"))


def print_json(document: Any) -> None:
    """One JSON document on one line."""
    click.echo(json.dumps(document, ensure_ascii=False, allow_nan=False))
