"""The line that is embedded in front of a chunk's text and not shown: where it stands, in words.

See docs/design.md#chunks.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memory.text.identifiers import split_identifier

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["header"]

_DUNDER = re.compile(r"__\w+__")
_MOST_WORDS = 48
"""The model reads 256 tokens; a chunk of forty constants must not spend them on its header."""


def header(project: str, path: str, symbols: Iterable[str]) -> str:
    """`project path symbols` split into words, casefolded, at most 48: each name once, a class only before its first member.

    Names that Python gives a meaning (`__init__`) say nothing of the chunk and are left out.
    """
    names = dict.fromkeys([project, *path.split("/"), *(part for symbol in symbols for part in symbol.split("."))])
    words = [word for name in names if not _DUNDER.fullmatch(name) for word in split_identifier(name)]
    return " ".join([word for word, before in zip(words, ["", *words], strict=False) if word != before][:_MOST_WORDS])
