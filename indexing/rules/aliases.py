"""Alias clues: other names of a service or of the component that a file lies in, such as its image or its README's title.

`alias`: provides = the entity (without one: the file's component) is also called `value`; `key` is the name as it compares.
"""

from __future__ import annotations

import re
from typing import Final

from indexing.facts import Clue
from indexing.rules.stores import is_engine

__all__ = ["ALIAS", "also_called", "image_alias"]

ALIAS: Final = "alias"
TAG: Final = re.compile(r"(?::[^:/]*)?(?:@.*)?$")


def also_called(rule: str, name: str, line: int, entity: str = "") -> Clue:
    """What the entity is called besides."""
    says = f"also called {name}"
    return Clue(rule, ALIAS, name.casefold(), "provides", "DEFINES", line, entity, says, name)


def image_alias(rule: str, image: str, line: int, entity: str) -> list[Clue]:
    """The last part of an image's name without its tag; none for an engine's, which everybody runs."""
    name = TAG.sub("", image).rpartition("/")[2]
    told = name and "$" not in name and "{" not in name and not is_engine(name)
    return [also_called(rule, name, line, entity)] if told and name != entity else []
