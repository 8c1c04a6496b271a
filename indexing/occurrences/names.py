"""Which texts look like names: of a thing that two places may both spell out. Prose, versions, files and media types do
not.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

__all__ = ["COMPOUND", "base_in", "is_route", "last_in", "name_in"]

SHORTEST: Final = 3
LONGEST: Final = 100
FILLED: Final = re.compile(r"\$\{[^{}]*\}|#\{[^{}]*\}|\{\{[^{}]*\}\}|\{[^{}]*\}|%[sdv]\b|\$\(?\w+\)?")
"""What is filled in when the program runs, in the ways of the usual languages."""
NAME: Final = re.compile(r"[A-Za-z_][\w.:/-]*(?:\*)?")
ROUTE: Final = re.compile(r"(?:/[\w.:*{}-]+)+/?")
URL: Final = re.compile(r"[a-z][a-z0-9+]*://(?:[^/@\s]*@)?([^/:?#\s]+)(?::[^/\s]*)?(/[^\s?#]*)?")
COMPOUND: Final = re.compile(r"[A-Za-z0-9*][-_.:/]+[A-Za-z0-9*]|[a-z0-9][A-Z]")
"""More than one word; one plain word may be anybody's."""
NO_NAME: Final = re.compile(
    r"localhost|127[.]|0[.]0[.]|(?:application|text|image|audio|video|multipart|font)/|https?$|utf-?8$|[a-z]{2}[-_][A-Z]{2}$|\d|v\d",
    re.IGNORECASE,
)
_ENDS: Final = """
    py pyi js jsx ts tsx mjs cjs json yml yaml toml htm html css scss svg png jpg jpeg gif ico md txt xml csv pdf sh
    sql go rs java kt scala rb php cs proto gz zip jar exe log lock conf ini env cfg pem crt key com org io net dev
"""
FILES: Final = frozenset(_ENDS.split())
"""What is behind the dot of a file's name, or of a public host's."""
HEADER: Final = re.compile(r"(?:[A-Z][a-z]*-)+[A-Z][a-z]*")
"""`Content-Type`: names of headers are the protocol's."""


@lru_cache(maxsize=16384)
def name_in(text: str) -> str:
    """The name a text is or a URL leads to; '' for none.

    What is filled in at either end is left out (`events-${stage}` is `events`), unless too little would be left.
    """
    if not SHORTEST <= len(text) <= LONGEST or " " in text.strip():
        return ""
    text = FILLED.sub("*", text.strip()) if "{" in text or "$" in text or "%" in text else text
    if (url := URL.fullmatch(text)) is not None:
        return _host(url[1], url[2] or "")
    text = re.sub(r"^\*+(?=/)", "", text)
    if ROUTE.fullmatch(text):
        return text.rstrip("/") if text.count("/") > 1 or COMPOUND.search(text) else ""
    bare = text.strip("*").strip("-_.:/")
    if text.endswith("*") and not COMPOUND.search(bare):
        bare = text.lstrip("*").lstrip("-_.:/")
    plain = NAME.fullmatch(bare) and not _is_of_all(bare) and not HEADER.fullmatch(bare)
    return bare if plain and len(bare.strip("*")) >= SHORTEST else ""


def _is_of_all(text: str) -> bool:
    """Whether it says nothing of one organisation: a number, a kind of content, a file's name, a public host."""
    _, dot, end = text.rpartition(".")
    return (dot != "" and end.lower() in FILES) or NO_NAME.match(text) is not None


def _host(host: str, path: str) -> str:
    """What a URL leads to: the first part of its host, or its path where the host is filled in."""
    if host == "*" and len(path) > 1:
        return path.rstrip("/")
    host = host.partition(".")[0]
    return "" if "*" in host or _is_of_all(host) else host


BASE: Final = re.compile(r"(?:[a-z]+://)?(?:\$\{|#\{|\{\{?|\$)\s*([\w.()\[\]\"'@>-]*?)\s*\}{0,2}(?::\d+|/)")
LAST: Final = re.compile(r"(?:gs|s3a?)://([\w.-]+)/?|[a-z]+://.*/([\w.-]+)|arn:.*[:/]([\w.-]+)")


def base_in(text: str) -> str:
    """The variable that an address begins with: `gateway_url` of `${gateway_url}/orders`; '' for none."""
    found = BASE.match(text)
    words = re.findall(r"[A-Za-z]\w*", found[1]) if found else []
    return words[-1] if words and len(text) <= 2 * LONGEST else ""


def last_in(address: str) -> str:
    """What an address of a queue, topic or bucket calls it: its last part, a bucket's host; '' for another address."""
    found = LAST.fullmatch(address)
    return next(filter(None, found.groups())) if found else ""


def is_route(name: str) -> bool:
    """Whether a name is the path of a request."""
    return name.startswith("/")
