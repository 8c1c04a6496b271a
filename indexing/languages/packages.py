"""The package that a file is part of, whose other files' names it may use without importing them.

Java, Kotlin, C#, PHP and C++ declare it; in Go it is the folder, in Rust what the file is called below its crate's
`src`, and in Ruby and C everything that is loaded, which nothing in a file says.
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from indexing.languages.table import Language

__all__ = ["crate_module", "package_name"]

_SOURCE: Final = re.compile(r"^(?:(.*)/)?src/(.*)$|^(?:(.*)/)?(?:tests|examples|benches)/(.*)$")
_ROOTS: Final = frozenset({"main", "lib", "mod"})


def package_name(language: Language, declared: str, path: str) -> str:
    """Its name; '' when the file is in none."""
    if language.packages == "go":
        return posixpath.dirname(path) or declared
    if language.packages == "rust":
        return crate_module(path)
    return declared


def crate_module(path: str) -> str:
    """`crates/cart::models.order` for `crates/cart/src/models/order.rs`: the crate's folder, and the module in it."""
    found = _SOURCE.match(path)
    root, inside = (found[1] or found[3] or "", found[2] or found[4]) if found else path.rpartition("/")[::2]
    parts = inside.removesuffix(".rs").split("/")
    if parts[-1] in _ROOTS:
        parts.pop()
    return f"{root}::{'.'.join(parts)}"
