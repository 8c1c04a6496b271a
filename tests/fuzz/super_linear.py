"""A linter of regular expressions: `python -m tests.fuzz.super_linear` lists those that take more than a text's length.

Each is tried as the product uses it (at the beginning alone, or at every place) on texts that are the worst for it. At this
size a step for each pair of characters is a hundred times what one for each character is, so that no machine confuses them.
What is quadratic and stays is listed in quadratic.txt, where the limits on files, lines and questions bound it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from tests.fuzz.expressions import Expression, expressions, worst_texts
from tests.fuzz.running import TooLongError, limited
from tests.linear import grows_with_its_length

KNOWN: Final = Path(__file__).with_name("quadratic.txt")
SIZE: Final = 20_000
SECONDS: Final = 0.06


def is_super_linear(one: Expression) -> bool:
    """Whether any of its worst texts keeps it longer than a walk over the text takes.

    What takes long is tried at a fourth and an eighth of the size: a slow machine takes long for what is linear too.
    """
    used = partial(_use, one, re.compile(one.pattern, one.flags))
    sizes = (worst_texts(one.pattern, one.flags, size) for size in (SIZE, SIZE // 8, SIZE // 4))
    return any(
        _is_slow(used, text) and not grows_with_its_length(used, half, whole, short=0.0)
        for text, half, whole in zip(*sizes, strict=True)
    )


def _is_slow(used: Callable[[str], None], text: str) -> bool:
    try:
        with limited(SECONDS):
            used(text)
    except TooLongError:
        return True
    return False


def _use(one: Expression, compiled: re.Pattern[str], text: str) -> None:
    """As the product does: at every place of the text, or at its beginning."""
    if one.searched:
        for _ in compiled.finditer(text):
            pass
    else:
        compiled.match(text)
        compiled.fullmatch(text)


def found() -> set[str]:
    """The product's, each as its file and its pattern."""
    return {name(one) for one in expressions() if is_super_linear(one)}


def known() -> set[str]:
    """Those of the list."""
    return set(KNOWN.read_text(encoding="utf-8").splitlines())


def name(one: Expression) -> str:
    """Its file and its pattern, which stay when lines move."""
    return f"{one.at.rpartition(':')[0]} {one.pattern!r}"


if __name__ == "__main__":
    print("\n".join(sorted(found())))  # noqa: T201
