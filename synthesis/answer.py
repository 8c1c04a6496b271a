"""What synthesis hands back: the answer and its citations (design §11)."""

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
    for an observation without lines; reason: why it is not verified, None when it is; stale: the file on disk has
    changed since it was indexed, which says nothing against the citation.
    """

    marker: str
    observation_id: str
    claim: str
    quote: str
    location: Location | None
    verified: bool = False
    reason: str | None = "not checked"
    stale: bool = False


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
