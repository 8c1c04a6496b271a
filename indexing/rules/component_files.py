"""The script of a component's file: Vue's and Svelte's hold markup, script and style in one (https://vuejs.org/api/sfc-spec)."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["is_component", "script_of"]

FILE: Final = re.compile(r"(?<!\.test)(?<!\.spec)(?<!\.stories)\.(?:vue|svelte)$")
SCRIPT: Final = re.compile(r"(<script\b[^>]*>)(.*?)(?=</script>)", re.DOTALL | re.IGNORECASE)
VISIBLE: Final = re.compile(r"[^\n]")


def is_component(path: str) -> bool:
    """Whether such a file, and no test."""
    return FILE.search(path) is not None


def script_of(text: str) -> str:
    """The text with all that is no script blanked out, so that lines and columns stay."""
    kept, at = [], 0
    for found in SCRIPT.finditer(text):
        kept += [VISIBLE.sub(" ", text[at : found.start(2)]), found[2]]
        at = found.end()
    return "".join([*kept, VISIBLE.sub(" ", text[at:])])
