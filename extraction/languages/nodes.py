"""The tree of a file's text, by ast-grep's parsers, and where its nodes are. Places count characters, lines from 1."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_PHP: Final = re.compile(
    r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|/\*.*?\*/|(?P<outside>(?://|\#(?!\[))[^\n?]*(?:\?(?!>)[^\n?]*)*(?:\Z|(?=\n|\?>))"""
    r"""|(?:\A(?!<\?php)|\?>).*?(?:<\?(?:php\b|=)|\Z))""",
    re.DOTALL,
)
_MARKUP: Final = re.compile(r"\?>(?!\s*\Z)|\A(?!<\?php)")
_AWAIT: Final = re.compile(r"\bawait(?=[ \t]++[\w$.?!]++<)")
"""Of `await client.get<T>(…)` the grammar of TypeScript makes a call of what is awaited."""
_SIGN: Final = re.compile(r"[^\n]")
_BRACKET: Final = re.compile(r"[][(){}]")
_CLOSES: Final = {"(": ")", "[": "]", "{": "}"}
DEEPEST: Final = 1_000
"""Levels. What is deeper is no program: a parser's time grows with their square, and a place takes long to find."""


@lru_cache(maxsize=1)  # symbols and rules read one file after the other
def root_of(text: str, parser: str) -> SgNode:
    """The root; `parser` is one that ast-grep has, it panics at another. Lines are those of the text."""
    from ast_grep_py import SgRoot  # noqa: PLC0415 - native, and not every run extracts

    if parser == "php" and _MARKUP.search(text):
        text = _PHP.sub(_without_markup, text)
    elif parser in {"typescript", "tsx"}:
        text = _AWAIT.sub("     ", text)
    if any(text.count(opening) > DEEPEST for opening in _CLOSES):
        text = _hopeful(text)
    whole = text.encode("utf-8", "replace").decode()  # half a surrogate pair is no text for it
    return SgRoot(whole, parser).root()


def _hopeful(text: str) -> str:
    """The text before the bracket that opens one level too many, and what closes the others."""
    closing: list[str] = []
    missing = Counter[str]()  # how often each is in `closing`, which takes long to search
    for found in _BRACKET.finditer(text):
        if found[0] in _CLOSES:
            if len(closing) == DEEPEST:
                return text[: found.start()] + "".join(reversed(closing))
            closing.append(_CLOSES[found[0]])
            missing[closing[-1]] += 1
        elif missing[found[0]]:  # what is open inside of it may stand in a string
            while closing[-1] != found[0]:
                missing[closing.pop()] -= 1
            missing[closing.pop()] -= 1
    return text


def _without_markup(found: re.Match[str]) -> str:
    """A semicolon and blanks for what is outside of PHP's brackets, which its parser takes for PHP."""
    outside = found["outside"]
    if outside is None:
        return found[0]
    blank = _SIGN.sub(" ", outside)
    return f";{blank[1:]}" if outside.startswith("?>") else blank


def start_of(node: SgNode) -> int:
    return int(node.range().start.index)


def end_of(node: SgNode) -> int:
    return int(node.range().end.index)


def line_of(node: SgNode) -> int:
    return int(node.range().start.line) + 1


def last_line_of(node: SgNode) -> int:
    """The line it ends on; some comments hold their line's end."""
    end = node.range().end
    return int(end.line) + (1 if end.column else 0) or 1


def named_above(node: SgNode) -> SgNode | None:
    above = node.prev()
    while above is not None and not above.is_named():
        above = above.prev()
    return above


def named_below(node: SgNode) -> SgNode | None:
    below = node.next()
    while below is not None and not below.is_named():
        below = below.next()
    return below


class Places:
    """What is around a place of a tree's text: asked often, so what is below a node is read once."""

    def __init__(self, root: SgNode) -> None:
        self._root = root
        self._begin = start_of(root)  # where the text before it is blank
        self._below: dict[SgNode, tuple[list[SgNode], list[int]]] = {}
        self.text = root.text()

    def around(self, start: int, end: int) -> list[SgNode]:
        """The nodes with a name that cover these characters, from the innermost; none where that is too deep."""
        start, end = start + self._begin, end + self._begin
        node, above = self._root, [self._root]
        while len(above) <= DEEPEST:
            if node not in self._below:
                children = node.children()
                self._below[node] = children, [start_of(child) for child in children]
            children, starts = self._below[node]
            place = bisect_right(starts, start) - 1
            if place < 0 or end_of(children[place]) < end:
                return above[::-1]
            node = children[place]
            if node.is_named():
                above.append(node)
        return []
