"""The shape of a syntax tree: of some, a query takes hours. Its time grows with the square of a tree's depth, and of what an
error spans.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import tree_sitter

__all__ = ["can_be_queried"]

DEEPEST: Final = 3_000
"""A text that is put together from so many pieces, one `+` after the other, is as deep."""
WIDEST_ERROR: Final = 20_000


def can_be_queried(tree: tree_sitter.Tree) -> bool:
    """Whether a query of this tree takes no longer than its parse, about."""
    cursor = tree.walk()
    siblings = [1]
    while True:
        if cursor.goto_first_child():
            siblings.append(1)
            if len(siblings) > DEEPEST:
                return False
            continue
        while not cursor.goto_next_sibling():
            within = siblings.pop()
            if not cursor.goto_parent():
                return True
            if within > WIDEST_ERROR and cursor.node is not None and cursor.node.is_error:
                return False
        siblings[-1] += 1
