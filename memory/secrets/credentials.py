"""Secrets of several parts: private keys as blocks of lines (PEM and OpenSSH, PGP, OpenVPN, PuTTY), and a user and a
password together, in an address, a header, a statement of SQL, a client's file.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from typing import Final

from memory.secrets.values import is_chosen, is_drawn, is_password, is_placeholder

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

_IN_ADDRESS: Final = re.compile(r"(?P<user>[^\s:/@\"'`<>?#(){}]{0,256}):(?P<password>[^\s/\"'`<>]{1,512})@")
_ALONE: Final = re.compile(r"(?P<token>[A-Za-z0-9_.~-]{16,256})@")
_ORACLE: Final = "jdbc:oracle:"
_IN_ORACLES: Final = re.compile(r"[a-z\d]{1,10}:[^\s:/@\"'`<>]{1,64}/(?P<password>[^\s/@\"'`<>]{1,200})@")
_PORT: Final = re.compile(r"\d{1,5}(?:[?#,]|$)")
_HEADER: Final = re.compile(
    r"(?:[Bb]earer|BEARER|[Bb]asic|BASIC|[Dd]igest|[Tt]oken|ApiKey|apikey"
    r"|uthorization[\"']?[ \t]{0,4}[:=,][ \t]{0,4}[\"']?[A-Z][\w-]{1,20})[ \t]+"
    r"(?P<value>[A-Za-z0-9+/=_.~-]{12,4096})"
)
_HEADERS: Final = ("earer ", "EARER ", "asic ", "ASIC ", "uthorization")  # a search for these is quick
_AUTHS: Final = ('"auth"', "'auth'", "_auth")
_IDENTIFIED: Final = re.compile(
    r"(?:identified|IDENTIFIED)\s{1,8}(?:(?:with|WITH)\s{1,8}\S{1,40}\s{1,8})?(?:by|as|BY|AS)\s{1,8}"
    r"(?:(?:password|PASSWORD|values|VALUES)\s{1,8})?"
    r"(?P<quote>['\"])(?P<password>[^'\"\n]{1,200})(?P=quote)"
    r"|IDENTIFIED\s{1,8}BY\s{1,8}(?P<bare>[^\s;,()'\"]{6,128})"  # Oracle's own way
)
_AUTH: Final = re.compile(
    r"(?:[\"']auth[\"']\s{0,8}:\s{0,8}|\b_auth\s{0,8}=\s{0,8})[\"']?(?P<value>[A-Za-z0-9+/=]{6,4096})"
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


def credential_spans(text: str) -> Iterator[tuple[int, int]]:
    """The passwords; the user and the host stay."""
    yield from _in_addresses(text)
    for found in _HEADER.finditer(text) if any(map(text.__contains__, _HEADERS)) else ():
        value = found["value"]
        if _is_pair(value) or (is_drawn(value) and not is_placeholder(value)):
            yield found.span("value")
    for found in _IDENTIFIED.finditer(text) if "dentified" in text or "DENTIFIED" in text else ():
        if bare := found["bare"]:
            if is_chosen(bare) and not is_placeholder(bare):
                yield found.span("bare")
        elif is_password(found["password"], loose=found[0].isupper() or found[0][0] == "I"):
            yield found.span("password")
    for found in _AUTH.finditer(text) if any(map(text.__contains__, _AUTHS)) else ():
        if _is_pair(found["value"]):
            yield found.span("value")


def _in_addresses(text: str) -> Iterator[tuple[int, int]]:
    at = text.find("://")
    while at >= 0:
        if found := _IN_ADDRESS.match(text, at + 3):
            password = found["password"]
            if not _PORT.match(password) and not is_placeholder(password):
                yield found.span("password")
        elif (found := _ALONE.match(text, at + 3)) and is_drawn(found["token"]) and not is_placeholder(found["token"]):
            yield found.span("token")
        at = text.find("://", at + 3)
    at = text.find(_ORACLE)
    while at >= 0:
        at += len(_ORACLE)
        if (found := _IN_ORACLES.match(text, at)) and not is_placeholder(found["password"]):
            yield found.span("password")
        at = text.find(_ORACLE, at)


def _is_pair(value: str) -> bool:
    """Whether it is `user:password` in base64."""
    try:
        user, colon, password = (
            base64.b64decode(value.rstrip("=") + "=" * (-len(value.rstrip("=")) % 4), validate=True)
            .decode("utf-8")
            .partition(":")
        )
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return False
    return bool(user and colon and password) and not is_placeholder(password)
