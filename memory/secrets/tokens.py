"""Tokens that are known by their own shape, wherever they stand: those of `token_shapes`, those of all who follow their
fashion (`vendor_` before a long random text), web tokens, and the paths of web hooks.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from memory.secrets.token_shapes import TOKEN_SHAPES
from memory.secrets.values import is_drawn, is_placeholder

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["token_spans"]

_RUN: Final = re.compile(r"(?<![\w.~:/+=$@-])[\w.~:/+=$@-]{20,}", re.ASCII)
"""Where a token may stand: all of them are longer than most words."""

_FASHION: Final = (
    r"(?<![\w+/.~-])(?<!sha\d{3}[=:-])(?!sha\d|md5|h1:)"
    r"(?!(?:call|toolu|tooluse|chatcmpl|req|msg|run|resp|file|asst|thread|evt|cus|price|prod|sub|acct"
    r"|usr|user|org|proj)[_-])"
    r"[A-Za-z][A-Za-z0-9]{1,11}(?:[_-][A-Za-z0-9]{1,10}){0,2}[_.:-](?P<drawn>[A-Za-z0-9]{20,200})(?![A-Za-z0-9+/=])"
)
_DRAWN: Final = re.compile(r"[A-Za-z0-9+/_-]{24,200}")
_SET: Final = re.compile(r"[:=][ \t\"']*$")
_CHECKSUM: Final = re.compile(
    r"(?:sha|md|hash|digest|integrity|checksum|etag|blob|cert|public|ca_?bundle|fingerprint|thumbprint)"
    r"[\w\-.\"' ]*[:=\-][ \"']*$",
    re.IGNORECASE,
)
_BEFORE: Final = 60
_LONG: Final = 32
_TOKEN: Final = re.compile(rf"(?<![A-Za-z0-9])(?:{'|'.join(TOKEN_SHAPES)}|{_FASHION})", re.ASCII)
_JWT: Final = re.compile(r"(?<![\w-])eyJ[\w-]{10,}(?:\.[\w-]*){2,4}", re.ASCII)
_HOOK: Final = re.compile(
    r"(?:hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/|discord(?:app)?\.com/api/webhooks/"
    r"|\.webhook\.office\.com/webhookb2/"
    r"|chat\.googleapis\.com/v1/spaces/[\w-]{1,40}/messages\?|hooks\.zapier\.com/hooks/catch/)"
    r"(?P<path>[^\s\"'`<>)]{20,600})"
)
_CASES: Final = (re.compile("[A-Z]"), re.compile("[a-z]"), re.compile("[0-9]"))
_LOWER: Final = re.compile(r"(?=[a-z0-9]*[g-z])(?:[a-z]*[0-9]){4}[a-z0-9]*")


def token_spans(text: str, *, settings: bool) -> Iterator[tuple[int, int]]:
    """Where they stand. settings: the file holds values by name, and a drawn text of no known shape is a token too."""
    for run in _RUN.finditer(text):
        start, end = run.span()
        for found in _TOKEN.finditer(text, start, end):
            group = "drawn" if found["drawn"] else 0
            if (not group or _is_of_a_machine(found["drawn"])) and not is_placeholder(found[0]):
                yield found.span(group)
        if settings:
            yield from _value(text, start, end)
    if "eyJ" in text:
        yield from (found.span() for found in _JWT.finditer(text) if not is_placeholder(found[0]))
    for found in _HOOK.finditer(text) if "hook" in text or "/v1/spaces/" in text else ():
        if not is_placeholder(found["path"]):
            yield found.span("path")


def _value(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """What stands at the end of a run, if it is the value of a setting and drawn by a machine, and no checksum."""
    while text[end - 1] == "=" and end > start:
        end -= 1
    first = max(start, text.rfind("=", start, end) + 1, text.rfind(":", start, end) + 1)
    value = text[first:end]
    if _DRAWN.fullmatch(value) and _is_of_all_cases(value):
        before = text[max(0, first - _BEFORE) : first]
        if _SET.search(before) and not _CHECKSUM.search(before):
            yield first, end


def _is_of_all_cases(value: str) -> bool:
    return is_drawn(value) and all(case.search(value) for case in _CASES)


def _is_of_a_machine(value: str) -> bool:
    """Drawn from letters of both cases and digits, or a long one of small letters and digits that is no hash."""
    return _is_of_all_cases(value) or (len(value) >= _LONG and _LOWER.fullmatch(value) is not None and is_drawn(value))
