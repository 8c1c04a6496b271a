"""A mention, what it leads to, and the places that prove it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from indexing.resolution.references.entities import VERBS
from indexing.rules.common_words import COMMON_FOLDERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from indexing.resolution.references.mentions import Mentioned
    from indexing.resolution.references.things import Thing
    from memory.entities import Entity

__all__ = ["Link", "Piece", "in_one_program", "made_at"]

Piece = tuple[str, int, str]


@dataclass(frozen=True, slots=True)
class Link:
    """A mention, what it leads to and of which kind that is, and the places that prove it beside the mention's own.

    told: whether a setting hands the very thing on, so that the name's rarity has nothing to say; handed: by a setting.
    """

    mention: Mentioned
    sources: Sequence[Entity]
    target: Entity
    kind: str
    pieces: tuple[Piece, ...]
    told: bool = False
    handed: bool = False


def in_one_program(path: str, other: str) -> bool:
    """Whether two files share a first folder that says which program they are of: it asks others, not itself."""
    top = path.partition("/")[0]
    return "/" in path and other.startswith(f"{top}/") and top.lower() not in COMMON_FOLDERS


def made_at(thing: Thing) -> Piece:
    """Where a thing is made, as a piece of evidence."""
    return thing.path, thing.line, f"{VERBS[thing.rank]} the {thing.kind} {thing.name}"
