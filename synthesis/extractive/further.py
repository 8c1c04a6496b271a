"""What a question asks beside what a thing is: `What is X, and why does it break Y?`"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from synthesis.extractive.groups import chosen
from synthesis.extractive.scoring import scored
from synthesis.extractive.statements import Line, passage_claim
from synthesis.extractive.terms import question_terms, terms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synthesis.extractive.sources import Ground

__all__ = ["further_lines"]

_MOST: Final = 2
_CLAUSE: Final = re.compile(
    r"(?:[,;]|\band)\s+(?:and\s+)?((?:why|how|when|where|who|which|what|does|do|is|are|can|should|must)\b.+)",
    re.IGNORECASE | re.DOTALL,
)


def further_lines(question: str, names: Sequence[str], ground: Ground) -> list[Line]:
    """What prose says of the named things that holds a word of the question's further clause; empty without one."""
    clause = _CLAUSE.search(question)
    if clause is None:
        return []
    own = [name.rsplit(".", 1)[-1].casefold() for name in names]
    wanted = question_terms(clause[1]).difference(*map(terms, names))
    said = [
        s
        for s in scored(question, ground.sources)
        if s.passage.is_prose
        and not wanted.isdisjoint(s.held)
        and any(name in f"{s.passage.context} {s.passage.text}".casefold() for name in own)
    ]
    return [Line((passage_claim(s),), f"- {s.source.project}: ") for s in chosen(said, _MOST)]
