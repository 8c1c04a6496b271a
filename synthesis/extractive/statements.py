"""The answer while it is made: lines of claims, each with its citations, checked and then written out as a
terminal may have it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from memory.entities import VERBS
from memory.text import output

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from synthesis.answer import Answer, Citation


_BACKTICKS = re.compile(r"`+")
_CITED = re.compile(r"\[(?=(?:local|graph|vector):)")


_PHRASES: Final = {
    **VERBS,
    "INHERITS": "extends",
    "OWNS_TABLE": "owns the table",
    "USES_TABLE": "uses the table",
    "STORES_IN": "stores its data in",
}
"""An answer names a table without its kind, so its verb says it."""
_PLURALS: Final = {"publishes": "publish", "stores": "store"}


def printable(text: str) -> str:
    """As a terminal may have it, and a marker written in a file loses its bracket: what is retrieved cannot cite."""
    return _CITED.sub("(", output.printable(text))


NOT_SHOWN: Final = "not in any file shown: "
"""How it begins what is asked about and stands elsewhere, if anywhere."""


def missing_text(missing: Iterable[str]) -> str:
    """What an answer lacks, as its text ends; empty where it lacks nothing."""
    said = printable("; ".join(missing))
    return f"\nMissing: {said}." if said else ""


def lacking(answer: Answer, more: Iterable[str]) -> Answer:
    """The answer, which lacks more, and says so at its end, whoever wrote it."""
    missing = tuple(dict.fromkeys((*answer.missing, *more)))
    text = answer.text.removesuffix(missing_text(answer.missing)) + missing_text(missing)
    return replace(answer, text=text, missing=missing)


def led_by(answer: Answer, notes: Sequence[str]) -> Answer:
    """The answer, which says before all else how it was read and what is nowhere to be found; what else it lacks stays
    at its end.
    """
    if not notes:
        return answer
    text = answer.text.removesuffix(missing_text(answer.missing))
    rest = missing_text(one for one in answer.missing if one not in notes)
    return replace(answer, text=f"Note: {printable('; '.join(notes))}.\n\n{text}{rest}")


def clipped(text: str, longest: int) -> str:
    """The whole words of a text that fit."""
    return text if len(text) <= longest else f"{text[:longest].rsplit(' ', 1)[0]} …"


def code_span(text: str) -> str:
    """A text between backticks, of which there are more than it has itself (CommonMark §6.1)."""
    fence = "`" * (1 + max(map(len, _BACKTICKS.findall(text)), default=0))
    return f"{fence}{text}{fence}" if len(fence) == 1 else f"{fence} {text} {fence}"


def listed(items: Sequence[str]) -> str:
    """`a, b and c`."""
    return f"{', '.join(items[:-1])} and {items[-1]}" if len(items) > 1 else "".join(items)


def verb(relation: str, *, many: bool = False) -> str:
    """A relation's type as a verb: CALLS `calls`, OWNS_TABLE `owns the table`;
    of several, `call` and `own the table`.
    """
    phrase = _PHRASES.get(relation, relation.casefold().replace("_", " "))
    if not many:
        return phrase
    first, _, rest = phrase.partition(" ")
    first = _PLURALS.get(first, first.removesuffix("s"))
    return f"{first} {rest.replace('its', 'their')}".rstrip()


@dataclass(frozen=True, slots=True)
class CitedClaim:
    """A sentence, and what bears it; without citations it only leads to what follows."""

    text: str
    citations: tuple[Citation, ...] = ()

    @property
    def markers(self) -> tuple[str, ...]:
        """Its citations' markers, each once."""
        return tuple(dict.fromkeys(citation.marker for citation in self.citations))


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the answer: an opening such as `- `, claims, and a block to show below.

    leads: it only leads to the lines behind it, and goes when none of them is left. Claims in a row that are borne out
    by the same places share their markers.
    """

    claims: tuple[CitedClaim, ...]
    opening: str = ""
    block: str = ""
    leads: bool = False

    def held(self, checked: Mapping[Citation, Citation]) -> Line | None:
        """The line without what was not borne out; None when nothing cited is left of it, nor of where its block is."""
        claims = tuple(c for c in self.claims if all(checked[citation].verified for citation in c.citations))
        lost = any(c.citations for c in self.claims) and not any(c.citations for c in claims)
        lost = lost or (bool(self.block) and self.claims[:1] != claims[:1])
        return None if lost else Line(claims, self.opening, self.block, self.leads)

    @property
    def is_cited(self) -> bool:
        """Whether something bears it."""
        return any(claim.citations for claim in self.claims)

    def text(self) -> str:
        """As it is printed, the markers behind each claim."""
        parts: list[str] = []
        for number, claim in enumerate(self.claims):
            markers = claim.markers
            again = number + 1 < len(self.claims) and self.claims[number + 1].markers == markers
            parts += [printable(claim.text), *(() if again else markers)]
        return self.opening + " ".join(part for part in parts if part) + self.block


def rendered(lines: Iterable[Line]) -> str:
    """The answer's text; a block has a blank line on either side, and what leads on or follows a list one in front."""
    text, before = "", None
    for line in lines:
        if before is not None:
            is_behind_list = bool(before.opening) and not line.opening
            apart = before.block or ((line.block or line.leads or is_behind_list) and not before.leads)
            text += "\n\n" if apart else "\n"
        text += line.text()
        before = line
    return text


def citations_of(lines: Sequence[Line]) -> list[Citation]:
    """Every citation once, in the order it is printed."""
    return list(dict.fromkeys(citation for line in lines for claim in line.claims for citation in claim.citations))
