"""The answer while it is made: lines of claims, each with its citations, checked and then written out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from synthesis.extractive.cleaning import printable, shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from synthesis.answer import Citation
    from synthesis.extractive.scoring import Scored

__all__ = ["Claim", "Line", "citations_of", "passage_claim", "rendered"]


@dataclass(frozen=True, slots=True)
class Claim:
    """What is said, and what bears it; without citations it only leads to what follows."""

    text: str
    citations: tuple[Citation, ...] = ()

    @property
    def markers(self) -> tuple[str, ...]:
        """Its citations' markers, each once."""
        return tuple(dict.fromkeys(citation.marker for citation in self.citations))


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the answer: an opening such as `- billing: `, claims, and code to show below.

    Claims in a row that are borne out by the same places share their markers.
    """

    claims: tuple[Claim, ...]
    opening: str = ""
    code: str = ""

    def held(self, checked: Mapping[Citation, Citation]) -> Line | None:
        """The line without what was not borne out; None when nothing cited is left of it."""
        claims = tuple(c for c in self.claims if all(checked[citation].verified for citation in c.citations))
        lost = any(c.citations for c in self.claims) and not any(c.citations for c in claims)
        return None if lost else Line(claims, self.opening, self.code)

    def text(self) -> str:
        """As it is printed, the markers behind each claim."""
        parts: list[str] = []
        for number, claim in enumerate(self.claims):
            markers = claim.markers
            again = number + 1 < len(self.claims) and self.claims[number + 1].markers == markers
            parts += [printable(claim.text), *(() if again else markers)]
        return self.opening + " ".join(parts) + self.code


def passage_claim(scored: Scored, *, named: bool = False) -> Claim:
    """A passage as a claim: a sentence in its own words, code in backticks behind the definition it stands in.

    `named` is when the definition has been said already.
    """
    passage, source = scored.passage, scored.source
    text = shortened(" ".join(passage.text.split()))
    citation = source.citation(text, passage.quote, passage.first, passage.last)
    where = f"`{passage.context}`: " if passage.context and not named and passage.kind != "signature" else ""
    if passage.is_prose:
        where = where if source.is_code else ""
        return Claim(where + (text if text.endswith((".", "!", "?", "…", ":")) else f"{text}."), (citation,))
    return Claim(f"{where}`{text.rstrip(',').replace('`', chr(39))}`", (citation,))


def rendered(lines: Iterable[Line]) -> str:
    """The answer's text."""
    return "\n".join(line.text() for line in lines)


def citations_of(lines: Sequence[Line]) -> list[Citation]:
    """Every citation once, in the order it is printed."""
    return list(dict.fromkeys(citation for line in lines for claim in line.claims for citation in claim.citations))
