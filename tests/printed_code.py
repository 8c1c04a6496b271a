"""The Python blocks of the specifications as they are printed (tests/printed/*.md), imports aside, and their run."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent / "printed"
_BLOCK = re.compile(r"^## (?P<heading>[^\n]+)\n\n```python\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)


@cache
def blocks(number: str) -> Mapping[str, str]:
    """A specification's blocks by the heading they stand under."""
    return {
        found["heading"]: found["code"]
        for found in _BLOCK.finditer((_FOLDER / f"{number}.md").read_text(encoding="utf-8"))
    }


async def run(code: str, names: Mapping[str, Any]) -> dict[str, Any]:
    """What a block defines, with these names imported; it may await at its top."""
    defined = dict(names)
    compiled = compile(code, "<printed>", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    result = eval(compiled, defined)  # noqa: S307 - the specification's own text, kept beside this file
    if inspect.iscoroutine(result):
        await result
    return defined
