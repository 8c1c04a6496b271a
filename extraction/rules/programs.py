"""Which files are programs, for the rules that read code; and the script of a component's file.

Vue's and Svelte's components hold markup, script and style in one file (https://vuejs.org/api/sfc-spec).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import ClassVar, Final

from extraction.kinds import kind_of
from extraction.languages import language_of
from extraction.rules.port import FileRule

FILE: Final = re.compile(r"(?<!\.test)(?<!\.spec)(?<!\.stories)\.(?:vue|svelte)$")
SCRIPT: Final = re.compile(r"(<script\b[^>]*>)(.*?)(?=</script>)", re.DOTALL | re.IGNORECASE)
COMMENT: Final = re.compile(r"^\s*(?://|#(?!\[)|\*|/\*|--)")
"""How a line begins that is a comment, in most languages."""
VISIBLE: Final = re.compile(r"[^\n]")


@lru_cache(maxsize=64)  # all rules ask it of one file, then of the next
def program_language(path: str) -> str:
    """The language of a program's file; '' for a test and for what is no program."""
    language = language_of(path)
    return language.name if language is not None and kind_of(path, language.name) != "test" else ""


def is_code(path: str) -> bool:
    return program_language(path) != ""


class CodeRule(FileRule):
    """A rule for programs whose files end in one of `ends`; tests are left out."""

    ends: ClassVar[tuple[str, ...]] = ("",)

    def reads(self, path: str) -> bool:
        return path.endswith(self.ends) and is_code(path)


def is_component(path: str) -> bool:
    return FILE.search(path) is not None


def script_of(text: str) -> str:
    """The text with all that is no script blanked out, so that lines and columns stay."""
    kept, at = [], 0
    for found in SCRIPT.finditer(text):
        kept += [VISIBLE.sub(" ", text[at : found.start(2)]), found[2]]
        at = found.end()
    return "".join([*kept, VISIBLE.sub(" ", text[at:])])
