"""The names under which secrets stand: `DB_PASSWORD`, `clientSecret`, `api-key`; `password_file` is none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Key", "keys_in"]

_NAME: Final = re.compile(
    r"(?:(?P<password>passw(?:or)?d|pass(?:phrase|code|wort)?|pwd|pw|kennwort|mnemonic|masterauth|seed[_-]?phrase)"
    r"|secret|token|credentials?|salt|sig(?:nature)?|key(?P<base>[_.-]?base|-data)?)"
    r"(?:[_.-]?(?:base64|b64|value|data|plain|prod(?:uction)?|dev|staging|live|primary|secondary|\d{1,2}))?"
    r"(?![a-z0-9_]|[.-][a-z0-9])(?=[\"'`\\\])*}\s:=?|(,<>])"
)
"""With something behind that may lead to a value: most words of these letters are no name."""

_STEMS: Final = (
    "pass",
    "pw",
    "secret",
    "token",
    "credential",
    "key",
    "salt",
    "sig",
    "kennwort",
    "mnemonic",
    "masterauth",
    "seed",
)

_KEY: Final = re.compile(r"[a-z0-9][_.\- ]?$")
_NO_SECRET_KEY: Final = re.compile(
    r"(?:public|cache|primary|foreign|partition|sort|object|idempotency|routing|lookup|hash|map|config|dict|row|group|index"
    r"|hot|the|a|this|that|any|some|no|of|by|on|answer|turn|mon|don|hoc)[_.\- ]?$"
)
_SHORT: Final = frozenset({"pass", "pw", "pwd"})
_JOINED: Final = re.compile(
    r"(?:db|user|root|admin|smtp|imap|mail|ftp|ldap|key|store|mysql|pg|sql|redis|vnc|http|proxy|sudo|become|bind"
    r"|require)$"
)
_OTHERS: Final = re.compile(
    r"(?:(?:proxy|fastcgi|uwsgi|grpc|scgi|memcached)_pass|(?:by|com)pass|(?:^|[^a-z])(?:no|max|min|num|total)[_-]?\w+"
    r"|(?:public(?:[_-]?key)?|next|continuation|page|cancellation)[_-]?token|public[_-]?key)$"
)
_QUERY: Final = re.compile(r"[?&][\w-]*$")
_BEFORE: Final = re.compile(r"[\w.\-]*")
_WINDOW: Final = 80
_NEAR: Final = 16
_FOLDERS: Final = frozenset({"PWD", "OLDPWD"})  # where a shell stands, `$(pwd)`
_OF_A_SHELL: Final = frozenset("$({`")
_LOWER: Final = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


class Key(NamedTuple):
    """A name and where it stands. password: people choose it; else a machine draws what stands there."""

    start: int
    end: int
    password: bool


def keys_in(text: str) -> Iterator[Key]:
    """Every such name."""
    lowered = text.lower()
    if len(lowered) != len(text):  # a letter that is two in lower case would shift all places
        lowered = text.translate(_LOWER)
    for found in _NAME.finditer(lowered) if any(map(lowered.__contains__, _STEMS)) else ():
        start, end = found.span()
        window = lowered[max(0, start - _WINDOW) : start]
        front = _BEFORE.match(window[::-1])
        before = window[len(window) - front.end() :] if front else ""
        if not _names_a_secret(text, found, window, before):
            continue
        first = start - len(before)
        if text[first:end].upper() not in _FOLDERS or text[first - 1 : first] not in _OF_A_SHELL:
            yield Key(first, end, found["password"] is not None or before + found[0] in {"_authtoken", "_password"})


def _names_a_secret(text: str, found: re.Match[str], window: str, before: str) -> bool:
    word = found[0]
    if word.startswith("key"):
        return _is_compound(window) and (word != "key-data" or before == "client-")
    if word.startswith("sig"):
        return _QUERY.search(window) is not None
    if word in _SHORT and not _stands_apart(text, found.start(), before):
        return False
    return _OTHERS.search(before + word) is None


def _is_compound(window: str) -> bool:
    """Whether the word before `key` says whose it is: `api_key`, `appKey`."""
    return _KEY.search(window) is not None and _NO_SECRET_KEY.search(window) is None and "public" not in window[-_NEAR:]


def _stands_apart(text: str, start: int, before: str) -> bool:
    """Whether a short name is a word of its own: not in `compass`, but in `db_pass`, `dbPass`, `dbpass`."""
    hump = text[start].isupper() and text[start - 1 : start].islower()
    return not before[-1:].isalnum() or hump or _JOINED.search(before) is not None
