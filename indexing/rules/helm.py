"""Helm templates made readable: what stands in `{{ }}` becomes a name where it holds one, and nothing where it steers.

Lines stay where they are. Values of the chart are not looked up: `.Values.cartService.name` is told by its path, and what
nothing tells is `_`.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["without_templates"]

STEERING: Final = re.compile(r"^[ \t]*(?:-[ \t]*)?\{\{[^\n]*\}\}[ \t]*$", re.MULTILINE)
BLOCK: Final = re.compile(r"\{\{-?\s*/\*.*?\*/\s*-?\}\}", re.DOTALL)
INLINE: Final = re.compile(r"\{\{(.{0,1000}?)\}\}")
VALUE: Final = re.compile(r"\.Values\.([\w.]+)")
DEFAULT: Final = re.compile(r"\bdefault\s+\"([^\"]+)\"")
RELEASE: Final = re.compile(r"\{\{-?\s*\.Release\.Name\s*-?\}\}-")
NAMED: Final = re.compile(r"\b(?:include|template)\s+\"([\w-]+)\.(?:full)?name\"")
ENDINGS: Final = (".name", ".fullname", ".nameOverride", ".serviceName", ".host", ".hostname")


def without_templates(text: str) -> str:
    """YAML, where the template was one around it."""
    text = BLOCK.sub(lambda found: "\n" * found[0].count("\n"), text)
    return INLINE.sub(_plain, RELEASE.sub("", STEERING.sub("", text)))


def _plain(found: re.Match[str]) -> str:
    if default := DEFAULT.search(found[1]):
        return default[1]
    if named := NAMED.search(found[1]):
        return named[1]
    value = VALUE.search(found[1])
    ending = next((end for end in ENDINGS if value[1].endswith(end)), "") if value else ""
    return value[1].removesuffix(ending).rsplit(".", 1)[-1] if value and ending else "_"
