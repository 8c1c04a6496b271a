"""A passage is the least that can be quoted: a sentence, a list item, a table's row, a line of code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Passage", "PassageKind"]

PassageKind = Literal["prose", "item", "row", "documentation", "signature", "code", "import"]


@dataclass(frozen=True, slots=True)
class Passage:
    """What people read, and what it is quoted from.

    text: one line without mark-up; quote: exactly as in the lines, white space apart; first and last: indexes into the
    lines it was cut from, from 0, both included; context: the heading or the definition it stands under.
    """

    text: str
    quote: str
    first: int
    last: int
    kind: PassageKind
    context: str = ""

    @property
    def is_prose(self) -> bool:
        """Whether it reads as a sentence rather than as code."""
        return self.kind in {"prose", "item", "row", "documentation"}
