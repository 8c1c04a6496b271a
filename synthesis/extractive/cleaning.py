"""Text as people read it: mark-up, directives and control characters off."""

from __future__ import annotations

import re

__all__ = ["plain", "printable", "shortened", "visible"]

_IMAGE = re.compile(r"!\[[^\]]*\]\([^)]*\)|<!--.*?-->|</?[a-zA-Z][^<>]*>")
_LINK = re.compile(r"\[([^\]]+)\](?:\([^)]*\)|\[[^\]]*\])")
_ROLE = re.compile(r":[a-z:]+:`~?([^`<]+?)(?:\s*<[^>]*>)?`")
_ADOC_LINK = re.compile(r"\b(?:https?://|link:)[^\s\[\]]+\[([^\]]+)\]")
_EMPHASIS = re.compile(r"(?<![\w*])(\*{1,3})(?=\S)(.+?)(?<=\S)\1(?![\w*])")
_REFERENCE = re.compile(r"`([^`<]+?)\s*<[^>`]+>`_+|`([^`]+)`_+")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_CITED = re.compile(r"\[(?=(?:local|graph|vector):)")


def visible(text: str) -> str:
    """Without control characters and direction overrides, which a terminal would obey."""
    return text if text.isprintable() else _CONTROL.sub("", text)


def printable(text: str) -> str:
    """Visible, and a marker written in a file loses its bracket: what is retrieved cannot cite."""
    return _CITED.sub("(", visible(text))


def plain(text: str) -> str:
    """A piece of Markdown or reStructuredText as one plain line; code in backticks keeps them."""
    text = _ROLE.sub(r"`\1`", _IMAGE.sub("", text))
    text = _REFERENCE.sub(lambda m: m[1] or m[2], text).replace("``", "`")
    text = _EMPHASIS.sub(r"\2", _LINK.sub(r"\1", _ADOC_LINK.sub(r"\1", text)))
    return printable(" ".join(text.split())).strip(" |#>")


def shortened(text: str, limit: int = 220) -> str:
    """At most `limit` characters, cut between words, with an ellipsis; an odd backtick is closed."""
    if len(text) <= limit:
        return text
    cut = text[:limit].rsplit(" ", 1)[0].rstrip(" ,;:(")
    return f"{cut}{'`' if cut.count('`') % 2 else ''} …"
