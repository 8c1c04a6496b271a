"""The title of a README: what people call the project or the component in its folder, where it is more than the folder's name."""

from __future__ import annotations

import re
from typing import Final

from indexing.facts import Definition
from indexing.rules.aliases import also_called
from indexing.rules.expressions import line_at
from indexing.rules.port import Findings, Source

__all__ = ["ReadmeTitle"]

FILE: Final = re.compile(r"(?:.*/)?readme(?:\.(?:md|markdown|rst|adoc|txt))?", re.IGNORECASE)
HEADING: Final = re.compile(r"^(?:#|=) +(.+?) *#*$|^(\S.*)\n={3,}$", re.MULTILINE)
MARKUP: Final = re.compile(r"<[^>]*>|!\[[^\]]*\]\([^)]*\)|\[!\[.*?\]\(.*?\)\]\(.*?\)|:[a-z_]+:|\([^()]*\)|[*`_]")
LINK: Final = re.compile(r"(?<!!)\[([^\]]+)\]\([^)]*\)")
BREAK: Final = re.compile(r"\s*[:|]\s+|\s+[-–—:|]+\s+")
NAME: Final = re.compile(r"[A-Z]?\w+(?: \w+){1,3}")
SAYS_NOTHING: Final = frozenset(
    {"getting started", "table of contents", "read me", "what is this", "about this project"}
)
LONGEST: Final = 40


class ReadmeTitle:
    """A definition of kind `project` for a title of two to four words; the first part that is one, of several.

    The title of a folder's README is another name of the component in it.
    """

    name = "README title"

    def reads(self, path: str) -> bool:
        return FILE.fullmatch(path) is not None

    def find(self, source: Source) -> Findings | None:
        found = HEADING.search(source.text)
        if found is None:
            return None
        text = MARKUP.sub(" ", LINK.sub(r"\1", found[1] or found[2]))
        parts = (" ".join(part.split()) for part in BREAK.split(text))
        title = next((part for part in parts if NAME.fullmatch(part) and len(part) <= LONGEST), "")
        if not title or title.casefold() in SAYS_NOTHING:
            return None
        line = line_at(source.text, found.start())
        if "/" in source.path:
            return Findings(clues=[also_called(self.name, title, line)])
        return Findings((Definition(title, "project", line, line),))
