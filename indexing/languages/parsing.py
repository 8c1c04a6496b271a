"""The tree of a file's text, by ast-grep's parsers."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ast_grep_py import SgNode

__all__ = ["root_of"]

_PHP: Final = re.compile(
    r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|/\*.*?\*/|(?P<outside>(?://|\#(?!\[))[^\n?]*(?:\?(?!>)[^\n?]*)*(?:\Z|(?=\n|\?>))"""
    r"""|(?:\A(?!<\?php)|\?>).*?(?:<\?(?:php\b|=)|\Z))""",
    re.DOTALL,
)
_MARKUP: Final = re.compile(r"\?>(?!\s*\Z)|\A(?!<\?php)")
_SIGN: Final = re.compile(r"[^\n]")
_OPEN: Final = 5_000
"""What leaves more brackets open is no program; a parser that tries to make sense of it takes seconds or the process."""
_BRACKETS: Final = (("(", ")"), ("[", "]"), ("{", "}"))


@lru_cache(maxsize=1)  # symbols and rules read one file after the other
def root_of(text: str, parser: str) -> SgNode:
    """The root; `parser` is one that ast-grep has, it panics at another. Lines are those of the text."""
    from ast_grep_py import SgRoot  # noqa: PLC0415 - native, and not every run extracts

    if parser == "php" and _MARKUP.search(text):
        text = _PHP.sub(_without_markup, text)
    if any(text.count(opening) - text.count(closing) > _OPEN for opening, closing in _BRACKETS):
        text = _hopeful(text)
    whole = text.encode("utf-8", "replace").decode()  # half a surrogate pair is no text for it
    return SgRoot(whole, parser).root()


def _hopeful(text: str) -> str:
    """The lines before the one that leaves too many brackets open."""
    lines = text.splitlines(keepends=True)
    opened = [0, 0, 0]
    for number, line in enumerate(lines):
        opened = [
            n + line.count(opening) - line.count(closing)
            for n, (opening, closing) in zip(opened, _BRACKETS, strict=True)
        ]
        if max(opened) > _OPEN:
            return "".join(lines[:number])
    return text


def _without_markup(found: re.Match[str]) -> str:
    """A semicolon and blanks for what stands outside of PHP's brackets, which its parser takes for PHP."""
    outside = found["outside"]
    if outside is None:
        return found[0]
    blank = _SIGN.sub(" ", outside)
    return f";{blank[1:]}" if outside.startswith("?>") else blank
