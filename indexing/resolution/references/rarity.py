"""How rare a name is among components: its inverse document frequency, from 1 (in one) down to 0 (in all).

K. Spärck Jones: A statistical interpretation of term specificity and its application in retrieval (1972), with components in
place of documents. Only the projects at both ends are counted, never all that are indexed: a project that the caller may not
see would change by its words what the caller is shown.
"""

from __future__ import annotations

from math import log

__all__ = ["RARE", "SAID", "rarity"]

RARE = 0.4
"""What it takes where nothing but the name speaks for a relation: in 3 of 8 components (.5), not in 4 (.37)."""
SAID = 0.15
"""What it takes where the words around say what is done with it."""


def rarity(spread: int, components: int) -> float:
    """The weight of a name that stands in `spread` of so many components: log((n + 1) / spread) / log(n + 1), in hundredths."""
    every = max(components, 1) + 1
    return round(max(0.0, log(every / max(spread, 1)) / log(every)), 2)
