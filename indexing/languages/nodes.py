"""Where a node of a syntax tree is, and what stands beside it. Places count characters, lines from 1."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ast_grep_py import SgNode

__all__ = ["DEEPEST", "Places", "end_of", "last_line_of", "line_of", "named_above", "named_below", "start_of"]


DEEPEST: Final = 1_000
"""Levels; what is around or beside a deeper node takes milliseconds to find."""


def start_of(node: SgNode) -> int:
    """Where it starts in the text."""
    return int(node.range().start.index)


def end_of(node: SgNode) -> int:
    """Where it ends in the text."""
    return int(node.range().end.index)


def line_of(node: SgNode) -> int:
    """The line it starts on."""
    return int(node.range().start.line) + 1


def last_line_of(node: SgNode) -> int:
    """The line it ends on; some comments hold their line's end."""
    end = node.range().end
    return int(end.line) + (1 if end.column else 0) or 1


def named_above(node: SgNode) -> SgNode | None:
    """The named sibling before it."""
    above = node.prev()
    while above is not None and not above.is_named():
        above = above.prev()
    return above


def named_below(node: SgNode) -> SgNode | None:
    """The named sibling behind it."""
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
