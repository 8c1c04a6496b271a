"""Alias clues: other names of a service or of the component that a file lies in, such as its image or its README's
title.

`alias`: provides = the entity (without one: the file's component) is also called `value`; `key` is the name as it
compares.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from indexing.facts import Clue, Definition
from indexing.rules.common_names import is_engine
from indexing.rules.expressions import line_at
from indexing.rules.port import Fact, FileRule, Source

__all__ = ["ALIAS", "ReadmeTitle", "also_called", "image_alias"]

ALIAS: Final = "alias"
TAG: Final = re.compile(r"(?::[^:/]*)?(?:@.*)?$")
FILE: Final = re.compile(r"(?:^|/)readme(?:\.(?:md|markdown|rst|adoc|txt))?$", re.IGNORECASE)
HEADING: Final = re.compile(r"^(?:#|=) +(.+?) *#*$|^(\S.*)\n={3,}$", re.MULTILINE)
MARKUP: Final = re.compile(r"<[^>]*>|!\[[^\]]*\]\([^)]*\)|\[!\[.*?\]\(.*?\)\]\(.*?\)|:[a-z_]+:|\([^()]*\)|[*`_]")
LINK: Final = re.compile(r"(?<!!)\[([^\]]+)\]\([^)]*\)")
BREAK: Final = re.compile(r"\s*[:|]\s+|\s+[-–—:|]+\s+")
NAME: Final = re.compile(r"[A-Z]?\w+(?: \w+){1,3}")
SAYS_NOTHING: Final = frozenset(
    {"getting started", "table of contents", "read me", "what is this", "about this project"}
)
LONGEST: Final = 40


def also_called(rule: str, name: str, line: int, entity: str = "") -> Clue:
    """What the entity is called besides."""
    says = f"also called {name}"
    return Clue(rule, ALIAS, name.casefold(), "provides", "DEFINES", line, entity, says, name)


def image_alias(rule: str, image: str, line: int, entity: str) -> list[Clue]:
    """The last part of an image's name without its tag; none for an engine's, which everybody runs."""
    name = TAG.sub("", image).rpartition("/")[2]
    telling = name and "$" not in name and "{" not in name and not is_engine(name)
    return [also_called(rule, name, line, entity)] if telling and name != entity else []


class ReadmeTitle(FileRule):
    """A definition of kind `project` for a title of two to four words; the first part that is one, of several.

    The title of a folder's README is another name of the component in it.
    """

    name = "README title"
    files = FILE

    def facts(self, source: Source) -> Iterator[Fact]:
        found = HEADING.search(source.text)
        if found is None:
            return
        text = MARKUP.sub(" ", LINK.sub(r"\1", found[1] or found[2]))
        parts = (" ".join(part.split()) for part in BREAK.split(text))
        title = next((part for part in parts if NAME.fullmatch(part) and len(part) <= LONGEST), "")
        line = line_at(source.text, found.start())
        if title and title.casefold() not in SAYS_NOTHING:
            inside = "/" in source.path
            yield also_called(self.name, title, line) if inside else Definition(title, "project", line, line)
