"""What synthesis hands back: the answer and its citations (docs/design.md#output)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from memory.observations import Location

__all__ = ["UNSAID", "Answer", "Citation"]

UNSAID: Final = "the extractive answerer found no sentence that answers this"
"""The note on an answer that is none, though something was found: a language model may make more of it."""


@dataclass(frozen=True, slots=True)
class Citation:
    """One claim and the text that bears it.

    marker: as it stands in the answer; quote: text of the cited lines, white space apart; location: those lines, None
    for an observation without lines; located: the place exists, and says what is quoted; supported: it also says what is
    claimed (names, numbers, denials, the relation's type and direction); reason: why one of the two is missing, None when
    neither is; stale: the file on disk has changed since it was indexed, which says nothing against the citation.
    """

    marker: str
    observation_id: str
    claim: str
    quote: str
    location: Location | None
    located: bool = False
    supported: bool = False
    reason: str | None = "not checked"
    stale: bool = False

    @property
    def verified(self) -> bool:
        """Whether it is located and supported."""
        return self.located and self.supported


@dataclass(frozen=True, slots=True)
class Answer:
    """The text with its markers, the citations behind them, who wrote it, and what it lacks.

    answerer: `extractive` or the model's name; tokens: those the model reported, 0 without one; notes: what went wrong
    on the way, such as a model that was late.
    """

    text: str
    citations: tuple[Citation, ...] = ()
    answerer: str = "extractive"
    missing: tuple[str, ...] = ()
    tokens: int = 0
    notes: tuple[str, ...] = ()
