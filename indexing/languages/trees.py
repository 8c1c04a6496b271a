r"""Imports that are written as trees: Rust's `use a::{b, c::d as e}`, PHP's `use A\{B, C\D as E};`, Scala's
`import a.{b, c => d, _}`, Elixir's `alias A.{B, C}`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from indexing.languages.packages import crate_module

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["crate_path", "leaves"]

_KEYWORDS: Final = re.compile(r"^(?:use|import|alias)\s+(?:function\s+|const\s+)?|;$")
_RENAMED: Final = re.compile(r"\s*(?:=>|, as:)\s*")
_STAR: Final = re.compile(r"\b_(?=\s*[,}]|$)")
_OWN: Final = frozenset({"crate", "self", "super"})


def leaves(text: str) -> Iterator[tuple[str, str, str]]:
    """(module, name, alias) of each leaf, dotted; a star's name and alias are `*`."""
    plain = re.sub(r"\s+", " ", _KEYWORDS.sub("", text.strip())).replace("::", ".").replace("\\", ".")
    plain = _STAR.sub("*", _RENAMED.sub(" as ", plain))
    for leaf in _flat(plain.strip().lstrip(".")):
        path, _, alias = leaf.partition(" as ")
        path = path.strip().removesuffix(".self")
        module, _, name = path.rpartition(".")
        yield module, name, alias.strip() or name


def _flat(text: str) -> Iterator[str]:
    """`a.{b, c.{d}}` is `a.b`, `a.c.d`; what is not closed is left out."""
    prefix, brace, rest = text.partition("{")
    if not brace:
        yield from filter(None, (one.strip() for one in prefix.split(",")))
        return
    depth, start = 0, 0
    for at, sign in enumerate(rest):
        if (sign == "," and not depth) or (sign == "}" and not depth):
            if rest[start:at].strip():
                yield from (prefix + inner for inner in _flat(rest[start:at].strip()))
            start = at + 1
        depth += (sign == "{") - (sign == "}")
        if depth < 0:
            return


def crate_path(module: str, path: str, within: int = 0) -> str:
    """A module of the file's own crate by its full name (`crates/cart::models`); another crate's stays `money.sums`.

    within: how many modules of the file itself are around the import; their names are the file's.
    """
    steps = module.split(".")
    if steps[0] not in _OWN:
        return module
    root, _, here = crate_module(path).rpartition("::")
    parts = here.split(".") if here and steps[0] != "crate" else []
    while steps and steps[0] in _OWN:
        if steps.pop(0) == "super":
            parts, within = (parts, within - 1) if within else (parts[:-1], 0)
    return f"{root}::{'.'.join([*parts, *steps])}"
