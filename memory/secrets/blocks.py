"""Private keys as blocks of lines: PEM and OpenSSH, PGP, OpenVPN, PuTTY."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["key_blocks", "key_spans"]

_BEGIN: Final = re.compile(
    r"-{4,5} ?BEGIN (?:[A-Za-z0-9]+ ){0,4}(?:PRIVATE KEY(?: BLOCK)?|Static key V1) ?-{4,5}", re.IGNORECASE
)
_END: Final = re.compile(r"-{4,5} ?END ", re.IGNORECASE)
_LONGEST: Final = 20_000

# A block, not its mere mention: between the marks stand what base64, its headers and a string literal hold, or one long
# run of base64 where the end was cut off.
_BODY: Final = re.compile(r"[\w+/=\s\\\"'#*>|,:.-]+")
_CUT_OFF: Final = re.compile(
    r"(?:\\[nr]|[\s\"'#*>|,])*[A-Za-z0-9+/=]{40,}(?:(?:\\[nr]|[\s\"'#*>|,])+[A-Za-z0-9+/=]{40,})*"
)
_KEY_TEXT: Final = re.compile(r"[A-Za-z0-9+/=_-]{6}")
_ASSIGNMENT: Final = re.compile(r"\s=\s")
_RUN: Final = re.compile(r"(?:(?<![A-Za-z0-9+/=\\])|(?<=\\[nr]))[A-Za-z0-9+/=]{8,}")

_PUTTY: Final = re.compile(
    r"^[ \t]*Private-Lines: *\d{1,3}\r?\n(?P<body>(?:[ \t]*[A-Za-z0-9+/=]{4,}[ \t]*(?:\r?\n|\Z))+)", re.MULTILINE
)


def key_blocks(text: str) -> Iterator[tuple[int, int]]:
    """The bodies of private keys, without their marks."""
    marks = list(_BEGIN.finditer(text)) if "BEGIN " in text or "begin " in text else []
    for number, mark in enumerate(marks):
        following = marks[number + 1].start() if number + 1 < len(marks) else len(text)
        end = _END.search(text, mark.end(), min(mark.end() + _LONGEST, following))
        if (
            end is not None
            and _BODY.fullmatch(text, mark.end(), end.start())
            and _is_key(text[mark.end() : end.start()])
        ):
            yield mark.end(), end.start()
        elif end is None and (found := _CUT_OFF.match(text, mark.end(), following)):
            yield mark.end(), found.end()
    if "Private-Lines:" in text:
        yield from (found.span("body") for found in _PUTTY.finditer(text))


def key_spans(text: str) -> Iterator[tuple[int, int]]:
    """The runs of base64 in them: what a language puts around a line stays, so that the file can still be parsed."""
    for start, end in key_blocks(text):
        yield from (run.span() for run in _RUN.finditer(text, start, end))


def _is_key(body: str) -> bool:
    return _KEY_TEXT.search(body) is not None and _ASSIGNMENT.search(body) is None
